// Command api answers HTTP requests that come through API Gateway.
package main

import (
	"context"
	"log"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"

	"wstk/shared/app/cloud"
	"wstk/shared/entry/event"
	"wstk/shared/entry/mcp"
	"wstk/shared/entry/rest"
)

func main() {
	system, err := cloud.Open(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	handler := rest.New(system.App, nil,
		rest.Options{Tokens: system.Tokens, Large: system.Large, Buffered: true,
			MCP: mcp.Handler(system.App, true)})
	lambda.Start(event.Measured(system.App, httpadapter.NewV2(handler).ProxyWithContext))
}
