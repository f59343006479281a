import type { WebDriver } from 'selenium-webdriver';

import { logKindUnknown } from '#schemas/generated/failures.ts';

import type { Bidi } from './bidi.ts';
import type { LogEntry, Scope } from './port.ts';

type Run = <T>(scope: Scope, work: (driver: WebDriver) => Promise<T>) => Promise<T>;

/** Levels that drivers keep of a console where nobody asks for more. */
const usual: ReadonlySet<string> = new Set(['WARNING', 'SEVERE']);

/**
 * Logs of one browser. The driver forgets what it was asked for: what was only looked at is kept for the one who takes
 * it.
 */
export class Log {
  readonly #run: Run;
  readonly #bidi: Bidi | undefined;
  readonly #isWhole: boolean;
  readonly #kept = new Map<string, readonly LogEntry[]>();

  /**
   * `bidi`: hears what the log of the browser holds, and more, where the session has it. `isWhole`: the session was
   * asked for a level of consoles, which whoever takes the log gets.
   */
  constructor(run: Run, { bidi, isWhole }: { readonly bidi: Bidi | undefined; readonly isWhole: boolean }) {
    this.#run = run;
    this.#bidi = bidi;
    this.#isWhole = isWhole;
  }

  async take(scope: Scope, kind: string): Promise<readonly LogEntry[]> {
    const entries = await this.peek(scope, kind);
    this.#kept.delete(kind);
    if (kind !== 'browser' || this.#bidi || this.#isWhole) return entries;
    return entries.filter(({ level }) => usual.has(level));
  }

  /** Everything that is in it, which stays. */
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
