package search

import (
	"cmp"
	"slices"
	"strings"

	"wstk/shared/wstk"
)

// candidate is a provider in the order of asking. One that is passed over has a reason.
type candidate struct {
	wstk.SearchProvider
	info wstk.ProviderInfo
	skip string
}

// Select lists whom a request asks, in order, by id; those that are not enabled, or that
// auto may not choose, are left out. An unknown id is Invalid.
func (s *Stage) Select(req Request) ([]string, error) {
	list, err := s.candidates(req)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, c := range list {
		if c.skip == "" {
			ids = append(ids, c.info.ID)
		}
	}
	return ids, nil
}

// candidates are the providers a request names, in its order. Naming one that is not
// enabled is Invalid, with what to set; in an order it is passed over.
func (s *Stage) candidates(req Request) ([]candidate, error) {
	const op = "choosing a search provider"
	if req.Provider != "" && req.Provider != Auto {
		c, err := s.find(req.Provider)
		if err != nil {
			return nil, err
		}
		if !c.info.Enabled {
			return nil, wstk.Errorf(wstk.Invalid, op, "%s is not enabled: %s", c.info.ID,
				c.info.Reason).Try(c.info.Steps...)
		}
		return []candidate{c}, nil
	}
	order, builtIn := req.Order, len(req.Order) == 0
	if builtIn {
		for _, p := range s.Providers {
			order = append(order, p.Info().ID)
		}
	}
	var list []candidate
	for _, id := range order {
		c, err := s.find(id)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(list, func(other candidate) bool {
			return other.info.ID == c.info.ID
		}) {
			continue
		}
		// a user who names one in an order has chosen it
		if !c.info.Enabled || !c.info.Auto && builtIn {
			c.skip = cmp.Or(c.info.Reason, "auto does not choose it")
		}
		list = append(list, c)
	}
	return list, nil
}

// find returns the provider that goes by a name.
func (s *Stage) find(name string) (candidate, error) {
	var ids []string
	for _, p := range s.Providers {
		info := p.Info()
		if info.ID == name || slices.Contains(info.Aliases, name) {
			return candidate{SearchProvider: p, info: info}, nil
		}
		ids = append(ids, info.ID)
	}
	return candidate{}, wstk.Errorf(wstk.Invalid, "choosing a search provider",
		"there is no provider %q", name).
		Try(wstk.Advice("choose one of " + strings.Join(ids, ", ")))
}
