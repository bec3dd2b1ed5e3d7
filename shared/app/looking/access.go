package looking

import (
	"wstk/shared/app/reading"
	"wstk/shared/config"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// task is what the fetch stage is to do: by a rule of the operator's, where one is for the page.
func (l *Room) task(req reading.PageRequest) (wstk.FetchTask, error) {
	task, err := l.Reading.Task(req)
	if err != nil {
		return task, err
	}
	way, err := l.way(req)
	if err != nil || way == nil {
		return task, err
	}
	task.Way, task.URL = way, way.URL
	return task, nil
}

// way is how a rule of the operator's has a page asked for; nil for a page that is asked for as
// every reader may. No other request but those that say ByRule goes by a rule: the addresses of
// all others come from pages, search providers or agents.
func (l *Room) way(req reading.PageRequest) (*wstk.Way, error) {
	if !req.ByRule || !l.Config.Access.On {
		return nil, nil
	}
	if l.Access == nil {
		return nil, wstk.Errorf(wstk.Unprocessable, "", "access.on is set, and here pages are read "+
			"as every reader may").Try(OffAgain)
	}
	page, err := text.Canonical(req.URL)
	if err != nil {
		return nil, nil // fetching says what is wrong with it
	}
	way, err := l.Access.Way(page)
	switch {
	case err != nil:
		return nil, err
	case way.Kind == wstk.AccessPublic:
		return nil, nil
	case l.Config.Policy == config.PolicyStrict:
		return nil, wstk.Errorf(wstk.RefusedPolicy, "",
			"the policy strict reads no page by a rule of access, and the rule %s is for this one",
			way.Rule).Try(OffAgain, wstk.Step{Do: wstk.DoOption,
			Options: []wstk.Option{wstk.OptPolicy.Set(config.PolicyStandard)}})
	}
	return &way, nil
}

// OffAgain is the step to have every page asked for as every reader may.
var OffAgain = wstk.Step{Do: wstk.DoConfigure, Setting: "access.on", Variable: "WSTK_ACCESS",
	Value: "false"}

// NoAccess is Invalid where the operator's rules are on, for homes and servers that answer others:
// they must not ask for pages with the credentials of one person.
func NoAccess(c config.Config) error {
	if !c.Access.On {
		return nil
	}
	return wstk.Errorf(wstk.Invalid, "", "access.on is set, and what is served here is for others, "+
		"too: rules of access are for pages that the user of one machine names").Try(OffAgain)
}

// NotByRule warns of pages that a rule is for, of a request that does not go by rules: what is
// stored is what every reader gets.
func (l *Room) NotByRule(urls ...string) (list []wstk.Warning) {
	if !l.Config.Access.On {
		return nil
	}
	for _, u := range urls {
		if rule := l.Config.Access.For(u); rule != "" {
			list = append(list, wstk.Warning{Code: "access_not_used", URL: text.HideUser(u),
				Message: "The rule " + rule + " is for this page, and was not used: what is stored or " +
					"rendered is what every reader gets. Only single pages that are fetched or " +
					"extracted go by rules."})
		}
	}
	return list
}
