import { fork, type ChildProcess } from 'node:child_process';
import path from 'node:path';

/** Tests to run. */
export interface Order {
  /** Paths of test files below the project. */
  readonly files: readonly string[];
  /** Full names of the tests; without it all run. */
  readonly tests?: readonly string[] | undefined;
  /** Whether the first failure ends it. */
  readonly untilFirst?: boolean;
}

/** A test that failed, or a file outside of its tests. */
export interface Failed {
  readonly file: string;
  readonly test?: string;
  /** It had begun when the time was over, or when the process ended. */
  readonly isStuck?: boolean;
}

interface Options {
  /** Copy of the project in which tests run. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Seconds in which a process of tests is ready: the project's settings are read in it. */
const START_S = 120;

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

  /** Resolves with the tests that failed, or with the one at work when none has begun for `seconds`. */
  async failed(order: Order, seconds: number): Promise<readonly Failed[]> {
    if (this.#options.signal.aborted) return [];
    // One that ended between two orders takes no more.
    if (this.#child?.connected === false) this.end();
    const child = (this.#child ??= await this.#start());
    return new Promise((resolve) => {
      let last: Failed = { file: '' };
      const done = (failed: readonly Failed[]): void => {
        clearTimeout(timer);
        child.removeAllListeners('message').removeAllListeners('exit');
        resolve(failed);
      };
      const stuck = (): void => {
        this.end();
        done([{ ...last, isStuck: true }]);
      };
      let timer = setTimeout(stuck, seconds * 1000);
      child.on('message', (told) => {
        if (Array.isArray(told)) done(told as readonly Failed[]);
        else {
          last = told as Failed;
          if (last.isStuck === true) return stuck();
          clearTimeout(timer);
          timer = setTimeout(stuck, seconds * 1000);
        }
      });
      child.once('exit', () => {
        this.#child = undefined;
        done([{ ...last, isStuck: true }]);
      });
      child.send(order);
    });
  }

  /** Ends the process and what it started, also what no longer listens. */
  end(): void {
    const pid = this.#child?.pid;
    this.#child = undefined;
    if (pid === undefined) return;
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
    } catch (error) {
      // It may have ended by itself.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
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
      const late = setTimeout(() => {
        child.kill('SIGKILL');
        reject(new Error(`The process of the tests was not ready after ${START_S} seconds.`));
      }, START_S * 1000);
      child.once('message', () => {
        clearTimeout(late);
        child.removeAllListeners('exit');
        resolve(child);
      });
      child.once('error', reject);
      child.once('exit', () => reject(new Error('The process of the tests ended before it was ready.')));
    });
  }
}
