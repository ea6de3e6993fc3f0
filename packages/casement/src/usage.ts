/** The help text, as it is printed by --help. */
export const usage = `Casement shows MCP Apps as real hosts would.

Usage
  casement [options]                      show the bundled weather example
  casement [options] https://host/mcp     connect to a server by its address
  casement [options] [--] command args…   start a server and speak to it over its standard streams

Options
  --config FILE   connect to the servers of an mcp.json (the forms of Claude, Cursor and VS Code)
  --port N        port of the page; the sandbox takes the next one; 0 takes free ports (default 6270)
  --run TOOL      run this tool of the first server at once and show its app
  --args JSON     the arguments to run it with (default {})
  --no-open       do not open a browser
  --json          print one line of JSON when ready: url, token, sandboxOrigin, servers
  --help, -h      print this
  --version, -v   print the version

Options end where the command begins; everything after it belongs to the command.
A server named here, or the only server of a config file, must connect, or casement ends with code 2.
With several servers in a config file, those that fail are shown as failed and can be restarted from the page.
Code 2 means that casement could not start; the reason is one sentence on stderr.
`;
