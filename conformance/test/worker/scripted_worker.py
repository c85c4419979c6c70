"""The Python worker of the examples with an assistant that follows the scripts of the suite."""

import importlib.util
import os
import pathlib
import signal
import time

PATH = pathlib.Path(__file__).parents[3] / "examples" / "python-worker" / "worker.py"
spec = importlib.util.spec_from_file_location("worker", PATH)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)


def assistant(run):
    data = run.record["input"]["data"] or {}
    for step in data.get("script", []):
        if "delta" in step or "message" in step:
            yield step
        elif "approval" in step:
            if (yield step) == "denied":
                return module.failed("DENIED", "It was denied.")
        elif "sleep_ms" in step or "hang" in step:
            until = time.monotonic() + step.get("sleep_ms", 3_600_000) / 1000
            while time.monotonic() < until and not run.reason and not run.lost.is_set():
                time.sleep(0.02)
        elif "fail" in step:
            return {"state": "failed", "error": step["fail"]}
        else:
            raise RuntimeError("The script says so.")


worker = module.Worker(
    os.environ["GATEWAY_BASE_URL"],
    os.environ["GATEWAY_DEVICE_KEY"],
    {os.environ["SERVICES"]: assistant},
    slots=2,
)
signal.signal(signal.SIGTERM, lambda *_: worker.stopping.set())
worker.run()
