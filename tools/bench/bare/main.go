// Command bare is the smallest possible function: the start of the others is compared with its
// own.
package main

import "github.com/aws/aws-lambda-go/lambda"

func main() { lambda.Start(func() {}) }
