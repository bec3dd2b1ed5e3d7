// Command crawl handles messages of the queue crawl.
package main

import (
	"context"
	"log"

	"github.com/aws/aws-lambda-go/lambda"

	"wstk/shared/app/cloud"
	"wstk/shared/entry/event"
)

func main() {
	system, err := cloud.Open(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	lambda.Start(event.Queue(system.App, "crawl"))
}
