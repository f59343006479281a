import type { Client, FileInfo } from 'basic-ftp';

import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';

import type { Backend, CallOptions, Capabilities, Content, Entry, ListOptions, Reading, Stored } from '../backend.ts';
import { folderOf, nameOf, requireRemotePath } from '../remote-path.ts';
import { pagesBelow } from '../pages-below.ts';
import { connectFtp, ending, isAnswer, stopping, type FtpConnection, type FtpSurroundings } from './connection.ts';
import { firstLine, messageFailure } from './failures.ts';
import { arriving, sourceOf } from './passed-on.ts';
import { FtpPool } from './pool.ts';
import type { FtpLogin } from './port.ts';

/** Connects at once, so that a wrong login is told where it stands; more connections are made when they are needed. */
export async function openFtp(surroundings: FtpSurroundings, login: FtpLogin, options: CallOptions): Promise<Backend> {
  const port = login.port === 21 ? '' : `:${login.port}`;
  const place = `${login.tls ? 'ftps' : 'ftp'}://${login.username}@${login.host}${port}`;
  if (!login.passive)
    throw fail.storageCannot({ place, what: 'data connections are only made by the client (passive)' });
  for (const [name, value] of Object.entries({ username: login.username, password: login.password }))
    // oxlint-disable-next-line no-control-regex -- these would end the command early
    if (/[\r\n\u0000]/.test(value))
      throw fail.storageLoginForm({ backend: 'ftp', reason: `the ${name} holds a line break or a zero byte` });
  if (!login.tls && login.password !== '' && login.username !== 'anonymous')
    surroundings.notice('warning', `The password for ${place} travels unencrypted: "tls" is off.`, {
      once: `ftp-clear ${place}`,
    });
  const pool = new FtpPool((call) => connectFtp(surroundings, login, place, call), surroundings.host.clock);
  const first = await pool.lend(options);
  pool.giveBack(first, true);
  return new FtpBackend(pool, place, login.timeoutMs, first);
}

class FtpBackend implements Backend {
  readonly scheme = 'ftp';
  readonly place: string;
  readonly can: Capabilities;
  readonly #pool: FtpPool;
  readonly #timeoutMs: number;

  constructor(pool: FtpPool, place: string, timeoutMs: number, { features, isVsftpd }: FtpConnection) {
    this.#pool = pool;
    this.#timeoutMs = timeoutMs;
    this.place = place;
    this.can = {
      folders: true,
      rename: true,
      ranges: true,
      append: true,
      times: features.has('MFMT') || isVsftpd ? 1000 : false,
      exclusive: false,
      tellsAbsent: true,
    };
  }

  async stat(path: string, options: CallOptions): Promise<Entry | undefined> {
    return await this.#with(path, options, (connection, at) => this.#look(connection, at, path));
  }

  list(path: string, options: ListOptions): AsyncGenerator<readonly Entry[], void> {
    return pagesBelow(path, options, (folder) => this.#listOne(folder, options));
  }

  async #listOne(path: string, options: CallOptions): Promise<readonly Entry[]> {
    const start = path === '' || path === '.' || path.endsWith('/') ? path : `${path}/`;
    return await this.#with(path, options, async (connection, at) => {
      const { client } = connection;
      try {
        // A name behind the command for listing would be taken for a pattern by some servers.
        await client.send(`CWD ${at}`);
      } catch (error) {
        if (!isAnswer(error)) throw error;
        const there = await this.#look(connection, at, path);
        const about = { place: this.place, path };
        if (there === undefined) throw fail.storageNotFound(about);
        throw there.kind === 'folder' ? error : fail.storageNotFolder(about);
      }
      const found = await this.#inside(client, path);
      return found.flatMap((info) => this.#entryOf(start === '.' ? '' : start, info));
    });
  }

  /** Entries of the folder that was entered last. */
  async #inside(client: Client, path: string): Promise<readonly FileInfo[]> {
    try {
      return await client.list();
    } catch (error) {
      if (!isAnswer(error) || (error.code !== 450 && error.code !== 550)) throw error;
      const reason = firstLine(error.message);
      if (NOTHING.test(reason)) return [];
      // That a folder is there says nothing of why it is not listed.
      if (error.code === 550) throw fail.storageDenied({ place: this.place, path, reason, cause: error });
      throw error;
    }
  }

  async read(path: string, { signal, from = 0 }: CallOptions & { readonly from?: number }): Promise<Reading> {
    requireRemotePath(path);
    const connection = await this.#lend({ signal });
    const { client } = connection;
    const at = absolute(connection, path);
    const { body, from: fetched } = arriving(client);
    let isOver = false;
    let failure: Error | undefined;
    const end = (isUsable: boolean): void => {
      if (!isOver) this.#pool.giveBack(connection, isUsable);
      isOver = true;
    };
    const done = stopping(client, signal, () => fetched(() => client.downloadTo(body, at, from))).then(
      () => end(true),
      async (error: unknown) => {
        failure = await this.#tell(error, connection, path).catch((other: unknown) =>
          other instanceof Error ? other : new Error(String(other)),
        );
        end(isAnswer(error));
        body.destroy();
      },
    );
    const close = (): void => {
      if (!isOver) client.close();
      body.destroy();
    };
    return {
      close,
      body: (async function* () {
        try {
          // A connection that breaks off looks like an end: only the answer says that it was one.
          for await (const piece of body) yield piece as Uint8Array;
        } catch (error) {
          await done;
          signal.throwIfAborted();
          throw failure ?? error;
        } finally {
          if (!body.readableEnded) close();
          await done;
        }
        signal.throwIfAborted();
        if (failure) throw failure;
      })(),
    };
  }

  async write(path: string, { body, from = 0, exclusive }: Content, options: CallOptions): Promise<Stored> {
    if (exclusive && (await this.stat(path, options))) throw fail.storageExists({ place: this.place, path });
    const { signal } = options;
    const write = async (connection: FtpConnection, at: string): Promise<Stored> => {
      const { client } = connection;
      const prepare = client.prepareTransfer;
      if (from > 0)
        client.prepareTransfer = async (ftp) => {
          const answer = await prepare(ftp);
          await ftp.request(`REST ${from}`);
          return answer;
        };
      try {
        await client.uploadFrom(sourceOf(client, endedBy(signal, body)), at);
      } finally {
        client.prepareTransfer = prepare;
      }
      if (signal.aborted) return {};
      // Its time is set, not asked for: one question less for each file.
      const size = await this.#size(connection, at);
      return size === undefined ? {} : { size };
    };
    return await this.#with(path, options, write, ending);
  }

  async remove(path: string, options: CallOptions): Promise<void> {
    await this.#with(path, options, async (connection, at) => {
      const { client } = connection;
      try {
        await client.send(`DELE ${at}`);
      } catch (error) {
        if (!isAnswer(error)) throw error;
        const there = await this.#look(connection, at, path);
        if (there === undefined) throw fail.storageNotFound({ place: this.place, path });
        if (there.kind !== 'folder') throw error;
        await this.#removeFolder(client, at, path);
      }
    });
  }

  async #removeFolder(client: Client, at: string, path: string): Promise<void> {
    try {
      await client.send(`RMD ${at}`);
    } catch (error) {
      if (!isAnswer(error)) throw error;
      await client.send(`CWD ${at}`);
      if ((await this.#inside(client, path)).some(({ name }) => name !== '.' && name !== '..'))
        throw fail.storageFolderNotEmpty({ place: this.place, path });
      throw error;
    }
  }

  async makeFolder(path: string, options: CallOptions): Promise<void> {
    await this.#with(path, options, async (connection, at) => {
      const parts = at.split('/').filter(Boolean);
      // From below: mostly all but the last are there.
      let known = parts.length;
      while (known > 0) {
        const entry = await this.#look(connection, `/${parts.slice(0, known).join('/')}`, path);
        if (entry?.kind === 'file') throw fail.storageNotFolder({ place: this.place, path });
        if (entry) break;
        known -= 1;
      }
      for (let count = known + 1; count <= parts.length; count += 1) {
        const folder = `/${parts.slice(0, count).join('/')}`;
        await connection.client.send(`MKD ${folder}`).catch(async (error: unknown) => {
          if (!isAnswer(error)) throw error;
          // Somebody else may have been faster. That nothing is there is no news.
          if ((await this.#look(connection, folder, path))?.kind !== 'folder') throw this.#refusal(error, path);
        });
      }
    });
  }

  async rename(from: string, to: string, options: CallOptions): Promise<void> {
    await this.#with(to, options, async (connection, target) => {
      const { client } = connection;
      const move = async (): Promise<void> => {
        await client.send(`RNFR ${absolute(connection, requireRemotePath(from))}`);
        await client.send(`RNTO ${target}`);
      };
      try {
        await move();
      } catch (error) {
        if (!isAnswer(error)) throw error;
        const there = await this.#look(connection, target, to);
        if (there?.kind === 'folder') throw fail.storageIsFolder({ place: this.place, path: to });
        if (there === undefined) throw await this.#notRenamed(error, connection, from, to);
        // A server that replaces nothing: what is there has to go first.
        await client.send(`DELE ${target}`);
        await move();
      }
    });
  }

  async setTime(path: string, mtimeMs: number, options: CallOptions): Promise<void> {
    const time = new Date(mtimeMs).toISOString().replace(/\D/g, '').slice(0, 14);
    await this.#with(path, options, async ({ client, features }, at) => {
      await client.send(`${features.has('MFMT') ? 'MFMT' : 'MDTM'} ${time} ${at}`);
    });
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  /** Entry at an absolute path; undefined also for what the login may not see, which servers do not tell apart. */
  async #look({ client, features }: FtpConnection, at: string, path: string): Promise<Entry | undefined> {
    const name = nameOf(path);
    if (features.has('MLST')) {
      const answer = await orRefused(client.send(`MLST ${at}`));
      if (answer === undefined) return undefined;
      const facts = factsOf(answer.message);
      const kind = /^(?:dir|cdir|pdir)$/i.test(facts.get('type') ?? '') ? 'folder' : 'file';
      const mtime = timeOf(facts.get('modify') ?? '');
      const size = Number(facts.get('size'));
      return {
        path,
        name,
        kind,
        ...(kind === 'file' && Number.isSafeInteger(size) && { size }),
        ...(mtime !== undefined && { mtime_ms: mtime }),
      };
    }
    const size = await this.#size({ client }, at);
    if (size === undefined) {
      const isFolder = (await orRefused(client.send(`CWD ${at}`))) !== undefined;
      return isFolder ? { path, name, kind: 'folder' } : undefined;
    }
    const time = features.has('MDTM') ? await orRefused(client.send(`MDTM ${at}`)) : undefined;
    const mtime = timeOf(time?.message.slice(4) ?? '');
    return { path, name, kind: 'file', size, ...(mtime !== undefined && { mtime_ms: mtime }) };
  }

  /** Size of a file; undefined for what is none. */
  async #size({ client }: Pick<FtpConnection, 'client'>, at: string): Promise<number | undefined> {
    const answer = await orRefused(client.send(`SIZE ${at}`));
    if (answer === undefined) return undefined;
    const [, bytes = ''] = /^213[ -](\d{1,15})/.exec(answer.message) ?? [];
    if (bytes === '') throw fail.storageAnswer({ place: this.place, reason: firstLine(answer.message) });
    return Number(bytes);
  }

  #entryOf(start: string, info: FileInfo): readonly Entry[] {
    const { name, isDirectory, isFile, size, modifiedAt } = info;
    if (name === '.' || name === '..' || name === '') return [];
    if (name.includes('/') || name.includes('\0'))
      throw fail.storageAnswer({ place: this.place, reason: `it lists the name "${name.slice(0, 200)}"` });
    // Listings for people say times without a year or without a time of day: only those for programs count.
    const mtime = modifiedAt?.getTime();
    const kind = isDirectory ? 'folder' : isFile ? 'file' : 'other';
    return [
      {
        path: start + name,
        name,
        kind,
        ...(kind === 'file' && { size }),
        ...(mtime !== undefined && !Number.isNaN(mtime) && { mtime_ms: Math.floor(mtime / 1000) * 1000 }),
      },
    ];
  }

  async #lend(options: CallOptions): Promise<FtpConnection> {
    return await this.#pool.lend(options);
  }

  /**
   * Does something on a connection of its own; `at` is the path from the root of the server. One that a cancellation
   * has closed is lent to nobody again.
   */
  async #with<Result>(
    path: string,
    options: CallOptions,
    work: (connection: FtpConnection, at: string) => Promise<Result>,
    cancelled: typeof stopping = stopping,
  ): Promise<Result> {
    requireRemotePath(path);
    const connection = await this.#lend(options);
    let isUsable = false;
    try {
      const result = await cancelled(connection.client, options.signal, () =>
        work(connection, absolute(connection, path)),
      );
      isUsable = true;
      return result;
    } catch (error) {
      isUsable = error === options.signal.reason;
      options.signal.throwIfAborted();
      const told = await this.#tell(error, connection, path);
      isUsable = isAnswer(error) || error instanceof Failure;
      throw told;
    } finally {
      this.#pool.giveBack(connection, isUsable);
    }
  }

  /** Failure of a rename to where nothing is: the file is not there, or the folder, or the name is refused. */
  async #notRenamed(error: unknown, connection: FtpConnection, from: string, to: string): Promise<unknown> {
    for (const path of [from, folderOf(absolute(connection, to))])
      if (!(await this.#look(connection, absolute(connection, path), path)))
        return fail.storageNotFound({ place: this.place, path, cause: error });
    return this.#refusal(error, to);
  }

  #refusal(error: unknown, path: string): Error {
    return messageFailure(error, { place: this.place, path, timeoutMs: this.#timeoutMs });
  }

  /** The failure that an error means. 550 and 553 are said of all that is refused: what is there tells which. */
  async #tell(error: unknown, connection: FtpConnection, path: string): Promise<Error> {
    const told = this.#refusal(error, path);
    if (!isAnswer(error) || (error.code !== 550 && error.code !== 553)) return told;
    const about = { place: this.place, path, cause: error };
    const there = await this.#look(connection, absolute(connection, path), path);
    if (there?.kind === 'folder') return fail.storageIsFolder(about);
    if (error.code === 550 && there === undefined) return fail.storageNotFound(about);
    const above = folderOf(absolute(connection, path));
    const hasFolder = there ?? (above === '' ? above : await this.#look(connection, above, path));
    if (hasFolder === undefined) return fail.storageNotFound({ ...about, path: folderOf(path) || above });
    return fail.storageDenied({ ...about, reason: firstLine(error.message) });
  }
}

/** Content that ends where the signal is aborted, as if that were all of it. */
async function* endedBy(signal: AbortSignal, body: Content['body']): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of body) {
      if (signal.aborted) return;
      yield piece;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function absolute({ home }: FtpConnection, path: string): string {
  if (path.startsWith('/')) return path;
  const bare = path === '.' ? '' : path.replace(/^(?:\.\/)+/, '');
  return bare === '' ? home : `${home.replace(/\/+$/, '')}/${bare}`;
}

/** Reason for which a server refuses to list a folder that was entered: it is empty. */
const NOTHING = /\bempty\b|\bno such file|\bno (?:files?|entries|members)(?: found|\W*$)/i;

/** An answer; undefined for a refusal that may mean absence. */
async function orRefused<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isAnswer(error) && [450, 501, 550, 553].includes(error.code)) return undefined;
    throw error;
  }
}

/** The facts of the one line of an answer to MLST. */
function factsOf(message: string): ReadonlyMap<string, string> {
  const line = message.split('\n').find((text) => /^\s?[^\s=]+=[^\s]*;/.test(text)) ?? '';
  const [facts = ''] = line.trimStart().split(' ', 1);
  return new Map(
    facts.split(';').flatMap((fact) => {
      const at = fact.indexOf('=');
      return at < 0 ? [] : [[fact.slice(0, at).toLowerCase(), fact.slice(at + 1)] as const];
    }),
  );
}

/** Milliseconds of `YYYYMMDDHHMMSS`, in whole seconds. */
function timeOf(text: string): number | undefined {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/.exec(text.trim()) ?? [];
  if (year === undefined) return undefined;
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
}
