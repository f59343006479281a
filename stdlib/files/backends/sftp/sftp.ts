import type { SFTPWrapper } from 'ssh2';

import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';

import type { Backend, CallOptions, Capabilities, Content, Entry, ListOptions, Reading, Stored } from '../backend.ts';
import { folderOf, nameOf, requireRemotePath } from '../remote-path.ts';
import {
  asking,
  connectSftp,
  type Asking,
  type SftpConnection,
  type SftpSurroundings,
  type Stats,
} from './connection.ts';
import { SftpLines } from './lines.ts';
import { isEnd, readAhead, writeBehind } from './pipeline.ts';
import type { SftpLogin } from './port.ts';

/**
 * Connects at once, so that a wrong login is told where it stands; a connection that breaks off is made anew at the
 * next call.
 */
export async function openSftp(
  surroundings: SftpSurroundings,
  login: SftpLogin,
  options: CallOptions,
): Promise<Backend> {
  const port = login.port === 22 ? '' : `:${login.port}`;
  const backend = new SftpBackend(surroundings, login, `sftp://${login.username}@${login.host}${port}`);
  await backend.connect(options);
  return backend;
}

class SftpBackend implements Backend {
  readonly scheme = 'sftp';
  readonly place: string;
  readonly can: Capabilities = {
    folders: true,
    rename: true,
    ranges: true,
    append: true,
    times: 1000,
    exclusive: true,
    tellsAbsent: true,
  };
  readonly #surroundings: SftpSurroundings;
  readonly #login: SftpLogin;
  #connection: Promise<SftpConnection> | undefined;
  #lines = this.#newLines();

  constructor(surroundings: SftpSurroundings, login: SftpLogin, place: string) {
    this.#surroundings = surroundings;
    this.#login = login;
    this.place = place;
  }

  async connect(options: CallOptions): Promise<SftpConnection> {
    const before = await this.#connection?.catch(() => undefined);
    if (before?.isOpen()) return before;
    if (before) this.#connection = undefined;
    this.#connection ??= connectSftp(this.#surroundings, this.#login, this.place, options);
    const mine = this.#connection;
    try {
      return await mine;
    } catch (error) {
      if (this.#connection === mine) this.#connection = undefined;
      throw error;
    }
  }

  /** Further connections live longer than the call that found them worth it, and are nobody's to cancel. */
  #newLines(): SftpLines {
    return new SftpLines(() => {
      const { timeoutMs } = this.#login;
      return connectSftp(this.#surroundings, this.#login, this.place, { signal: AbortSignal.timeout(timeoutMs) });
    });
  }

  async stat(path: string, options: CallOptions): Promise<Entry | undefined> {
    try {
      const stats = await this.#ask<Stats>(path, options, (sftp, done) => sftp.stat(path, done));
      return entryOf(path, stats);
    } catch (error) {
      if (error instanceof Failure && error.facts.name === 'storage-not-found') return undefined;
      throw error;
    }
  }

  async *list(path: string, options: ListOptions): AsyncGenerator<readonly Entry[], void> {
    const waiting = [path === '' ? '.' : path];
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      for await (const page of this.#listOne(folder, path === '' ? '' : folder, options)) {
        if (options.deep)
          for (const entry of page)
            if (entry.kind === 'folder' && (options.enters?.(entry.path) ?? true)) waiting.push(entry.path);
        yield page;
      }
    }
  }

  async *#listOne(folder: string, shown: string, options: CallOptions): AsyncGenerator<readonly Entry[], void> {
    const start = shown === '' || shown.endsWith('/') ? shown : `${shown}/`;
    requireRemotePath(folder);
    const connection = await this.connect(options);
    const open = this.#askOn<Buffer>(connection, folder, options, (sftp, done) => sftp.opendir(folder, done));
    const handle = await open.catch(async (error: unknown) => {
      if ((await this.stat(folder, options))?.kind === 'file')
        throw fail.storageNotFolder({ place: this.place, path: folder });
      throw error;
    });
    try {
      for (;;) {
        const page = await this.#askOn<readonly Listed[] | false>(connection, folder, options, (sftp, done) =>
          // The library's own word for the end of a folder.
          sftp.readdir(handle, (error, list) => (isEnd(error) ? done(undefined, false) : done(error, list))),
        );
        if (page === false) return;
        yield page
          .filter(({ filename }) => filename !== '.' && filename !== '..')
          .map(({ filename, attrs }) => entryOf(start + filename, attrs));
      }
    } finally {
      await this.#closeHandle(connection, handle);
    }
  }

  async read(path: string, options: CallOptions & { readonly from?: number }): Promise<Reading> {
    const stats = await this.stat(path, options);
    if (stats === undefined) throw fail.storageNotFound({ place: this.place, path });
    if (stats.kind === 'folder') throw fail.storageIsFolder({ place: this.place, path });
    const connection = await this.connect(options);
    const handle = await this.#askOn<Buffer>(connection, path, options, (sftp, done) => sftp.open(path, 'r', done));
    const { from = 0, signal } = options;
    const size = stats.size ?? 0;
    const { sftp, gather } = connection;
    let closed = false;
    const close = (): void => {
      if (!closed) void this.#closeHandle(connection, handle);
      closed = true;
    };
    const asked = { signal, timeoutMs: this.#login.timeoutMs, place: this.place, gather };
    const { place } = this;
    return {
      size,
      close,
      body: (async function* () {
        try {
          yield* readAhead(sftp, handle, { from, to: size }, asked);
        } catch (error) {
          throw failureOf(error, place, path);
        } finally {
          close();
        }
      })(),
    };
  }

  /**
   * Everything behind the opening is asked for without waiting, since a server does what is asked of one file in order:
   * the bytes, the time, the size that it has then, and its end. A small file costs two ways there and back.
   */
  async write(path: string, content: Content, options: CallOptions): Promise<Stored> {
    requireRemotePath(path);
    const main = await this.connect(options);
    return await this.#lines.write(main, (connection) => this.#writeOn(connection, path, content, options));
  }

  async #writeOn(connection: SftpConnection, path: string, content: Content, options: CallOptions): Promise<Stored> {
    const { body, size, from = 0, exclusive = false, mtime_ms } = content;
    const flags = exclusive ? 'wx' : from > 0 ? 'r+' : 'w';
    const handle = await this.#open(connection, path, flags, options);
    const { sftp, gather } = connection;
    let closing: Promise<void> | undefined;
    try {
      const asked = { signal: options.signal, timeoutMs: this.#login.timeoutMs, place: this.place, gather };
      const stats = await writeBehind(sftp, handle, body, { from, size }, asked, () => {
        const last = this.#lastOf(sftp, handle, mtime_ms, asked);
        closing = this.#closeHandle(connection, handle);
        return last;
      });
      return { size: stats.size, ...(mtime_ms !== undefined && { mtime_ms: stats.mtime * 1000 }) };
    } catch (error) {
      const failure = failureOf(error, this.place, path);
      if (!isVague(failure) || !(await this.#isFull(path, options))) throw failure;
      throw fail.storageFull({ place: this.place, path, reason: 'no room is left', cause: error });
    } finally {
      await (closing ?? this.#closeHandle(connection, handle));
    }
  }

  /** Sets the time of an open file and asks what it is then. */
  async #lastOf(sftp: SFTPWrapper, handle: Buffer, mtimeMs: number | undefined, asked: Asking): Promise<Stats> {
    const seconds = mtimeMs === undefined ? undefined : Math.floor(mtimeMs / 1000);
    const timed =
      seconds !== undefined && asking(asked, (done) => sftp.futimes(handle, seconds, seconds, done as never));
    const stats = asking<Stats>(asked, (done) => sftp.fstat(handle, done));
    const [, told] = await Promise.all([timed, stats]);
    return told;
  }

  /** The protocol says only "failure"; OpenSSH tells how much room is left. */
  async #isFull(path: string, options: CallOptions): Promise<boolean> {
    try {
      const { f_bavail: blocks, f_frsize: size } = await this.#ask<Room>(path, options, (sftp, done) =>
        sftp.ext_openssh_statvfs(path, done as never),
      );
      return blocks * size < LEAST_ROOM;
    } catch {
      return false;
    }
  }

  async #open(
    connection: SftpConnection,
    path: string,
    flags: 'wx' | 'w' | 'r+',
    options: CallOptions,
  ): Promise<Buffer> {
    try {
      return await this.#askOn<Buffer>(connection, path, options, (sftp, done) => sftp.open(path, flags, done));
    } catch (error) {
      // The protocol says only "failure" for both.
      if (!isVague(error)) throw error;
      const there = await this.stat(path, options);
      if (there?.kind === 'folder') throw fail.storageIsFolder({ place: this.place, path });
      if (there && flags === 'wx') throw fail.storageExists({ place: this.place, path });
      throw error;
    }
  }

  async remove(path: string, options: CallOptions): Promise<void> {
    const stats = await this.#ask<Stats>(path, options, (sftp, done) => sftp.lstat(path, done));
    if (!stats.isDirectory()) return await this.#ask(path, options, (sftp, done) => sftp.unlink(path, done));
    try {
      await this.#ask(path, options, (sftp, done) => sftp.rmdir(path, done));
    } catch (error) {
      if (isVague(error)) throw fail.storageFolderNotEmpty({ place: this.place, path });
      throw error;
    }
  }

  async makeFolder(path: string, options: CallOptions): Promise<void> {
    const there = await this.stat(path, options);
    if (there?.kind === 'folder') return;
    if (there) throw fail.storageNotFolder({ place: this.place, path });
    const above = folderOf(path);
    if (above !== '' && above !== path) await this.makeFolder(above, options);
    try {
      await this.#ask(path, options, (sftp, done) => sftp.mkdir(path, done));
    } catch (error) {
      // Somebody else may have been faster.
      if ((await this.stat(path, options))?.kind !== 'folder') throw error;
    }
  }

  async rename(from: string, to: string, options: CallOptions): Promise<void> {
    try {
      await this.#ask(to, options, (sftp, done) => sftp.ext_openssh_rename(from, to, done));
    } catch (error) {
      // No file takes the place of a folder; asked only then, since each question is a way there and back.
      const there = await this.stat(to, options);
      if (there?.kind === 'folder') throw fail.storageIsFolder({ place: this.place, path: to });
      if (error instanceof Failure && error.facts.name !== 'storage-cannot') throw error;
      // A server without OpenSSH's extension replaces nothing: what is there has to go first.
      await this.remove(to, options).catch((refused: unknown) => {
        if (!(refused instanceof Failure) || refused.facts.name !== 'storage-not-found') throw refused;
      });
      await this.#ask(to, options, (sftp, done) => sftp.rename(from, to, done));
    }
  }

  async setTime(path: string, mtimeMs: number, options: CallOptions): Promise<void> {
    const seconds = Math.floor(mtimeMs / 1000);
    await this.#ask(path, options, (sftp, done) => sftp.utimes(path, seconds, seconds, done));
  }

  async close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    this.#lines.close();
    this.#lines = this.#newLines();
    (await connection?.catch(() => undefined))?.end();
  }

  async #ask<Answer = void>(
    path: string,
    options: CallOptions,
    ask: (sftp: SFTPWrapper, done: (error: Error | null | undefined, answer?: Answer) => void) => unknown,
  ): Promise<Answer> {
    requireRemotePath(path);
    return await this.#askOn(await this.connect(options), path, options, ask);
  }

  async #askOn<Answer = void>(
    { sftp, gather }: SftpConnection,
    path: string,
    options: CallOptions,
    ask: (sftp: SFTPWrapper, done: (error: Error | null | undefined, answer?: Answer) => void) => unknown,
  ): Promise<Answer> {
    try {
      return await asking<Answer>({ ...options, timeoutMs: this.#login.timeoutMs, place: this.place, gather }, (done) =>
        ask(sftp, done as never),
      );
    } catch (error) {
      options.signal.throwIfAborted();
      throw failureOf(error, this.place, path);
    }
  }

  /** Never fails: it comes after the work, and a broken connection has closed it already. */
  async #closeHandle(connection: SftpConnection, handle: Buffer): Promise<void> {
    if (!connection.isOpen()) return;
    const limit = { signal: AbortSignal.timeout(2000), timeoutMs: 2000, place: this.place };
    await asking(limit, (done) => connection.sftp.close(handle, done as never)).catch(() => undefined);
  }
}

/** A disk with less room (bytes) takes no further write. */
const LEAST_ROOM = 64 * 1024;

/** Answer to `statvfs@openssh.com`. */
interface Room {
  readonly f_bavail: number;
  readonly f_frsize: number;
}

interface Listed {
  readonly filename: string;
  readonly attrs: Stats;
}

function entryOf(path: string, stats: Pick<Stats, 'mode' | 'size' | 'mtime'>): Entry {
  const bits = stats.mode & 0o170000;
  const kind = bits === 0o040000 ? 'folder' : bits === 0o100000 ? 'file' : 'other';
  return { path, name: nameOf(path), kind, mtime_ms: stats.mtime * 1000, ...(kind === 'file' && { size: stats.size }) };
}

function isVague(error: unknown): boolean {
  return error instanceof Failure && error.facts.name === 'storage-rejected';
}

/** Failure for a number of the protocol. */
function failureOf(error: unknown, place: string, path: string): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  const about = { place, path, cause: error };
  const code = 'code' in error ? error.code : undefined;
  const reason = error.message;
  if (code === 2 || code === 10) return fail.storageNotFound(about);
  if (code === 3) return fail.storageDenied({ ...about, reason });
  if (code === 14 || code === 15) return fail.storageFull({ ...about, reason });
  if (code === 8 || reason.startsWith('Server does not support'))
    return fail.storageCannot({ place, what: reason, cause: error });
  if (typeof code === 'number' && code !== 6 && code !== 7) return fail.storageRejected({ ...about, reason });
  return error.name === 'AbortError' ? error : fail.storageBrokenOff({ place, reason, cause: error });
}
