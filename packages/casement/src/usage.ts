/** The help text, as it is printed by --help. */
export const usage = `Casement shows MCP Apps as real hosts would.

Usage
  casement [options]                      show the bundled weather example
  casement [options] https://host/mcp     connect to a server by its address
  casement [options] [--] command args…   start a server and speak to it over its standard streams
  casement forget [--list] [--yes]        say what is stored on this machine and delete it after a yes

Options
  --config FILE   show the servers of an mcp.json (the forms of Claude, Cursor and VS Code); each starts when you have
                  agreed to it in the page, and again when its entry changes; the file is followed
  --trust-config  agree to all that the file says now, unseen (for programs and CI); what it says later is asked about
  --port N        port of the page; the sandbox takes the next one; 0 takes free ports (default 6270)
  --run TOOL      run this tool of the first server at once and show its app
  --args JSON     the arguments to run it with (default {})
  --model-url URL talk to a model of this OpenAI-compatible server (Ollama, LM Studio, llama.cpp, vLLM …)
  --model NAME    its name there; without --model-url, a model of OpenAI or Anthropic
  --env NAME      hand this variable to the server's command, even if it is a key of a model; may be repeated
  --watch         when a file of the server is saved, start it anew and show its app anew, with its last call
  --watch=PATH    the same, and watch this file or folder besides; may be repeated
  --no-open       do not open a browser
  --json          print one line of JSON when ready: url, token, sandboxOrigin, servers (for programs: it holds the token)
  --help, -h      print this
  --version, -v   print the version

Environment
  OPENAI_API_KEY, ANTHROPIC_API_KEY   offer the models of these providers
  CASEMENT_MODEL_KEY                  the key for --model-url, if it wants one
  HTTPS_PROXY, HTTP_PROXY, NO_PROXY   how servers and models elsewhere are reached; this machine itself never by a proxy
  NODE_EXTRA_CA_CERTS                 a file with certificates of your own authorities
Keys stay in this process: neither the page nor a server sees them. A server that needs one gets it by --env, or by "env"
in its config file. Without any model the page has one that needs no key.

Options end where the command begins; everything after it belongs to the command.
Servers that you add in the page are kept in your config folder and are there at the next start.
A server named here, or the only server of a config file, must connect, or casement ends with code 2; one that waits for
your yes does not count.
A server that is not ready after a second is waited for in the page: the link is printed and the page opened, where its start
can be watched and cancelled. If it fails then, casement goes on as long as a page is open, or was opened by it.
--json waits until every server is ready or failed.
With several servers in a config file, those that fail are shown as failed and can be restarted from the page.
The link in the terminal works once, for ten minutes; opening it again prints a new one there.
Code 2 means that casement could not start; the reason is one sentence on stderr.
`;
