#!/usr/bin/env python3
"""The client of this folder behind the adapter protocol of the conformance suite: `python3 adapter.py`."""

import json
import sys
import threading
import time

from client import RUN_ENDS, Client, quote
from failures import Failure
from webhooks import send_webhook


class Stopping(threading.Event):
    """Set when the client must give up the command."""

    def __init__(self):
        super().__init__()
        self.callback = lambda: None

    def on_stop(self, callback):
        self.callback = callback
        if self.is_set():
            callback()

    def stop(self):
        self.set()
        self.callback()


def conversation(args):
    return f"/conversations/{quote(args['conversation_id'])}"


def run(args):
    return f"/runs/{quote(args['run_id'])}"


def members(args, *names):
    return {name: args[name] for name in names if name in args}


class Commands:
    """Each method implements the command of the protocol with the same name."""

    def __init__(self, client):
        self.client = client

    def create_conversation(self, args, *_):
        return self.client.write("/conversations", 201, members(args, "endpoint_id", "conversation_key"))

    def list_conversations(self, args, *_):
        last = lambda page: page[-1]["conversation_id"]
        query = members(args, "endpoint_id", "limit")
        return {"conversations": list(self.client.pages("/conversations", "conversations", last, **query))}

    def read_conversation(self, args, *_):
        return self.client.read(conversation(args))

    def send_message(self, args, *_):
        body = members(args, "expected_generation", "input", "start_before")
        return self.client.write(f"{conversation(args)}/messages", 202, body)

    def read_run(self, args, *_):
        return self.client.run(args["run_id"])

    def read_history(self, args, *_):
        return {"messages": list(self.client.history(args["conversation_id"], **members(args, "limit")))}

    def watch_conversation(self, args, stopping, item):
        for event in self.client.events(f"{conversation(args)}/events", args.get("after"), stopping):
            item({"event": event})

    def watch_run(self, args, stopping, item):
        for event in self.client.run_events(args["run_id"], args.get("after"), stopping):
            item({"event": event})
        return {}

    def follow_conversation(self, args, stopping, item):
        for view in self.client.follow(args["conversation_id"], stopping):
            item(view.describe())

    def cancel_run(self, args, *_):
        return self.client.write(f"{run(args)}/cancel", 202, {})

    def reset_conversation(self, args, *_):
        return self.client.write(f"{conversation(args)}/reset", 202, members(args, "expected_generation"))

    def read_operation(self, args, *_):
        return self.client.read(f"/operations/{quote(args['operation_id'])}")

    def create_run(self, args, *_):
        path = f"/agent-endpoints/{quote(args['endpoint_id'])}/runs"
        return self.client.write(path, 202, members(args, "input", "conversation_key"))

    def delete_resource(self, args, *_):
        return self.client.delete_resource(args["resource_id"])

    def wait_run(self, args, *_):
        return self.poll(run(args), lambda record: record["state"] in RUN_ENDS)

    def wait_operation(self, args, *_):
        path = f"/operations/{quote(args['operation_id'])}"
        return self.poll(path, lambda record: record["state"] in ("succeeded", "failed"))

    def poll(self, path, is_done):
        gap = 0.05
        while True:
            record = self.client.read(path)
            if is_done(record):
                return record
            time.sleep(gap)
            gap = min(gap * 2, 5)

    def complete_message(self, args, *_):
        return self.wait_run(self.send_message(args))

    def complete_cancel(self, args, *_):
        operation = self.wait_operation(self.cancel_run(args))
        return {"operation": operation, "run": self.read_run(args)}

    def complete_reset(self, args, *_):
        operation = self.wait_operation(self.reset_conversation(args))
        return {"operation": operation, "generation": operation["ref"]["generation"]}

    def read_results(self, args, *_):
        runs = [each for each in self.read_conversation(args)["runs"] if each["result_available"]]
        return {"results": {each["run_id"]: each["result"] or self.read_run(each)["result"] for each in runs}}

    def reply_text(self, args, stopping, item):
        admission, streamed = self.send_message(args), set()
        for event in self.client.run_events(admission["run_id"], admission["event_cursor"], stopping):
            if event["type"] == "assistant.delta":
                streamed.add(event["message_id"])
                item({"text": event["payload"]["text"]})
            elif event["type"] == "assistant.message" and event["message_id"] not in streamed:
                item({"text": event["payload"]["message"]["content"].get("text", "")})
        return {}

    def replay(self, args, *_):
        return self.client.replay(args["handle"])

    def recover(self, *_):
        return {"settled": self.client.recover()}

    def send_webhook(self, args, *_):
        return send_webhook(self.client.transport, args["url"], args["secret"], args["event_id"], args["body"])


COMMANDS = [name for name in vars(Commands) if not name.startswith("_") and name != "poll"]


class Adapter:
    def __init__(self):
        self.lock = threading.Lock()
        self.under_way = {}
        self.commands = None

    def write(self, line):
        with self.lock:
            sys.stdout.write(json.dumps(line) + "\n")
            sys.stdout.flush()

    def perform(self, line, stopping):
        if line["do"] == "open":
            self.commands = Commands(Client(**line["with"]))
            return {}
        if line["do"] not in COMMANDS:
            raise Failure("invalid", f"there is no command {line['do']}")
        return getattr(self.commands, line["do"])(line["with"], stopping, lambda item: self.write({"id": line["id"], "item": item}))

    def answer(self, line, stopping):
        try:
            self.write({"id": line["id"], "result": self.perform(line, stopping)})
        except Failure as failure:
            self.write({"id": line["id"], "error": failure.details})
        except Exception as error:
            self.write({"id": line["id"], "error": {"kind": "failed", "message": repr(error)}})

    def serve(self):
        self.write({"hello": {"protocol": 1, "name": "the client in Python", "abilities": [*COMMANDS, "outbox", "activities"]}})
        for text in sys.stdin.buffer:
            line = json.loads(text)
            if line["do"] == "stop":
                self.under_way[line["with"]["id"]].stop()
            else:
                stopping = self.under_way[line["id"]] = Stopping()
                threading.Thread(target=self.answer, args=(line, stopping), daemon=True).start()


if __name__ == "__main__":
    Adapter().serve()
