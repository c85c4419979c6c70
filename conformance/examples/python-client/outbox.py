"""Intentions that survive the process: a file for each write of unknown outcome."""

import json
import os
import pathlib
import time

from failures import Failure


class Outbox:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def add(self, handle):
        """Stores an intention durably. The file name begins with the time, so that intentions are finished in order."""
        path = self.folder / f"{time.time_ns():020}-{handle['key']}.json"
        unfinished = path.with_suffix(".part")
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(handle, file)
            file.flush()
            os.fsync(file.fileno())
        os.rename(unfinished, path)
        self.flush_folder()
        return path

    def settle(self, path):
        path.unlink(missing_ok=True)
        self.flush_folder()

    def flush_folder(self):
        descriptor = os.open(self.folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def keep_while_unknown(self, path, perform):
        """Performs the write stored at this path, and removes the file once the outcome is known."""
        try:
            result = perform()
        except Failure as failure:
            if failure.details["kind"] != "unknown":
                self.settle(path)
            raise
        self.settle(path)
        return result

    def recover(self, replay):
        """Finishes the writes of earlier processes, oldest first. Returns the number of known outcomes; other files stay."""
        settled = 0
        for path in sorted(self.folder.glob("*.json")):
            handle = json.loads(path.read_text(encoding="utf-8"))
            try:
                self.keep_while_unknown(path, lambda: replay(handle))
            except Failure as failure:
                if failure.details["kind"] == "unknown":
                    continue
            settled += 1
        return settled
