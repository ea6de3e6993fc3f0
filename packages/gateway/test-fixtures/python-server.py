"""An MCP server of Python's standard library alone: over its standard streams, or with --http over HTTP.

It shows that servers need no code of ours, and of no JavaScript either. `--wait SECONDS` starts slowly,
`--say TEXT` writes a line to stdout that is no message, `--sign-in` answers HTTP 401.
"""

import argparse
import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HTML = """<!doctype html><title>Python</title><p>Hello from Python</p><script>
const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
addEventListener('message', ({ data }) => {
  if (data && data.id === 1 && data.result) send({ method: 'ui/notifications/initialized', params: {} });
});
send({ id: 1, method: 'ui/initialize', params: {
  protocolVersion: '2026-01-26', appInfo: { name: 'python', version: '1.0.0' }, appCapabilities: {} } });
</script>"""

APP = "ui://python/hello.html"

TOOL = {
    "name": "hello",
    "description": "Says hello",
    "inputSchema": {"type": "object", "properties": {"who": {"type": "string"}}},
    "annotations": {"readOnlyHint": True},
    "_meta": {"ui": {"resourceUri": APP}},
}


def answer(method, params):
    """The result of a request, or None for a method that is not known."""
    if method == "initialize":
        return {
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}, "resources": {}},
            "serverInfo": {"name": "python-server", "version": "1.0.0"},
        }
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": [TOOL]}
    if method == "tools/call":
        who = (params.get("arguments") or {}).get("who", "you")
        return {"content": [{"type": "text", "text": f"Hello {who}"}]}
    if method == "resources/list":
        return {"resources": [{"uri": APP, "name": "hello", "mimeType": "text/html;profile=mcp-app"}]}
    if method == "resources/templates/list":
        return {"resourceTemplates": []}
    if method == "resources/read":
        return {"contents": [{"uri": APP, "mimeType": "text/html;profile=mcp-app", "text": HTML}]}
    return None


def reply(message):
    """The whole answer to a message; None for a notification."""
    if "id" not in message or "method" not in message:
        return None
    result = answer(message["method"], message.get("params") or {})
    head = {"jsonrpc": "2.0", "id": message["id"]}
    if result is None:
        return {**head, "error": {"code": -32601, "message": "Method not found"}}
    return {**head, "result": result}


def serve_streams():
    for line in sys.stdin:
        sent = reply(json.loads(line))
        if sent is not None:
            print(json.dumps(sent), flush=True)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    sign_in = False

    def log_message(self, *args):
        pass

    def send(self, status, body=b"", headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.send(405)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        if self.sign_in:
            self.send(401, headers=[("WWW-Authenticate", 'Bearer realm="python"')])
            return
        sent = reply(json.loads(body))
        if sent is None:
            self.send(202)
            return
        self.send(200, json.dumps(sent).encode(), [("Content-Type", "application/json")])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--http", action="store_true")
    parser.add_argument("--sign-in", action="store_true")
    parser.add_argument("--wait", type=float, default=0)
    parser.add_argument("--say")
    options = parser.parse_args()
    time.sleep(options.wait)
    if options.say:
        print(options.say, flush=True)
    if not options.http:
        serve_streams()
        return
    Handler.sign_in = options.sign_in
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()


main()
