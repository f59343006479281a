import type { CallOptions } from '../backend.ts';
import type { SmbShell } from './smb-shell.ts';

/** Runs that answer questions at once: each is one connection. */
const MOST = 4;

/** Runs that answer questions, each lent to one question at a time. */
export class SmbShells {
  readonly #open: (options: CallOptions) => Promise<SmbShell>;
  readonly #idle: SmbShell[] = [];
  readonly #all = new Set<SmbShell>();
  readonly #waiting: (() => void)[] = [];
  #lent = 0;

  constructor(open: (options: CallOptions) => Promise<SmbShell>) {
    this.#open = open;
  }

  /** Give it back. */
  async lend(options: CallOptions): Promise<SmbShell> {
    for (;;) {
      options.signal.throwIfAborted();
      const idle = this.#takeIdle();
      if (idle) return idle;
      if (this.#lent < MOST) return await this.#lendNew(options);
      await this.#turn(options);
    }
  }

  /** One that answers nothing more is ended. */
  giveBack(shell: SmbShell): void {
    this.#lent -= 1;
    if (shell.isReady && this.#all.has(shell)) this.#idle.push(shell);
    else this.#drop(shell);
    this.#wakeOne();
  }

  end(): void {
    this.#idle.length = 0;
    for (const shell of this.#all) this.#drop(shell);
  }

  #takeIdle(): SmbShell | undefined {
    for (let found = this.#idle.pop(); found !== undefined; found = this.#idle.pop()) {
      if (found.isReady) {
        this.#lent += 1;
        return found;
      }
      this.#drop(found);
    }
    return undefined;
  }

  async #lendNew(options: CallOptions): Promise<SmbShell> {
    this.#lent += 1;
    try {
      const shell = await this.#open(options);
      this.#all.add(shell);
      return shell;
    } catch (error) {
      this.#lent -= 1;
      this.#wakeOne();
      throw error;
    }
  }

  async #turn({ signal }: CallOptions): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = (): void => resolve();
    this.#waiting.push(resolve);
    signal.addEventListener('abort', stop, { once: true });
    await promise;
    signal.removeEventListener('abort', stop);
    // A turn that came to one who is gone is somebody else's.
    if (signal.aborted) this.#wakeOne();
  }

  #wakeOne(): void {
    this.#waiting.shift()?.();
  }

  #drop(shell: SmbShell): void {
    this.#all.delete(shell);
    shell.end();
  }
}
