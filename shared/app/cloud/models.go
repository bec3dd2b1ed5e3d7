package cloud

import (
	"github.com/aws/aws-sdk-go-v2/aws"

	"wstk/shared/adapter/bedrock"
	"wstk/shared/adapter/model"
	"wstk/shared/adapter/retry"
	"wstk/shared/config"
	"wstk/shared/wstk"
)

// models are those of Bedrock that the stack names for operations; rules do the others. A reply
// fits the schema that was asked for, and what was refused for the moment is asked again within
// the time of the function.
func models(c config.Cloud, cfg aws.Config) wstk.Models {
	client := bedrock.New(cfg)
	made := map[wstk.Operation]wstk.Model{}
	for op, id := range c.Models {
		made[op] = model.Checked{Model: retry.Model{Model: bedrock.NewModel(client, id)}}
	}
	return func(op wstk.Operation) wstk.Model { return made[op] }
}
