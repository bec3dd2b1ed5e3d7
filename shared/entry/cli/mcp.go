package cli

import (
	"context"

	"github.com/spf13/cobra"

	"wstk/shared/app"
	"wstk/shared/wstk"
)

func (c *command) mcp() *cobra.Command {
	return &cobra.Command{
		Use: "mcp", Short: "Serve agents over MCP on standard input and output",
		Long: `Serves the tools search, fetch, read, ask, gap, ingest and verify to the host that starts
it, over the Model Context Protocol on standard input and output, until its input ends.
docs/mcp.md says how hosts are told of it. Only messages of the protocol go to standard
output; warnings go to standard error.

A crawl that goes on when the host ends the process stays open. The next ingest of its site
continues it. To serve several clients over HTTP, use wstk serve, which answers at /mcp.`,
		Example: `  claude mcp add wstk -- wstk mcp
  echo '{"jsonrpc":"2.0","id":1,"method":"ping"}' | wstk mcp`,
		Args: cobra.NoArgs,
		RunE: c.with(c.env.Open, endless, func(ctx context.Context, a *app.App, _ []string) reply {
			if c.json || c.plain {
				return reply{err: wstk.Errorf(wstk.Invalid, "",
					"wstk mcp has an output of its own: messages of the protocol").
					Try(wstk.Advice("leave out --json, --pretty and --plain"))}
			}
			return reply{err: c.env.MCP(ctx, a, c.env.Stdin, c.env.Stdout)}
		}),
	}
}
