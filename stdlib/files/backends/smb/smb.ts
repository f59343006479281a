import type { PortContext, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';

import type {
  Backend,
  CallOptions,
  Capabilities,
  Content,
  Entry,
  ListOptions,
  Reading,
  Stored,
  TellingOptions,
} from '../backend.ts';
import { folderOf, nameOf, requireInside } from '../remote-path.ts';
import { pagesBelow } from '../pages-below.ts';
import { isNameable, moveByProgram } from './by-program.ts';
import { withBlankEnds } from './blank-ends.ts';
import { listsItself, readListing, type SmbListed } from './listing.ts';
import type { SmbLogin } from './port.ts';
import { SmbClient } from './smb-client.ts';

/** Content of at most so many bytes (256 KiB) is held whole, and needs no program of its own. */
const SMALL = 256 * 1024;

/** Asks once, so that a wrong login or share is told where it stands. */
export async function openSmb(
  context: PortContext,
  outbound: Ports['outbound'],
  login: SmbLogin,
  options: CallOptions,
): Promise<Backend> {
  const share = login.share.replace(/^[/\\]+|[/\\]+$/g, '');
  const wrong = (reason: string): Failure => fail.storageLoginForm({ backend: 'smb', reason });
  if (!/^[\w.:-]+$/.test(login.server)) throw wrong('the server is no name and no address');
  // oxlint-disable-next-line no-control-regex -- names of shares have none
  if (share === '' || /[/\\"<>|:*?;\u0000-\u001f]/.test(share)) throw wrong('the share is no name of a share');
  for (const [name, value = ''] of Object.entries({ username: login.username, password: login.password }))
    // oxlint-disable-next-line no-control-regex -- these would end the line in which it stands
    if (/[\r\n\u0000]/.test(value)) throw wrong(`the ${name} holds a line break or a zero byte`);
  const port = login.port === 445 ? '' : `:${login.port}`;
  const user = login.username === undefined ? '' : `${login.username.replace(/^.*\\/, '')}@`;
  const place = `smb://${user}${login.server}${port}/${share}`;
  const backend = new SmbBackend(new SmbClient(context, outbound, login, share, place), context.host);
  try {
    await backend.requireShare(options);
  } catch (error) {
    await backend.close();
    throw error;
  }
  return backend;
}

class SmbBackend implements Backend {
  readonly scheme = 'smb';
  readonly place: string;
  readonly can: Capabilities = {
    folders: true,
    rename: true,
    ranges: false,
    append: false,
    times: 1000,
    exclusive: false,
    tellsAbsent: true,
  };
  readonly #client: SmbClient;
  readonly #host: PortContext['host'];

  constructor(client: SmbClient, host: PortContext['host']) {
    this.place = client.place;
    this.#client = client;
    this.#host = host;
  }

  async requireShare(options: CallOptions): Promise<void> {
    await this.#client.ask('cd "\\"', '', options);
  }

  async stat(path: string, options: CallOptions): Promise<Entry | undefined> {
    const parts = partsOf(path);
    if (parts.length === 0) return { path, name: '', kind: 'folder' };
    try {
      const [found] = readListing(await this.#client.ask(`ls ${quoted(parts)}`, path, options));
      return found && entryOf(path, nameOf(path.replaceAll('\\', '/')), found);
    } catch (error) {
      if (isAbsence(error)) return undefined;
      throw error;
    }
  }

  list(path: string, options: ListOptions): AsyncGenerator<readonly Entry[], void> {
    return pagesBelow(path, options, (folder) => this.#listOne(folder, options));
  }

  async #listOne(path: string, options: CallOptions): Promise<readonly Entry[]> {
    const parts = partsOf(path);
    const start = path === '' || path.endsWith('/') ? path : `${path}/`;
    const text = await this.#client
      .ask(`ls "${['', ...parts, '*'].join('\\')}"`, path, options)
      .catch(async (error: unknown) => {
        const there = await this.stat(path, options);
        const about = { place: this.place, path };
        // Nothing at all is listed of some empty folders.
        if (there?.kind === 'folder' && isAbsence(error)) return '';
        throw there?.kind === 'file'
          ? fail.storageNotFolder(about)
          : there === undefined
            ? fail.storageNotFound(about)
            : error;
      });
    const ending = (blanks: number): Promise<readonly SmbListed[]> => this.#ending(blanks, parts, path, options);
    const listed = await withBlankEnds(readListing(text), ending);
    return listed.map((found) => {
      if (/[/\\]/.test(found.name))
        throw fail.storageAnswer({ place: this.place, reason: `it lists the name "${found.name.slice(0, 200)}"` });
      return entryOf(start + found.name, found.name, found);
    });
  }

  /** Names of a folder that end with so many blanks; none where the server does not look at them. */
  async #ending(
    blanks: number,
    parts: readonly string[],
    path: string,
    options: CallOptions,
  ): Promise<readonly SmbListed[]> {
    const pattern = `ls "${['', ...parts, `*${' '.repeat(blanks)}`].join('\\')}"`;
    const text = await this.#client.ask(pattern, path, options).catch((error: unknown) => {
      // Some servers have no such names, and say so.
      if (isAbsence(error) || (error instanceof Failure && error.facts.name === 'storage-path')) return '';
      throw error;
    });
    return listsItself(text) ? [] : readListing(text);
  }

  async #requireFile(path: string, options: CallOptions): Promise<Entry> {
    const there = await this.stat(path, options);
    const about = { place: this.place, path };
    if (there === undefined) throw fail.storageNotFound(about);
    if (there.kind === 'folder') throw fail.storageIsFolder(about);
    return there;
  }

  async readInto(path: string, nearFile: string, { signal, arrived }: TellingOptions): Promise<boolean> {
    const { size } = await this.#requireFile(path, { signal });
    if (size === undefined || size <= SMALL || !isNameable(nearFile)) return false;
    return await moveByProgram(this.#client, this.#host.clock, {
      command: `get ${quoted(partsOf(path))} "${nearFile}"`,
      path,
      size,
      signal,
      told: arrived,
      reached: async () => (await this.#host.files.find(nearFile))?.size,
    });
  }

  async read(path: string, options: CallOptions): Promise<Reading> {
    const there = await this.#requireFile(path, options);
    const remote = quoted(partsOf(path));
    if (there.size !== undefined && there.size <= SMALL) {
      const content = await this.#client.fetch(remote, path, options);
      return { size: content.length, close: () => undefined, body: only(content) };
    }
    const transfer = await this.#client.transfer({ command: `get ${remote} -` }, path, options);
    // Told when the body is read; nobody may read it.
    transfer.done.catch(() => undefined);
    return {
      ...(there.size !== undefined && { size: there.size }),
      close: () => transfer.stop(),
      body: (async function* () {
        try {
          yield* transfer.output;
        } catch (error) {
          await transfer.done;
          throw error;
        }
        await transfer.done;
      })(),
    };
  }

  async write(path: string, content: Content, options: CallOptions): Promise<Stored> {
    const parts = partsOf(path);
    const about = { place: this.place, path };
    if (parts.length === 0) throw fail.storageIsFolder(about);
    if (content.exclusive && (await this.stat(path, options))) throw fail.storageExists(about);
    try {
      if (content.size <= SMALL) await this.#client.store(await wholeOf(content.body), quoted(parts), path, options);
      else if (!(await this.#sendByProgram(parts, content, path, options)))
        await this.#stream(parts, content, path, options);
    } catch (error) {
      if (isAbsence(error)) {
        const above = { ...about, path: folderOf(path) || '/' };
        const isFile = (await this.stat(above.path, options))?.kind === 'file';
        throw isFile ? fail.storageNotFolder(above) : fail.storageNotFound(above);
      }
      const isVague =
        error instanceof Failure && ['storage-exists', 'storage-denied', 'storage-rejected'].includes(error.facts.name);
      if (isVague && (await this.stat(path, options))?.kind === 'folder') throw fail.storageIsFolder(about);
      throw error;
    }
    return {};
  }

  /** Sends a file of this machine; false: the content must pass through here. */
  async #sendByProgram(
    parts: readonly string[],
    { near, size }: Content,
    path: string,
    options: CallOptions,
  ): Promise<boolean> {
    const nearFile = await near?.path();
    if (!near || nearFile === undefined || !isNameable(nearFile)) return false;
    return await moveByProgram(this.#client, this.#host.clock, {
      command: `put "${nearFile}" ${quoted(parts)}`,
      path,
      size,
      signal: options.signal,
      told: (bytes) => near.sent(bytes),
      reached: async () => (await this.stat(path, options))?.size,
    });
  }

  /** A command beside content cannot hold every name: others are sent under one that it can hold. */
  async #stream(parts: readonly string[], { body }: Content, path: string, options: CallOptions): Promise<void> {
    const name = parts.at(-1) ?? '';
    const isPlain = !/[;!]/.test(name);
    const sent = isPlain ? name : `.svc-${this.#host.random.uuid()}.part`;
    const transfer = await this.#client.transfer(
      { command: `put - "${sent}"`, content: body, folder: ['', ...parts.slice(0, -1)].join('\\') || '\\' },
      path,
      options,
    );
    await transfer.done;
    if (isPlain) return;
    const folder = folderOf(path);
    await this.rename(folder === '' ? sent : `${folder}/${sent}`, path, options);
  }

  async remove(path: string, options: CallOptions): Promise<void> {
    const there = await this.stat(path, options);
    if (there === undefined) throw fail.storageNotFound({ place: this.place, path });
    const parts = partsOf(path);
    if (parts.length === 0) throw fail.storagePath({ path, reason: 'the share itself is not deleted' });
    await this.#client.ask(`${there.kind === 'folder' ? 'rmdir' : 'rm'} ${quoted(parts)}`, path, options);
  }

  async makeFolder(path: string, options: CallOptions): Promise<void> {
    const parts = partsOf(path);
    let known = parts.length;
    for (; known > 0; known -= 1) {
      const there = await this.stat(parts.slice(0, known).join('/'), options);
      if (there?.kind === 'file') throw fail.storageNotFolder({ place: this.place, path });
      if (there) break;
    }
    for (let count = known + 1; count <= parts.length; count += 1) {
      const folder = parts.slice(0, count);
      await this.#client.ask(`mkdir ${quoted(folder)}`, path, options).catch(async (error: unknown) => {
        // Somebody else may have been faster.
        if ((await this.stat(folder.join('/'), options))?.kind !== 'folder') throw error;
      });
    }
  }

  async rename(from: string, to: string, options: CallOptions): Promise<void> {
    try {
      await this.#client.ask(`rename ${quoted(partsOf(from))} ${quoted(partsOf(to))} -f`, to, options);
    } catch (error) {
      if ((await this.stat(to, options))?.kind === 'folder')
        throw fail.storageIsFolder({ place: this.place, path: to });
      throw error;
    }
  }

  async setTime(path: string, mtimeMs: number, options: CallOptions): Promise<void> {
    // Zero means "leave it" to the protocol.
    const time = new Date(Math.max(1000, mtimeMs)).toISOString();
    const written = time.slice(0, 19).replaceAll('-', ':').replace('T', '-');
    await this.#client.ask(`utimes ${quoted(partsOf(path))} -1 -1 ${written} -1`, path, options);
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}

/** Characters that names cannot hold in this protocol; some of them are wildcards in it. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const IMPOSSIBLE = /["*:<>?|\u0000-\u001f]/;

/** Both slashes mean the same. */
function partsOf(path: string): readonly string[] {
  const parts = requireInside(path.replaceAll('\\', '/')).split('/').filter(Boolean);
  const reason = parts.includes('.')
    ? '"." between slashes cannot be asked for'
    : IMPOSSIBLE.test(path)
      ? 'names hold no control characters and none of " * : < > ? |'
      : path.length > 2000
        ? 'it is too long'
        : undefined;
  if (reason !== undefined) throw fail.storagePath({ path, reason });
  return parts;
}

function quoted(parts: readonly string[]): string {
  return `"\\${parts.join('\\')}"`;
}

async function* only(piece: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield piece;
}

/** Copies what comes: it may be overwritten by what comes next. */
async function wholeOf(body: Content['body']): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(Uint8Array.from(piece));
  return Buffer.concat(pieces);
}

function entryOf(path: string, name: string, { isFolder, size, mtime_ms }: SmbListed): Entry {
  return { path, name, kind: isFolder ? 'folder' : 'file', mtime_ms, ...(!isFolder && { size }) };
}

function isAbsence(error: unknown): boolean {
  return error instanceof Failure && error.facts.name === 'storage-not-found';
}
