import type { Clock } from '#schemas/types/host.ts';

import { AutomationConfig, type LoadTools } from './automation-config.ts';

export interface ConfigWatcherTools extends LoadTools {
  readonly clock: Clock;
  /** Hears why a changed file is not taken. */
  readonly onBroken: (error: unknown) => void;
}

export interface ConfigWatcherOptions {
  readonly path: string;
  /** Milliseconds between looks. */
  readonly intervalMs: number;
  /** Gets each new configuration; where it fails, the old one stays. */
  readonly onChange: (config: AutomationConfig) => void | Promise<void>;
}

/** Time (ms) that `stop` waits for a look that is under way. */
const PATIENCE_MS = 5000;

/** Time and size of a file; of one that is not there, zeros. */
interface Mark {
  readonly mtime_ms: number;
  readonly size: number;
}

/**
 * Loads a configuration file again when its time or size has changed. A file that cannot be taken is told of once, not
 * tried again until it changes, and leaves everything as it was.
 */
export class ConfigWatcher {
  readonly #tools: ConfigWatcherTools;
  readonly #options: ConfigWatcherOptions;
  #taken: Mark | undefined;
  #seen: Mark | undefined;
  #cancel: (() => void) | undefined;
  #work: Promise<unknown> = Promise.resolve();
  #stopped = true;

  constructor(tools: ConfigWatcherTools, options: ConfigWatcherOptions) {
    this.#tools = tools;
    this.#options = options;
  }

  /** The configuration as it is now; fails where it cannot be loaded. */
  async load(): Promise<AutomationConfig> {
    const mark = await this.#mark();
    const config = await AutomationConfig.load(this.#tools, this.#options.path);
    this.#taken = mark;
    return config;
  }

  /** Looks at the file from now on; what was loaded last is what it begins with. */
  watch(): void {
    if (!this.#stopped) return;
    this.#stopped = false;
    this.#later();
  }

  /** Looks once, now. True: the file had changed and was taken. */
  checkOnce(): Promise<boolean> {
    return this.#inOrder(async () => {
      const mark = await this.#mark();
      return !isSame(mark, this.#taken) && (await this.#take(mark));
    });
  }

  /** Resolves when it does nothing more. Not waited for without end: what hears of a change may itself stop it. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel?.();
    let endTimer: (() => void) | undefined;
    await Promise.race([
      this.#work,
      new Promise<void>((resolve) => (endTimer = this.#tools.clock.timer(PATIENCE_MS, resolve))),
    ]);
    endTimer?.();
  }

  /** A file that is still being written is left alone until it has stayed the same from one look to the next. */
  async #look(): Promise<void> {
    await this.#inOrder(async () => {
      const mark = await this.#mark();
      if (!isSame(mark, this.#taken) && isSame(mark, this.#seen)) await this.#take(mark);
      this.#seen = mark;
    });
    this.#later();
  }

  async #take(mark: Mark): Promise<boolean> {
    this.#taken = mark;
    try {
      await this.#options.onChange(await AutomationConfig.load(this.#tools, this.#options.path));
      return true;
    } catch (error) {
      this.#tools.onBroken(error);
      return false;
    }
  }

  #inOrder<Result>(work: () => Promise<Result>): Promise<Result> {
    const next = this.#work.then(work);
    this.#work = next.catch(() => undefined);
    return next;
  }

  #later(): void {
    if (this.#stopped) return;
    this.#cancel = this.#tools.clock.timer(this.#options.intervalMs, () => void this.#look(), { background: true });
  }

  async #mark(): Promise<Mark> {
    const stat = await this.#tools.files.find(this.#options.path).catch(() => undefined);
    return stat?.kind === 'file' ? { mtime_ms: stat.mtime_ms, size: stat.size } : { mtime_ms: 0, size: 0 };
  }
}

function isSame(one: Mark, other: Mark | undefined): boolean {
  return one.mtime_ms === other?.mtime_ms && one.size === other.size;
}
