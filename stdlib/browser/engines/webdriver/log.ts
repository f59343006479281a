import type { WebDriver } from 'selenium-webdriver';

import { logKindUnknown } from '#schemas/generated/failures.ts';

import type { Bidi } from './bidi.ts';
import type { LogEntry, Scope } from './port.ts';

type Run = <T>(scope: Scope, work: (driver: WebDriver) => Promise<T>) => Promise<T>;

/**
 * Logs of one browser. The driver forgets what it was asked for: what was only looked at is kept for the one who takes
 * it.
 */
export class Log {
  readonly #run: Run;
  readonly #bidi: Bidi | undefined;
  readonly #kept = new Map<string, readonly LogEntry[]>();

  /** `bidi`: hears what the log of the browser holds, and more, where the session has it. */
  constructor(run: Run, bidi: Bidi | undefined) {
    this.#run = run;
    this.#bidi = bidi;
  }

  async take(scope: Scope, kind: string): Promise<readonly LogEntry[]> {
    const entries = await this.peek(scope, kind);
    this.#kept.delete(kind);
    return entries;
  }

  /** The same, which stays. */
  async peek(scope: Scope, kind: string): Promise<readonly LogEntry[]> {
    const heard = kind === 'browser' ? this.#bidi : undefined;
    const fresh = await this.#run(scope, (driver) => heard?.take() ?? read(driver, kind));
    const entries = [...(this.#kept.get(kind) ?? []), ...fresh];
    this.#kept.set(kind, entries);
    return entries;
  }
}

async function read(driver: WebDriver, kind: string): Promise<readonly LogEntry[]> {
  const logs = driver.manage().logs();
  try {
    const entries = await logs.get(kind);
    return entries.map(({ level, message, timestamp }) => ({ level: level.name, message, timestamp }));
  } catch (error) {
    const kinds = await logs.getAvailableLogTypes().catch(() => undefined);
    if (kinds?.includes(kind)) throw error;
    throw logKindUnknown({ kind, kinds: kinds?.toSorted().join(', ') || 'none', cause: error });
  }
}
