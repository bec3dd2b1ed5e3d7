// Command bare is the smallest function there is: what the others' start is compared
// with.
package main

import "github.com/aws/aws-lambda-go/lambda"

func main() { lambda.Start(func() {}) }
