import { nodeHost } from '#runtime/hosts/node.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Host } from '#schemas/types/host.ts';
import type { CheckSummary } from '#schemas/types/tree-check.ts';
import { IntegrityMonitor as Monitor, type OnDrift } from '#stdlib/files/safety/integrity/integrity-monitor.ts';

import { default_manager } from './notify/manager.ts';

export type { CheckSummary };

/** Options of an integrity monitor: how often it checks, and who hears of drift. */
export interface IntegrityOptions {
  /** Seconds between checks; 60 by default. */
  readonly interval?: number;
  /** Called with the summary on drift, before anybody is notified. Its errors change nothing. */
  readonly on_drift?: OnDrift | null;
  /**
   * Sender of notifications; that of the process (`default_manager`) when left out. Where it rejects or no sink takes
   * it, the next check tells it again.
   */
  readonly manager?: Notifier | null;
  /** Treat extra files as drift. */
  readonly alert_on_extra?: boolean;
}

/** A `NotificationManager`, or anything that can send. */
export interface Notifier {
  notify(subject: string, body: string, level: 'error'): Promise<unknown>;
}

/** Compares a tree with its manifest at intervals, between `start` and `stop`. It keeps the process alive meanwhile. */
export class IntegrityMonitor implements AsyncDisposable {
  readonly #monitor: Monitor;

  /** `root`: the folder; `manifest_path`: what `FA_write_manifest` wrote. Nothing is read before the first check. */
  constructor(
    root: string,
    manifest_path: string,
    { interval = 60, on_drift, manager, alert_on_extra = false }: IntegrityOptions = {},
  ) {
    if (!(interval > 0))
      throw fail.argumentsUnfit({ command: 'IntegrityMonitor', reason: '"interval" must be more than 0' });
    this.#monitor = new Monitor(
      toolsOf(nodeHost(), manager ?? default_manager()),
      { root, manifest_path, interval, alert_on_extra },
      on_drift ?? undefined,
    );
  }

  /** The first check is made after one interval. Starting twice is harmless. */
  start(): void {
    this.#monitor.start();
  }

  /** Waits up to five seconds for a check that is under way. */
  stop(): Promise<void> {
    return this.#monitor.stop();
  }

  /** Checks now, and tells of any drift. */
  check_once(): Promise<CheckSummary> {
    return this.#monitor.check_once();
  }

  /** Null before the first check. */
  get last_summary(): CheckSummary | null {
    return this.#monitor.last_summary;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

function toolsOf(host: Host, manager: Notifier): ConstructorParameters<typeof Monitor>[0] {
  const open = (name: string) => host.digest(name) ?? unknownDigest(name, host);
  return {
    files: host.files,
    clock: host.clock,
    digests: { open, names: host.digests },
    folders: { cwd: host.cwd, root: host.cwd, here: host.cwd },
    alert: ({ subject, body }) => isTold(manager, subject, body),
    callbackFailed: () => undefined,
  };
}

/** Tells people. A manager that throws has told nobody. */
async function isTold(manager: Notifier, subject: string, body: string): Promise<boolean> {
  try {
    return isTaken(await manager.notify(subject, body, 'error'));
  } catch {
    return false;
  }
}

/**
 * Results of a `NotificationManager` tell what became of it by sink; of anything else it is enough that it has not
 * failed.
 */
function isTaken(results: unknown): boolean {
  if (typeof results !== 'object' || results === null) return true;
  const outcomes: readonly unknown[] = Object.values(results);
  return outcomes.length === 0 || outcomes.includes('sent') || outcomes.includes('dedup');
}

function unknownDigest(name: string, { digests }: Host): never {
  throw fail.digestUnknown({ name, names: digests.join(', ') });
}
