// Command answer runs the task answer of the state machines.
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
	lambda.Start(event.Task(system.App, "answer"))
}
