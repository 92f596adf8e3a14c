"""A proxy that loses answers and kills the server behind it, so that clients have to send again."""
import contextlib
import http.client
import http.server
import threading

from service import Server


class Unreliable:
    """Between a client and a server in `folder`. Every `lose`-th answer is lost; at the requests of `kill` the server dies by SIGKILL,
    in turn after and before it took the request, and is started again."""

    def __init__(self, ofw, folder, lose=0, kill=()):
        self.start = lambda: Server(ofw, folder)
        self.server, self.lose, self.kill = self.start(), lose, kill
        self.requests = self.lost = self.kills = 0
        handler = type("Handler", (Handler,), {"owner": self})
        self.front = http.server.HTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self.front.server_address[1]}"
        threading.Thread(target=self.front.serve_forever, daemon=True).start()

    def restart(self):
        self.server.kill()
        self.server = self.start()
        self.kills += 1

    def answer(self, *request):
        """Status, type and body of the server's answer; None if it is lost."""
        self.requests += 1
        killed = self.requests in self.kill
        if killed and self.kills % 2:
            self.restart()
            return None
        upstream = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        with contextlib.closing(upstream):
            upstream.request(*request)
            got = upstream.getresponse()
            answer = got.status, got.getheader("Content-Type", "text/plain"), got.read()
        if killed:
            self.restart()
        if killed or (self.lose and self.requests % self.lose == 0):
            self.lost += 1
            return None
        return answer

    def close(self):
        self.front.shutdown()
        self.front.server_close()
        return self.server.end()


class Handler(http.server.BaseHTTPRequestHandler):
    """One request per connection, which is shut without a word if the answer is lost."""
    owner = None

    def pass_on(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))) or None
        answer = self.owner.answer(self.command, self.path, body, {"Content-Type": self.headers.get("Content-Type", "application/json")})
        if answer:
            status, kind, text = answer
            self.send_response(status)
            if text:
                self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

    do_GET = do_POST = do_DELETE = pass_on

    def log_message(self, *_):
        pass
