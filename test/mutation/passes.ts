import { fork, type ChildProcess } from 'node:child_process';
import path from 'node:path';

/** Tests to run, after the files that changed since the last run were read anew. */
export interface Order {
  readonly changed: readonly string[];
  /** Parts of paths of test files. */
  readonly files: readonly string[];
  /** Tests whose title fits alone. */
  readonly pattern?: string;
}

interface Options {
  /** Copy of the project in which tests run. */
  readonly folder: string;
  /** Time (s) after which tests count as failed. */
  readonly seconds: number;
  readonly signal: AbortSignal;
}

/**
 * Judge of the tests of a copy of the project: one process that stays, and a fresh one after tests that did not end in
 * time.
 */
export class Judge {
  readonly #options: Options;
  #child: ChildProcess | undefined;

  constructor(options: Options) {
    this.#options = options;
    options.signal.addEventListener('abort', () => this.end());
  }

  /** Resolves with `true` when all of these tests pass, `false` when one fails or does not end in time. */
  async passes(order: Order): Promise<boolean> {
    if (this.#options.signal.aborted) return false;
    const child = (this.#child ??= await this.#start());
    return new Promise((resolve) => {
      const done = (isPassed: boolean): void => {
        clearTimeout(timer);
        child.removeAllListeners('message').removeAllListeners('exit');
        resolve(isPassed);
      };
      const timer = setTimeout(() => {
        this.end();
        done(false);
      }, this.#options.seconds * 1000);
      child.once('message', (isPassed) => done(isPassed === true));
      child.once('exit', () => {
        this.#child = undefined;
        done(false);
      });
      child.send(order);
    });
  }

  /** Ends the process and what it started, also what no longer listens. */
  end(): void {
    const pid = this.#child?.pid;
    this.#child = undefined;
    if (pid !== undefined) process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  }

  #start(): Promise<ChildProcess> {
    const { folder } = this.#options;
    const child = fork(path.join(folder, 'test/mutation/warm-tests.ts'), {
      cwd: folder,
      execArgv: ['--conditions=source'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      detached: process.platform !== 'win32',
    });
    return new Promise((resolve, reject) => {
      child.once('message', () => resolve(child));
      child.once('error', reject);
      child.once('exit', () => reject(new Error('The process of the tests ended before it was ready.')));
    });
  }
}
