"""The gateway's time: every deadline, window and retention is measured by it, and a test can move it forward."""
import asyncio
import heapq
import itertools
import time
from datetime import datetime, timezone


class Clock:
    def __init__(self):
        self._offset_ms = 0
        self._timers = []
        self._order = itertools.count()
        self._changed = asyncio.Event()

    def now_ms(self):
        return int(time.time() * 1000) + self._offset_ms

    def move(self, milliseconds):
        self._offset_ms += milliseconds
        self._changed.set()

    def at(self, when_ms, call, *args):
        """Makes the call when the clock reaches this time."""
        heapq.heappush(self._timers, (when_ms, next(self._order), call, args))
        self._changed.set()

    async def sleep(self, milliseconds):
        over = asyncio.Event()
        self.at(self.now_ms() + milliseconds, over.set)
        await over.wait()

    async def run(self):
        while True:
            while self._timers and self._timers[0][0] <= self.now_ms():
                _, _, call, args = heapq.heappop(self._timers)
                call(*args)
            self._changed.clear()
            wait_s = (self._timers[0][0] - self.now_ms()) / 1000 if self._timers else None
            try:
                await asyncio.wait_for(self._changed.wait(), None if wait_s is None else max(wait_s, 0))
            except TimeoutError:
                pass


def to_timestamp(ms):
    """UTC, ISO 8601, with exactly three decimals."""
    return datetime.fromtimestamp(ms / 1000, timezone.utc).strftime('%Y-%m-%dT%H:%M:%S.') + f'{ms % 1000:03}Z'
