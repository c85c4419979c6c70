"""An `http` assistant for the Conversation Gateway, with the standard library alone (Python 3.9 or later).

    ASSISTANT_SECRET=whsec_… PORT=8000 python3 assistant.py

The gateway posts each run once. Write your assistant at the end of this file: a generator that yields steps.
"""

import hashlib
import hmac
import json
import os
import time
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# During a rotation of the secret, list both: the old one, a comma, the new one.
SECRETS = os.environ["ASSISTANT_SECRET"].split(",")
TOLERANCE_SECONDS = 300
MOST_BYTES = 4 * 1024 * 1024


def is_signed(headers, body):
    """Whether the gateway has signed this body, with a time at most 300 seconds from now."""
    run_id, sent = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not sent.isdecimal() or abs(time.time() - int(sent)) > TOLERANCE_SECONDS:
        return False
    signed = f"{run_id}.{sent}.".encode() + body
    signature = headers.get("webhook-signature", "").encode()
    return any(
        hmac.compare_digest(b"v1," + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest().encode(), signature)
        for secret in SECRETS
    )


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        length = self.headers.get("content-length", "")
        if not length.isdecimal() or int(length) > MOST_BYTES:
            return self.send_error(413)
        body = self.rfile.read(int(length))
        if not is_signed(self.headers, body):
            return self.send_error(401)
        self.send_response(200)
        self.send_header("content-type", "application/x-ndjson")
        self.end_headers()
        steps = assistant(json.loads(body))
        try:
            for step in steps:
                self.send(step)
                if "approval" in step or "end" in step:
                    return
            self.send({"end": {"state": "succeeded"}})
        except (BrokenPipeError, ConnectionResetError):
            steps.close()  # The gateway has closed the connection: the run was stopped.
        except Exception:  # The answer stops without an end, so the run fails and is retryable.
            traceback.print_exc()

    def send(self, step):
        self.wfile.write(json.dumps(step).encode() + b"\n")
        self.wfile.flush()


def assistant(run):
    """Replace this with your agent. `run` is the body of `executeRun`; `run["context"]` has the previous messages."""
    text = run["input"]["text"] or ""
    if "resume" in run:  # The decision of an approval, with the state that was sent with its request.
        yield {"delta": f"{run['resume']['state']['what']}: {run['resume']['decision']}"}
    elif text.startswith("refund"):
        yield {"approval": f"May I {text}?", "state": {"what": text}}
    else:
        for word in f"You said: {text}".split(" "):
            yield {"delta": word + " "}


if __name__ == "__main__":
    server = ThreadingHTTPServer((os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "8000"))), Handler)
    print(f"listening on port {server.server_port}", flush=True)
    server.serve_forever()
