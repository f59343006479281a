import { rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { setTimeout as setTimeoutPromise } from 'node:timers/promises';

import type { ProcessEnd, StartedProcess } from '#schemas/types/host.ts';

import type { Surroundings } from '../browsers/find-browser.ts';
import type { BrowserName } from '../browsers/known-browsers.ts';
import { within } from '../shared/abortable.ts';
import { holdsSockets } from '../shared/socket-paths.ts';

/** Characters of a driver's output that are kept, to say why it ended. */
const outputLimit = 8192;

/** A driver that runs for one session. */
export interface DriverProcess {
  readonly address: string;
  readonly pid: number | undefined;
  /** Reason why it ended; undefined while it runs. */
  readonly ended: string | undefined;
  /** Ends it with its browser, politely first, by force after `graceMs`. */
  stop(graceMs: number): Promise<void>;
  /** Ends it with its browser at once, without waiting. */
  kill(): void;
}

/**
 * Starts a driver on a free port and waits until it says that it listens. It gets a process group of its own: an
 * interrupt at the terminal does not reach it, and it can be ended as a whole. When this process dies without a word,
 * so does it.
 */
export async function startDriverProcess(
  name: BrowserName,
  driver: string,
  around: Surroundings,
  signal: AbortSignal,
): Promise<DriverProcess> {
  for (let starts = 1; ; starts += 1)
    try {
      return await startOnce(name, driver, around, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (starts === STARTS || !(error instanceof Error && PORT_TAKEN.test(error.message))) throw error;
    }
}

/**
 * A driver that chooses a free port asks for it in one family of addresses, and may find it taken in the other. The
 * next one chooses anew.
 */
const PORT_TAKEN = /IPv[46] port not available|Address already in use/i;
const STARTS = 5;

async function startOnce(
  name: BrowserName,
  driver: string,
  around: Surroundings,
  signal: AbortSignal,
): Promise<DriverProcess> {
  const { host } = around;
  const { args, announcement, port, base = '' } = await callOf(name, around);
  const scratch = await scratchFolder(around);
  const env = { ...host.env, ...(scratch === undefined ? {} : { TMPDIR: scratch }) };
  const running = new RunningDriver(host.processes.start(driver, args, { env }), scratch);
  try {
    const announced = await running.announced(announcement, signal);
    if (announcement === undefined) await listening(port, signal);
    running.address = `http://127.0.0.1:${announced ?? port}${base}`;
    return running;
  } catch (error) {
    await running.stop(0);
    throw error;
  }
}

/**
 * Profiles and sockets of a browser that is ended by force stay behind: they get a folder that is removed as a whole.
 */
async function scratchFolder({ host }: Surroundings): Promise<string | undefined> {
  // Elsewhere the usual folder has a long path.
  if (host.platform !== 'linux') return undefined;
  const folder = await host.files.temporaryDirectory('svc-browser-');
  if (holdsSockets(folder)) return folder;
  await rm(folder, { recursive: true, force: true });
  return undefined;
}

interface Call {
  readonly args: readonly string[];
  /** Group 1, where there is one, is the port. */
  readonly announcement: RegExp | undefined;
  readonly port: number;
  /** Beginning of the paths of its addresses. */
  readonly base?: string;
}

async function callOf(name: BrowserName, { host }: Surroundings): Promise<Call> {
  switch (name) {
    case 'chrome':
    case 'chromium':
    case 'edge': {
      // Whoever can speak with a driver can start programs: a step that only finds the port finds nothing there.
      const base = `/${host.random.uuid()}`;
      return {
        args: ['--port=0', `--url-base=${base}`],
        announcement: /started successfully on port (\d+)/,
        port: 0,
        base,
      };
    }
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

class RunningDriver implements DriverProcess {
  address = '';
  readonly pid: number | undefined;
  ended: string | undefined;
  readonly #process: StartedProcess;
  readonly #scratch: string | undefined;
  readonly #gone: Promise<void>;
  #output = '';
  #heard: (() => void) | undefined;

  constructor(process: StartedProcess, scratch: string | undefined) {
    this.#process = process;
    this.pid = process.pid;
    this.#scratch = scratch;
    process.onOutput((chunk) => {
      this.#output = (this.#output + Buffer.from(chunk).toString('utf8')).slice(-outputLimit);
      this.#heard?.();
    });
    this.#gone = process.ended.then((end) => {
      this.ended = this.#reasonOf(end);
      this.#heard?.();
    });
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
    if (this.ended === undefined && graceMs > 0) this.#process.ask();
    await within(this.#gone, graceMs);
    // The group outlives its leader where the browser was not closed: it goes in any case.
    this.#process.kill();
    await this.#gone;
    this.#process.release();
    // Processes that are just ending may still write.
    if (this.#scratch !== undefined)
      await rm(this.#scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }).catch(() => undefined);
  }

  kill(): void {
    this.#process.kill();
  }

  #reasonOf({ code, signal, error }: ProcessEnd): string {
    if (error) return error.message;
    return signal === null
      ? `the driver ended with status ${code}${this.#lastWords()}`
      : `the driver was ended by ${signal}`;
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

/** Waits, for drivers that say nothing, until somebody answers on the port. */
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
