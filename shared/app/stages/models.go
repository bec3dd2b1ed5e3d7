package stages

import (
	"slices"
	"time"

	"wstk/shared/adapter/model"
	"wstk/shared/adapter/retry"
	"wstk/shared/adapter/webapi"
	"wstk/shared/app"
	"wstk/shared/config"
	"wstk/shared/text"
	"wstk/shared/wstk"
)

// modelTime bounds one request to a model: servers that think, and small machines, take
// minutes. The time of the whole command or run ends it sooner.
const modelTime = 10 * time.Minute

// Models sets which language model does which operation, as it is configured. more are vendors
// that only one home has; its Settings know them, too. It sends no request. Codes: Invalid for
// an operation with a vendor and without a model.
func Models(a *app.App, more ...model.Row) error {
	c, rows := a.Config, slices.Concat(model.Table, more)
	var bases []string
	for _, op := range wstk.Operations() {
		bases = append(bases, c.ModelFor(op).BaseURL)
	}
	transport, err := wayTo(c, modelTime, bases...)
	if err != nil {
		return err
	}
	models, setups := map[wstk.Operation]wstk.Model{}, map[wstk.Operation]app.ModelSetup{}
	for _, op := range wstk.Operations() {
		o := c.ModelFor(op)
		at := slices.IndexFunc(rows, func(r model.Row) bool { return r.ID == o.Provider })
		if at < 0 || o.Model == "" {
			if c.Models[op].Provider != "" {
				return wstk.Errorf(wstk.Invalid, "",
					"model.%s.provider is %s, and no model is named",
					op, o.Provider).Try(wstk.Advice("set model." + string(op) + ".model, too"))
			}
			continue
		}
		m := rows[at].New(model.Options{Model: o.Model, Client: webapi.Client{
			Transport: transport, BaseURL: o.BaseURL, Key: o.Key.Reveal, Now: a.Now}})
		explained := model.Explained{Model: m, Named: named(c, op, o, rows[at].ModelSetup)}
		setups[op] = app.ModelSetup{Address: explained.Address, Variable: explained.Key.Variable,
			HasKey: o.Key != ""}
		models[op] = model.Checked{Model: retry.Model{Model: explained}}
	}
	a.Models = func(op wstk.Operation) wstk.Model { return models[op] }
	a.ModelSetups, a.Prompts = setups, prompts(c)
	return nil
}

// named is how the operator named the model for an operation.
func named(
	c config.Config, op wstk.Operation, o config.ModelOptions, setup wstk.ModelSetup,
) model.Named {
	key, name, at := keyVariable(o.KeyEnv, setup.Key), "model.model", ""
	if c.Models[op].Model == o.Model && c.Origin["model.model"] != config.OriginFlag {
		name = "model." + string(op) + ".model"
	}
	if len(setup.BaseURL) > 0 {
		at = setup.BaseURL[0]
	}
	return model.Named{Vendor: o.Provider, Model: o.Model, Address: text.HideUser(o.BaseURL),
		Key: model.Setting{Variable: key}, Name: model.Setting{Key: name},
		At: model.Setting{Variable: at}}
}

// keyVariable is the variable of a key: the one that was named, or the vendor's first; "" for
// a vendor without keys.
func keyVariable(named string, vendor []string) string {
	if named != "" || len(vendor) == 0 {
		return named
	}
	return vendor[0]
}
