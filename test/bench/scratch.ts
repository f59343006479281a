import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';

const made = new Set<string>();

function clear(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  made.delete(folder);
}

// They hold gigabytes: also what an interrupt cuts short leaves nothing behind.
process.once('exit', () => [...made].forEach(clear));
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => process.exit(128 + constants.signals[signal]));

/** In memory where there is such a place: for figures that are about our own work, not the disk's. */
export const inMemory: string = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A folder of its own, removed at the end of this process; `remove` does it earlier. */
export function scratch(base = tmpdir()): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(base, 'svc-bench-'));
  made.add(folder);
  return { folder, remove: () => clear(folder) };
}
