"""Runs a program and writes what it took as JSON: wall time in milliseconds, processor time in microseconds, peak memory in KiB."""
import json
import os
import sys
import time

report, program, *arguments = sys.argv[1:]
started = time.monotonic()
child = os.posix_spawnp(program, [program, *arguments], os.environ)
_, status, usage = os.wait4(child, 0)
taken = (time.monotonic() - started) * 1000
with open(report, "w") as file:
    json.dump({"ms": taken, "userCPUTime": usage.ru_utime * 1e6, "systemCPUTime": usage.ru_stime * 1e6, "maxRSS": usage.ru_maxrss}, file)
sys.exit(os.waitstatus_to_exitcode(status))
