"""A small site on loopback: the pages of a folder, a download, and redirects to wherever a test says."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PAGES = Path(__file__).resolve().parents[1] / "hostile" / "pages"
RECEIPT = b"receipt\n" * 100


class Site(http.server.ThreadingHTTPServer):
    """Serves `PAGES` on any free port of loopback.

    Attributes:
        away: where `/away` redirects to.
        asked: every path that was asked for, with the host name it was asked of.
        released: until this is set, `/late` does not answer.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.away = ""
        self.asked: list[str] = []
        self.released = threading.Event()
        self.gone = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Answers(http.server.BaseHTTPRequestHandler):
    server: Site

    def log_message(self, *_: object) -> None:
        return

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        self.server.asked.append(f"{self.headers.get('Host', '').partition(':')[0]}{path}")
        if path == "/away":
            self._send(302, b"", Location=self.server.away)
        elif path == "/late":
            self.server.released.wait(60)
        elif path == "/nothing":
            self._send(204, b"")
        elif path == "/download":
            self._send(200, RECEIPT, **{"Content-Disposition": 'attachment; filename="../receipt.txt"'})
        elif path == "/broken-download":
            self.send_response(200)
            self.send_header("Content-Disposition", 'attachment; filename="broken.bin"')
            self.send_header("Content-Length", str(len(RECEIPT) * 100))
            self.end_headers()
            self.wfile.write(RECEIPT)
        elif path == "/endless-download":
            self._flood()
        elif (found := PAGES / path.lstrip("/")).is_file() and found.parent == PAGES:
            kind = "javascript" if found.suffix == ".js" else "html"
            self._send(200, found.read_bytes(), **{"Content-Type": f"text/{kind}; charset=utf-8"})
        else:
            self._send(404, b"nothing here")

    do_POST = do_GET  # noqa: N815

    def _flood(self) -> None:
        """A file without a length or an end, until nobody reads it any more."""
        self.send_response(200)
        self.send_header("Content-Disposition", 'attachment; filename="endless.bin"')
        self.end_headers()
        with suppress(OSError):
            while not self.server.released.is_set():
                self.wfile.write(b"x" * 65_536)
        self.server.gone.set()

    def _send(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def site() -> Iterator[Site]:
    """A running site."""
    server = Site()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.released.set()
        server.shutdown()
        server.server_close()
        thread.join(5)


if __name__ == "__main__":
    with site() as running:
        print(running.url, flush=True)
        threading.Event().wait()
