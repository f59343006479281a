import { existsSync, readFileSync } from 'node:fs';

import { afterAll } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Seconds of processor time that a file took: in the worker, and in processes that it started and waited for. */
    cpu?: { readonly own: number; readonly children: number };
  }
}

const before = processorTime();

// oxlint-disable-next-line no-empty-pattern -- the first parameter of a hook must be a pattern
afterAll(({}, file) => {
  const after = processorTime();
  file.file.meta.cpu = { own: after.own - before.own, children: after.children - before.children };
});

/** Processor time of this process in seconds; that of its children only where the system tells it (Linux). */
function processorTime(): { readonly own: number; readonly children: number } {
  const { user, system } = process.cpuUsage();
  return { own: (user + system) / 1e6, children: childrenTime() };
}

function childrenTime(): number {
  if (!existsSync('/proc/self/stat')) return 0;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // cutime and cstime, in ticks of 10 ms.
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
