import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as setTimeoutPromise } from 'node:timers/promises';

import type { Surroundings } from '../browsers/find-browser.ts';
import type { BrowserName } from '../browsers/known-browsers.ts';
import { searchPath } from '../browsers/search-path.ts';
import { within } from '../shared/abortable.ts';

/** What is kept of a driver's words, to say why it ended. */
const outputLimit = 8192;

/** A driver that runs for one session. */
export interface DriverProcess {
  readonly address: string;
  readonly pid: number | undefined;
  /** Why it ended; undefined while it runs. */
  readonly ended: string | undefined;
  /** Ends it with its browser, politely first, by force after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

/**
 * Starts a driver on a free port and waits until it says that it listens. It gets a process group of its own: an interrupt
 * at the terminal does not reach it, and it can be ended as a whole. When this process dies without a word, so does it.
 */
export async function startDriverProcess(
  name: BrowserName,
  driver: string,
  around: Surroundings,
  signal: AbortSignal,
): Promise<DriverProcess> {
  const { args, announcement, port } = await callOf(name);
  const [file, ...rest] = [...(await tether(around)), driver, ...args];
  if (file === undefined) throw new Error('no driver to start');
  const scratch = await scratchFolder(around);
  const child = spawn(file, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: around.host.platform !== 'win32',
    windowsHide: true,
    env: { ...around.host.env, ...(scratch === undefined ? {} : { TMPDIR: scratch }) },
  });
  const running = new RunningDriver(child, scratch);
  try {
    const announced = await running.announced(announcement, signal);
    if (announcement === undefined) await listening(port, signal);
    running.address = `http://127.0.0.1:${announced ?? port}`;
    return running;
  } catch (error) {
    await running.stop(0);
    throw error;
  }
}

/** Profiles and sockets of a browser that is ended by force stay behind: they get a folder that is removed as a whole. */
async function scratchFolder({ host }: Surroundings): Promise<string | undefined> {
  // Elsewhere the usual folder has a long path, and a socket's path is short.
  return host.platform === 'linux' ? mkdtemp(join(tmpdir(), 'svc-browser-')) : undefined;
}

interface Call {
  readonly args: readonly string[];
  /** Group 1, where there is one, is the port. */
  readonly announcement: RegExp | undefined;
  readonly port: number;
}

async function callOf(name: BrowserName): Promise<Call> {
  switch (name) {
    case 'chrome':
    case 'chromium':
    case 'edge':
      return { args: ['--port=0'], announcement: /started successfully on port (\d+)/, port: 0 };
    case 'firefox':
      return { args: ['--port=0'], announcement: /Listening on [^\s:]+:(\d+)/, port: 0 };
    case 'safari': {
      const port = await freePort();
      return { args: ['-p', String(port)], announcement: undefined, port };
    }
    case 'ie': {
      const port = await freePort();
      return { args: [`/port=${port}`], announcement: /Listening on port/, port };
    }
  }
}

/** On Linux the kernel itself ends the driver when the process that started it is gone, even after SIGKILL. */
async function tether({ host }: Surroundings): Promise<readonly string[]> {
  if (host.platform !== 'linux') return [];
  const setpriv = await searchPath(host, ['setpriv']);
  return setpriv === undefined ? [] : [setpriv, '--pdeathsig', 'KILL', '--'];
}

class RunningDriver implements DriverProcess {
  address = '';
  readonly pid: number | undefined;
  ended: string | undefined;
  readonly #child: ChildProcess;
  readonly #scratch: string | undefined;
  readonly #gone: Promise<void>;
  #output = '';
  #heard: (() => void) | undefined;
  readonly #killOnExit = (): void => this.kill();

  constructor(child: ChildProcess, scratch: string | undefined) {
    this.#child = child;
    this.pid = child.pid;
    this.#scratch = scratch;
    const keep = (chunk: Buffer): void => {
      this.#output = (this.#output + chunk.toString('utf8')).slice(-outputLimit);
      this.#heard?.();
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    this.#gone = new Promise((resolve) => {
      const end = (reason: string): void => {
        this.ended ??= reason;
        process.off('exit', this.#killOnExit);
        this.#heard?.();
        resolve();
      };
      child.once('error', (error) => end(error.message));
      child.once('exit', (code, by) =>
        end(by === null ? `the driver ended with status ${code}${this.#lastWords()}` : `the driver was ended by ${by}`),
      );
    });
    process.on('exit', this.#killOnExit);
  }

  /** The port that it says, undefined where it says none. Rejects when it ends first, or with the signal's reason. */
  announced(announcement: RegExp | undefined, signal: AbortSignal): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      const abort = (): void => reject(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      this.#heard = () => {
        const match = announcement?.exec(this.#output);
        if (this.ended !== undefined) reject(new Error(this.ended));
        else if (announcement === undefined || match) resolve(match?.[1]);
        else return;
        signal.removeEventListener('abort', abort);
        this.#heard = undefined;
      };
      if (signal.aborted) abort();
      else this.#heard();
    });
  }

  async stop(graceMs: number): Promise<void> {
    if (this.ended === undefined && graceMs > 0) this.#child.kill('SIGTERM');
    await within(this.#gone, graceMs);
    // The group outlives its leader where the browser was not closed: it goes in any case.
    this.kill();
    await this.#gone;
    // Processes that are just ending may still write.
    if (this.#scratch !== undefined)
      await rm(this.#scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }).catch(() => undefined);
  }

  kill(): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true });
      else process.kill(-pid, 'SIGKILL');
    } catch {
      // Nobody is left in the group.
    }
  }

  #lastWords(): string {
    const line = this.#output.trim().split('\n').at(-1)?.trim() ?? '';
    return line === '' ? '' : `: ${line}`;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no free port')),
      );
    });
  });
}

/** For drivers that say nothing: until somebody answers on the port. */
async function listening(port: number, signal: AbortSignal): Promise<void> {
  while (!(await answers(port))) await setTimeoutPromise(50, undefined, { signal });
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const say = (result: boolean): void => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => say(true));
    socket.once('error', () => say(false));
  });
}
