import { join } from 'node:path';

import type { PortContext, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { ProcessEnd, StartedProcess } from '#schemas/types/host.ts';

import type { CallOptions } from '../backend.ts';
import { LendingPool } from '../lending-pool.ts';
import { statusIn, statusFailure } from './failures.ts';
import type { SmbLogin } from './port.ts';
import { SmbShell } from './smb-shell.ts';

/** Runs that answer questions at once: each is one connection. */
const MOST_SHELLS = 4;
/** Transfers by programs of their own at once: each is one connection. */
const MOST = 6;
/** The most text of one answer, for listings. */
const LARGEST = 64 * 1024 * 1024;

/** A program that runs a command of a transfer. */
export interface SmbTransfer {
  /** The bytes that it fetches, as they come. */
  readonly output: AsyncIterable<Uint8Array>;
  /** Fails where the command did. Resolves when the program has ended. */
  readonly done: Promise<void>;
  stop(): void;
}

/**
 * Samba's `smbclient`: a few runs answer all questions and move what is small, each larger transfer has one of its own.
 * Texts of users stand in its input and in arguments of their own, never in `-c`, where `;` would begin another
 * command; content is never read as commands: small content goes by a file, other content where commands come by `-c`.
 */
export class SmbClient {
  readonly place: string;
  readonly #context: PortContext;
  readonly #outbound: Ports['outbound'];
  readonly #login: SmbLogin;
  readonly #share: string;
  #folder: Promise<string> | undefined;
  readonly #shells: LendingPool<SmbShell>;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(context: PortContext, outbound: Ports['outbound'], login: SmbLogin, share: string, place: string) {
    this.place = place;
    this.#context = context;
    this.#outbound = outbound;
    this.#login = login;
    this.#share = share;
    this.#shells = new LendingPool<SmbShell>({
      most: MOST_SHELLS,
      open: ({ signal }) => this.#open(signal),
      isReady: (shell) => shell.isReady,
      end: (shell) => shell.end(),
    });
  }

  /**
   * Asks one question; yields the answer. Fails where it is a status that is no success. One that may be asked twice is
   * asked again where the connection of an earlier question has ended meanwhile.
   */
  async ask(command: string, path: string, options: CallOptions): Promise<string> {
    for (;;) {
      const shell = await this.#shells.lend(options);
      const wasUsed = shell.isUsed;
      try {
        return await this.#askShell(shell, command, path, options);
      } catch (error) {
        const isBroken = error instanceof Failure && error.facts.kinds.includes('network');
        if (isBroken) shell.end();
        if (!isBroken || !wasUsed || !/^(?:ls|cd|utimes|get|put) /.test(command)) throw error;
      } finally {
        this.#shells.giveBack(shell);
      }
    }
  }

  /** Fetches small content: all that the file holds at that moment. */
  fetch(remote: string, path: string, options: CallOptions): Promise<Uint8Array> {
    return this.#byFile(async (file) => {
      await this.ask(`get ${remote} "${file}"`, path, options);
      return await this.#context.host.files.read(file);
    });
  }

  /** Stores small content. */
  store(content: Uint8Array, remote: string, path: string, options: CallOptions): Promise<void> {
    return this.#byFile(async (file) => {
      await this.#context.host.files.write(file, content, { mode: 0o600 });
      await this.ask(`put "${file}" ${remote}`, path, options);
    });
  }

  /** Lends the name of a file in the private folder; what it holds afterwards is removed. */
  async #byFile<Result>(work: (file: string) => Promise<Result>): Promise<Result> {
    const { files, random } = this.#context.host;
    const file = join(await this.#privateFolder(), random.uuid());
    // It would end early in the command.
    if (file.includes('"')) throw fail.storageCannot({ place: this.place, what: `"${file}" cannot be named to it` });
    try {
      return await work(file);
    } finally {
      // The folder goes when the connection is closed.
      await files.remove(file).catch(() => undefined);
    }
  }

  async #askShell(shell: SmbShell, command: string, path: string, { signal }: CallOptions): Promise<string> {
    const limit = this.#login.timeoutMs * 2;
    let isLate = false;
    const stop = (): void => shell.end();
    const cancelLimit = this.#context.host.clock.timer(limit, () => {
      isLate = true;
      stop();
    });
    signal.addEventListener('abort', stop, { once: true });
    try {
      const { text, end } = await shell.ask(command, `svc-${this.#context.host.random.uuid()}`);
      signal.throwIfAborted();
      if (isLate) throw fail.storageTimeout({ place: this.place, seconds: limit / 1000 });
      this.#requireSuccess(text, end, path);
      return text;
    } finally {
      cancelLimit();
      signal.removeEventListener('abort', stop);
    }
  }

  async #open(signal: AbortSignal): Promise<SmbShell> {
    const start = await this.#starter(signal);
    // A cancellation meanwhile was heard by nobody.
    signal.throwIfAborted();
    return new SmbShell((input) => start([], input), this.#context.host.clock);
  }

  /** Runs a command that moves content: from its input, or to its output. */
  async transfer(
    {
      command,
      content,
      folder,
    }: { readonly command: string; readonly content?: AsyncIterable<Uint8Array>; readonly folder?: string },
    path: string,
    { signal }: CallOptions,
  ): Promise<SmbTransfer> {
    const child = content
      ? await this.#start([...(folder === undefined ? [] : ['-D', folder]), '-c', command], content, signal)
      : await this.#start([], once(new TextEncoder().encode(`${command}\n`)), signal);
    const said = collected(child.streams?.errors, LARGEST);
    return {
      output: child.streams?.output ?? empty(),
      done: this.#finished(child, said, path, signal),
      stop: () => child.kill(),
    };
  }

  async close(): Promise<void> {
    this.#shells.retire();
    for (const shell of this.#shells.open) this.#shells.drop(shell);
    const folder = this.#folder;
    this.#folder = undefined;
    const path = await folder?.catch(() => undefined);
    if (path !== undefined) await this.#context.host.files.removeTree(path);
  }

  async #start(
    args: readonly string[],
    input: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<StartedProcess> {
    const start = await this.#starter(signal);
    await this.#turn(signal);
    try {
      const child = start(args, input);
      void child.ended.then(() => this.#leave());
      return child;
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  /** Gets everything ready to start the program. */
  async #starter(
    signal: AbortSignal,
  ): Promise<(args: readonly string[], input: AsyncIterable<Uint8Array>) => StartedProcess> {
    const { host, isDenied } = this.#context;
    if (isDenied('shell')) throw fail.gateClosed({ gate: 'shell', subject: 'smbclient' });
    const program = host.processes.find(['smbclient']);
    if (program === undefined)
      throw fail.storageProgramMissing({ place: this.place, program: 'smbclient', package: 'smbclient' });
    const { server, port, timeoutMs } = this.#login;
    const [address = ''] = await this.#outbound.checkHost(server, { signal });
    const login = await this.#loginArguments();
    const protection = `--client-protection=${this.#login.encrypt ? 'encrypt' : 'sign'}`;
    const seconds = String(Math.max(1, Math.ceil(timeoutMs / 1000)));
    const where = ['-s', '/dev/null', '-d0', '-E', '-p', String(port), '-I', address, '-t', seconds, protection];
    const env = await this.#environment();
    return (args, input) =>
      host.processes.start(program, [...where, ...login, `//${server}/${this.#share}`, ...args], { env, input });
  }

  /** A file, since arguments are seen by everybody on the machine. */
  async #loginArguments(): Promise<readonly string[]> {
    if (this.#login.username === undefined) return ['-N', '-U', '%'];
    return ['-A', join(await this.#privateFolder(), 'login')];
  }

  /** Folder that only the user can read, with the file of the login. */
  #privateFolder(): Promise<string> {
    const { username, password = '' } = this.#login;
    const { files } = this.#context.host;
    return (this.#folder ??= files.temporaryDirectory('svc-smb-').then(async (folder) => {
      if (username === undefined) return folder;
      const [domain, name] = username.includes('\\') ? username.split('\\', 2) : [undefined, username];
      const lines = [
        `username = ${name}`,
        `password = ${password}`,
        ...(domain === undefined ? [] : [`domain = ${domain}`]),
      ];
      await files.write(join(folder, 'login'), `${lines.join('\n')}\n`);
      await files.setMode(join(folder, 'login'), 0o600);
      return folder;
    }));
  }

  /** Times are told in UTC, names in UTF-8; settings of the user are not read. */
  async #environment(): Promise<Readonly<Record<string, string>>> {
    const { PATH = '' } = this.#context.host.env;
    const home = await this.#folder?.catch(() => undefined);
    return { PATH, TZ: 'UTC', LC_ALL: 'C.UTF-8', HOME: home ?? '/nonexistent' };
  }

  async #turn(signal: AbortSignal): Promise<void> {
    while (this.#running >= MOST) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
      await promise;
      signal.throwIfAborted();
    }
    signal.throwIfAborted();
    this.#running += 1;
  }

  #leave(): void {
    this.#running -= 1;
    this.#waiting.shift()?.();
  }

  async #finished(child: StartedProcess, said: Promise<string>, path: string, signal: AbortSignal): Promise<void> {
    const stop = (): void => child.kill();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    const end = await child.ended;
    child.release();
    signal.removeEventListener('abort', stop);
    const text = await said;
    signal.throwIfAborted();
    this.#requireSuccess(text, end.code === 0 ? undefined : end, path);
  }

  /** Fails with what an answer says; `end`: the program has ended too early. */
  #requireSuccess(text: string, end: ProcessEnd | undefined, path: string): void {
    const { place } = this;
    const status = statusIn(text);
    if (status) throw statusFailure(status, { place, path, timeoutMs: this.#login.timeoutMs });
    if (!end) return;
    const [line = ''] = text.split('\n').filter((each) => each.trim() !== '' && !each.startsWith('Try "help"'));
    if (/encryption required/i.test(text)) throw fail.storageCannot({ place, what: 'it does not encrypt' });
    const reason =
      end.error?.message ?? (line.slice(0, 200) || `the program ended with ${end.code ?? end.signal ?? 'nothing'}`);
    throw fail.storageBrokenOff({ place, reason });
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}

async function* empty(): AsyncGenerator<Uint8Array, void> {}

async function collected(stream: AsyncIterable<Uint8Array> | undefined, limit: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of stream ?? empty()) {
      if (size < limit) pieces.push(piece);
      size += piece.length;
    }
  } catch {
    // It was ended: why is said by its end.
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
}
