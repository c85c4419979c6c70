"""Parses server-sent events from bytes as they arrive."""

import codecs
import re


def decode_frames():
    """Receives bytes and yields what they complete, as a list: a dict for an event, an int for `retry`, None for a comment."""
    decode = codecs.getincrementaldecoder("utf-8")().decode
    text, fields, found = "", {}, []
    while True:
        text += decode((yield found))
        found = []
        # A CR at the end may be the first half of a CRLF, so it waits for the next byte.
        while match := re.search(r"\r\n|\n|\r(?!$)", text):
            line, text = text[: match.start()], text[match.end() :]
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if line == "":
                if "data" in fields:
                    found.append(fields)
                fields = {}
            elif name == "":
                found.append(None)
            elif name == "data" and "data" in fields:
                fields["data"] += "\n" + value
            elif name == "retry" and value.isdigit():
                found.append(int(value))
            else:
                fields[name] = value
