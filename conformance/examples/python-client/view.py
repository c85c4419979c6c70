"""The state of a conversation after a snapshot and the following events."""

RUN_EVENTS = (
    "run.started", "run.updated", "run.completed", "run.failed", "run.cancelled", "run.interrupted", "run.expired",
)


class View:
    def __init__(self, snapshot):
        self.generation, self.position = snapshot["generation"], snapshot["watermark"]
        # Both keep the order in which their IDs arrived.
        self.messages = {each["message_id"]: each["content"] for each in snapshot["messages"]}
        self.runs = {each["run_id"]: each["state"] for each in snapshot["runs"]}

    def lacks_input_of(self, event):
        """Whether the event is the first of a run whose message must be read from the history, because no event contains it."""
        is_known = event["run_id"] in self.runs or event["message_id"] in self.messages
        return event["type"] in RUN_EVENTS and not is_known

    def apply(self, event, message=None):
        """Applies one event after the position. An unknown type only advances the position."""
        kind, payload = event["type"], event["payload"]
        if message is not None:
            self.messages[message["message_id"]] = message["content"]
        if kind == "assistant.delta":
            self.add_delta(event["message_id"], payload)
        elif kind == "assistant.activity":
            self.change_activity(event["message_id"], payload["activity"])
        elif kind == "assistant.message":
            self.messages[event["message_id"]] = payload["message"]["content"]
        elif kind == "conversation.reset":
            self.generation = payload["generation"]
        elif kind in RUN_EVENTS:
            self.runs[event["run_id"]] = payload["state"]
        self.position = event["seq"]

    def add_delta(self, message_id, payload):
        """Appends a piece to its message, unless the message is complete or its first pieces are missing."""
        message = self.messages.get(message_id)
        if message is None and payload["index"] == 0:
            message = {"text": "", "partial": True}
        if message is not None and message.get("partial"):
            self.messages[message_id] = {**message, "text": message["text"] + payload["text"]}

    def change_activity(self, message_id, change):
        """Replaces the members in a change; `text_delta` appends. Ignores an activity without a known kind and name."""
        message = self.messages.get(message_id, {"text": "", "partial": True})
        activities = {each["activity_id"]: each for each in message.get("activities", [])}
        before = activities.get(change["activity_id"], {"state": "running"})
        changed = {**before, **{name: value for name, value in change.items() if name != "text_delta"}}
        if "text_delta" in change:
            changed["text"] = before.get("text", "") + change["text_delta"]
        if message.get("partial") and "kind" in changed and "name" in changed:
            activities[change["activity_id"]] = changed
            self.messages[message_id] = {**message, "activities": list(activities.values())}

    def describe(self):
        return {
            "generation": self.generation,
            "position": self.position,
            "messages": [describe_message(each, content) for each, content in self.messages.items()],
            "runs": [{"run_id": each, "state": state} for each, state in self.runs.items()],
        }


def describe_message(message_id, content):
    shown = {"activities": content["activities"]} if "activities" in content else {}
    return {"message_id": message_id, "text": content.get("text", ""), **shown}
