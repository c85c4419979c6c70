"""A worker for the Conversation Gateway in one file, with the standard library alone (Python 3.9 or later).

    GATEWAY_BASE_URL=http://127.0.0.1:8787 GATEWAY_DEVICE_KEY=gd_… python3 worker.py

It executes the runs of one device. Write your assistant at the end of this file: a generator that yields steps.
"""

import http.client
import json
import logging
import os
import signal
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

log = logging.getLogger("worker")


class RunLost(Exception):
    """This worker has lost the run, and must send nothing more about it."""


class Refused(Exception):
    """The gateway refuses a request, and a retry would not help."""

    def __init__(self, status, code, detail):
        super().__init__(f"{status} {code}: {detail}")
        self.status, self.code = status, code


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would send the key to another server."""
    redirect_request = staticmethod(lambda *_: None)


class Worker:
    """Serves a device until `stopping` is set; executing runs may then continue for `drain_seconds`."""

    def __init__(self, url, key, assistants, slots=4, name="python", drain_seconds=20):
        self.url, self.key, self.assistants = url.rstrip("/"), key, assistants
        self.slots, self.name, self.drain_seconds = slots, name, drain_seconds
        self.stopping = threading.Event()

    def run(self):
        while not self.stopping.is_set():
            sent = time.monotonic()
            try:
                opened = self.send("POST", "/worker/v1/sessions", {"name": self.name, "slots": self.slots})
            except OSError as error:
                log.warning("the gateway does not answer: %s", error)
                self.stopping.wait(1)
                continue
            Session(self, opened, sent).serve()

    def send(self, method, path, body=None, timeout=30):
        """Sends once. Raises OSError if there is no answer or a retry may succeed, and Refused otherwise."""
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        data = json.dumps(body).encode() if body else None
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.build_opener(NoRedirects).open(request, timeout=timeout) as response:
                return None if response.status == 204 else json.loads(response.read())
        except urllib.error.HTTPError as error:
            if error.code == 429 or error.code >= 500:
                raise OSError(f"status {error.code}") from None
            problem = json.loads(error.read()) if error.headers.get_content_subtype() == "problem+json" else {}
            raise Refused(error.code, problem.get("code", ""), problem.get("detail", "")) from None
        except (ValueError, http.client.HTTPException) as error:
            raise OSError(f"the answer was cut: {error!r}") from None


class Session:
    def __init__(self, worker, opened, sent):
        self.worker = worker
        self.path = f"/worker/v1/sessions/{opened['session_id']}"
        self.id, self.lease = opened["session_id"], opened["lease_ms"] / 1000
        # Counted from when the last answered heartbeat was sent, so that the gateway's lease never ends first.
        self.lease_end = sent + self.lease
        self.over, self.lock, self.runs = threading.Event(), threading.Lock(), {}

    def holds(self):
        return not self.over.is_set() and time.monotonic() < self.lease_end

    def serve(self):
        log.info("session %s is open", self.id)
        threads = [threading.Thread(target=self.beat, daemon=True), threading.Thread(target=self.claim, daemon=True)]
        for thread in threads:
            thread.start()
        while self.holds() and not self.worker.stopping.is_set():
            self.over.wait(0.1)
        if self.worker.stopping.is_set():
            self.take(0)  # A new claim ends the wait of the pending one.
            threads[1].join(self.lease)
            self.drain()
        self.over.set()
        for run in self.held():
            run.lose()
        for thread in threads:
            thread.join()

    def drain(self):
        for seconds in (self.worker.drain_seconds, 5):
            deadline = time.monotonic() + seconds
            while self.held() and self.holds() and time.monotonic() < deadline:
                time.sleep(0.05)
            for run in self.held():
                run.stop("interrupted")
        try:
            self.worker.send("DELETE", self.path)
        except (OSError, Refused) as error:
            log.warning("the session could not be closed: %s", error)

    def held(self):
        with self.lock:
            return list(self.runs.values())

    def beat(self):
        """Renews the lease in a separate thread. Retries a failed heartbeat until the lease ends."""
        while self.holds():
            held, wait, sent = self.held(), min(self.lease / 3, 0.5), time.monotonic()
            body = {"runs": [run.describe() for run in held], "wait_ms": int(wait * 1000)}
            try:
                news = self.worker.send("POST", self.path + "/heartbeats", body, timeout=wait + self.lease)
            except Refused as refused:
                return self.refused(refused)
            except OSError as error:
                log.warning("a heartbeat failed: %s", error)
                self.over.wait(self.lease / 10)
                continue
            self.lease_end = max(self.lease_end, sent + self.lease)
            by_id = {run.id: run for run in held}
            for order in news["stop"]:
                by_id[order["run_id"]].stop("cancelled")
            for run_id in news["lost"]:
                # If the run's end was sent during this heartbeat, the run has ended and is not lost.
                if not by_id[run_id].ending:
                    by_id[run_id].lose()
            for decision in news["decisions"]:
                by_id[decision["run_id"]].decide(decision["approval_id"], decision["decision"])

    def claim(self):
        """Claims runs. The gateway repeats a run that a claim does not list, because an earlier answer was lost."""
        while self.holds() and not self.worker.stopping.is_set():
            free = self.worker.slots - sum(run.approval is None for run in self.held())
            if free > 0:
                self.take(free)
            else:
                self.over.wait(0.05)

    def take(self, limit):
        body = {"limit": limit, "wait_ms": 1000, "runs": [run.id for run in self.held()]}
        try:
            claimed = self.worker.send("POST", self.path + "/claims", body)
        except Refused as refused:
            return self.refused(refused)
        except OSError as error:
            log.warning("a claim failed: %s", error)
            return self.over.wait(0.5)
        for run in (Run(self, record) for record in claimed["runs"]):
            with self.lock:
                if self.holds() and self.runs.setdefault(run.id, run) is run:
                    threading.Thread(target=run.execute, daemon=True).start()

    def refused(self, refused):
        log.error("the session is over: %s", refused)
        if refused.status == 401:
            self.worker.stopping.set()
        self.over.set()


class Run:
    """A claimed run. `record` is the run as the gateway sent it: input, subject, conversation_id, assistant …"""

    def __init__(self, session, record):
        self.session, self.record, self.id, self.index = session, record, record["run_id"], 0
        self.reason = self.approval = self.decision = None
        self.ending, self.lost, self.wake = False, threading.Event(), threading.Event()

    def describe(self):
        approval = {} if self.approval is None else {"approval_id": self.approval}
        return {"run_id": self.id, **approval, **({"stopping": True} if self.reason else {})}

    def stop(self, reason):
        self.reason = self.reason or reason
        self.wake.set()

    def decide(self, approval, decision):
        self.decision = decision if approval == self.approval else None
        self.wake.set()

    def lose(self):
        self.lost.set()
        self.wake.set()

    def call(self, path, body):
        """Retries until there is an answer. The gateway accepts each step once, even if it is sent again."""
        body, pause = {"session_id": self.session.id, **body}, 0.1
        while True:
            if self.lost.is_set() or not self.session.holds():
                raise RunLost(self.id)
            try:
                answer = self.session.worker.send("POST", f"/worker/v1/runs/{self.id}/{path}", body)
                if {"steps": "index", "end": "state"}[path] in answer:
                    return answer
            except Refused as refused:
                if refused.code == "RUN_LOST" or refused.status in (401, 404):
                    raise RunLost(self.id) from None
                raise
            except OSError as error:
                log.warning("%s of %s failed: %s", path, self.id, error)
            self.lost.wait(pause)
            pause = min(pause * 2, 2)

    def context(self):
        """The previous messages of this generation, oldest first."""
        query = urllib.parse.urlencode({"session_id": self.session.id})
        return self.session.worker.send("GET", f"/worker/v1/runs/{self.id}/context?{query}")["messages"]

    def perform(self, step):
        taken = self.call("steps", {"index": self.index, "steps": [step]})
        self.index = taken["index"]
        if taken["stop"]:
            self.stop("cancelled")
        self.approval = taken["approval_id"]
        while self.approval and self.decision is None and not self.reason and not self.lost.is_set():
            self.wake.wait(1)
            self.wake.clear()
        decision, self.approval, self.decision = self.decision, None, None
        return decision

    def execute(self):
        try:
            end = self.outcome()
            self.ending = True
            self.call("end", {"index": self.index, "end": end})
        except RunLost:
            log.warning("%s is lost", self.id)
        except Refused as refused:
            log.error("%s is given up: %s", self.id, refused)
        finally:
            with self.session.lock:
                self.session.runs.pop(self.id, None)

    def outcome(self):
        try:
            return self.drive()
        except RunLost:
            raise
        except Exception:
            log.exception("the assistant failed in %s", self.id)
            return {"state": self.reason} if self.reason else failed("ASSISTANT_ERROR", "The assistant failed.")

    def drive(self):
        assistant = self.session.worker.assistants.get(self.record["endpoint_id"])
        if assistant is None:
            return failed("ASSISTANT_MISSING", f"The worker has no assistant for {self.record['endpoint_id']}.")
        steps, reply = assistant(self), None
        try:
            while not self.reason:
                if self.lost.is_set():
                    raise RunLost(self.id)
                try:
                    step = steps.send(reply)
                except StopIteration as stop:
                    return stop.value or ({"state": self.reason} if self.reason else {"state": "succeeded"})
                if "end" in step:
                    return step["end"]
                if not self.reason:
                    reply = self.perform(step)
        finally:
            steps.close()
        return {"state": self.reason}


def failed(code, message, retryable=False):
    return {"state": "failed", "error": {"code": code, "message": message, "retryable": retryable}}


def assistant(run):
    """Replace this with your assistant. A step is a dict with one member: delta, message, activity, approval or end."""
    text = run.record["input"]["text"] or ""
    if text.startswith("refund"):
        decision = yield {"approval": "Refund the order?"}
        if decision != "approved":
            return failed("NO_REFUND", "The refund was denied.")
    for word in f"You said: {text}".split():
        yield {"delta": word + " "}
        time.sleep(float(os.environ.get("WORD_SECONDS", "0")))


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    assistants = {service: assistant for service in os.environ.get("SERVICES", "ep_orders").split(",")}
    worker = Worker(os.environ.get("GATEWAY_BASE_URL", "http://127.0.0.1:8787"), os.environ["GATEWAY_DEVICE_KEY"], assistants)
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: worker.stopping.set())
    worker.run()
