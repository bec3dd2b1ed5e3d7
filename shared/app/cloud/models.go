package cloud

import (
	"github.com/aws/aws-sdk-go-v2/aws"

	"wstk/shared/adapter/bedrock"
	"wstk/shared/adapter/model"
	"wstk/shared/app/stages"
	"wstk/shared/config"
	"wstk/shared/wstk"
)

// settings are all settings there are in this home.
func settings() *config.Settings { return stages.Settings(vendor(aws.Config{})) }

// vendor is the vendor of models that only this home has. A model's name is the id of a model
// or an inference profile.
func vendor(cfg aws.Config) model.Row {
	return model.Row{ModelSetup: wstk.ModelSetup{ID: "bedrock", Privacy: "AWS",
		Note: "Converse of Amazon Bedrock"},
		New: func(o model.Options) wstk.Model { return bedrock.NewModel(bedrock.New(cfg), o.Model) }}
}
