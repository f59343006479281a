import type { PortContext, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { Clock } from '#schemas/types/host.ts';

import type { Backend, CallOptions, Capabilities, Content, Entry, ListOptions, Reading, Stored } from '../backend.ts';
import { HttpService, type ServiceAnswer, type ServiceRequest } from '../http-service.ts';
import { folderOf, nameOf, requireInside } from '../remote-path.ts';
import { pagesBelow } from '../pages-below.ts';
import { strictly } from '../strictly.ts';
import { QUESTION, readMultistatus, type DavResource } from './multistatus.ts';
import type { WebdavLogin } from './login.ts';

export interface WebdavTools {
  readonly http: Ports['http'];
  readonly xml: Ports['xml'];
  readonly clock: Clock;
  readonly notice: PortContext['notice'];
}

/** Entry with the facts that a server tells of a resource, beside those of every storage. */
export interface DavEntry extends Entry {
  /** Address or path of the resource, as the server wrote it. */
  readonly id: string;
  /** Time as the server wrote it. */
  readonly lastModified?: string;
}

/** WebDAV on top of what every storage does. */
export interface WebdavBackend extends Backend {
  /** One level of a folder, without the folder itself. */
  entries(path: string, options: CallOptions): Promise<readonly DavEntry[]>;
  /** A file, or a folder with everything in it. Fails where nothing is there. */
  removeAll(path: string, options: CallOptions): Promise<void>;
  /** One folder; one that is there is fine. The folder above must be there. */
  makeOne(path: string, options: CallOptions): Promise<void>;
  /**
   * The path below the base folder, also of what is written as an address. Fails for an address outside of the base.
   */
  below(path: string): string;
}

/** Asks for the base folder at once, so that a wrong address or login is told where it stands. */
export async function openWebdav(tools: WebdavTools, login: WebdavLogin, options: CallOptions): Promise<WebdavBackend> {
  const base = baseOf(login);
  const place = `${base.protocol === 'https:' ? 'webdavs' : 'webdav'}://${base.host}${base.pathname.replace(/\/$/, '')}`;
  const { username, password } = login;
  const hasLogin = typeof username === 'string' && typeof password === 'string';
  if (hasLogin && base.protocol === 'http:')
    tools.notice('warning', `The password for ${place} travels unencrypted: the address begins with http://.`, {
      once: `webdav-clear ${base.host}`,
    });
  const authorization = `Basic ${Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64')}`;
  const backend = new Webdav(tools, login, { base, place, headers: hasLogin ? { authorization } : {} });
  await backend.requireBase(options);
  return backend;
}

function baseOf({ baseUrl }: WebdavLogin): URL {
  const url = URL.parse(baseUrl);
  const wrong = (reason: string): Failure => fail.storageLoginForm({ backend: 'webdav', reason });
  if (!url || !/^https?:$/.test(url.protocol)) throw wrong('the base address is no http or https address');
  if (url.username !== '' || url.password !== '') throw wrong('user and password do not belong into the base address');
  if (url.search !== '' || url.hash !== '') throw wrong('the base address must end with its folder');
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

interface Where {
  readonly base: URL;
  readonly place: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Waits (ms) between looks at a file whose upload broke off and that was deleted: a server may notice the first only
 * after the second, and finish writing then.
 */
const LATE = [50, 100, 200, 400];

type Method = 'PROPFIND' | 'MKCOL' | 'MOVE' | 'DELETE';

interface Sending {
  readonly signal: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** Statuses that are answers, beside those of success. */
  readonly fine: readonly number[];
  /** End of the address. */
  readonly tail?: '/' | '' | undefined;
  readonly body?: string;
}

class Webdav implements WebdavBackend {
  readonly scheme = 'webdav';
  readonly place: string;
  readonly can: Capabilities = {
    folders: true,
    rename: true,
    ranges: true,
    append: false,
    times: false,
    exclusive: false,
    tellsAbsent: true,
  };
  readonly #xml: Ports['xml'];
  readonly #where: Where;
  readonly #service: HttpService;
  readonly #clock: Clock;
  /** Paths whose upload broke off. */
  readonly #broken = new Set<string>();

  constructor({ http, xml, clock }: WebdavTools, login: WebdavLogin, where: Where) {
    this.place = where.place;
    this.#xml = xml;
    this.#clock = clock;
    this.#where = where;
    this.#service = new HttpService({
      http,
      place: where.place,
      timeoutMs: login.timeoutMs,
      allowPrivate: login.allowPrivate,
      verify: login.verify,
      judge: ({ status, reason, place, path }) => {
        if (status === 423) return fail.storageUnavailable({ place, reason });
        // The folder above is missing.
        return status === 409 ? fail.storageNotFound({ place, path: folderOf(path) || '/' }) : undefined;
      },
    });
  }

  async requireBase(options: CallOptions): Promise<void> {
    const entry = await this.stat('', options);
    if (entry === undefined) throw fail.storageNotFound({ place: this.place, path: '' });
    if (entry.kind !== 'folder') throw fail.storageNotFolder({ place: this.place, path: '' });
  }

  below(path: string): string {
    if (!/^https?:\/\//i.test(path)) return path;
    const { base } = this.#where;
    const url = URL.parse(path);
    const start = `${base.pathname.replace(/\/$/, '')}/`;
    if (!url || url.origin !== base.origin || !`${url.pathname}/`.startsWith(start) || url.username || url.password)
      throw fail.storagePath({ path, reason: 'it is outside of the base address' });
    // Without these it would be the address of something else.
    if (url.search !== '' || url.hash !== '')
      throw fail.storagePath({ path, reason: 'an address has its "?" and "#" encoded' });
    try {
      return decodeURIComponent(url.pathname.slice(start.length));
    } catch {
      throw fail.storagePath({ path, reason: 'its percent signs do not encode Unicode' });
    }
  }

  async stat(path: string, options: CallOptions): Promise<Entry | undefined> {
    const found = await this.#find(path, '0', options, [404, 410]);
    const [first] = found ?? [];
    return first && entryOf(path, nameOf(path), first);
  }

  list(path: string, options: ListOptions): AsyncGenerator<readonly Entry[], void> {
    return pagesBelow(path, options, (folder) => this.entries(folder, options));
  }

  async entries(path: string, options: CallOptions): Promise<readonly DavEntry[]> {
    const about = { place: this.place, path };
    const found = await this.#find(path, '1', options, [400, 404, 410], '/');
    // A file with a slash behind its name is nothing to some servers, itself to others, and a wrong question to Apache.
    if (found === undefined) {
      const there = await this.stat(path, options);
      if (there?.kind === 'folder') throw fail.storageRejected({ ...about, reason: 'it does not list this folder' });
      throw there ? fail.storageNotFolder(about) : fail.storageNotFound(about);
    }
    const own = ownOf(found, [...this.#baseParts(), ...partsOf(path)]);
    if (!own.isFolder) throw fail.storageNotFolder(about);
    const start = path === '' || path.endsWith('/') ? path : `${path}/`;
    const inside = found.filter((resource) => resource !== own && (resource.status ?? 200) < 300);
    return inside.map((resource) => {
      const name = resource.parts.at(-1) ?? '';
      const isChild =
        resource.parts.length === own.parts.length + 1 &&
        own.parts.every((part, index) => isSame(part, resource.parts[index]));
      if (!isChild) throw this.#odd(`it lists "${resource.href.slice(0, 200)}" in "${path}"`);
      return entryOf(start + name, name, resource);
    });
  }

  async read(path: string, { signal, from = 0 }: CallOptions & { readonly from?: number }): Promise<Reading> {
    const headers: Record<string, string> = from > 0 ? { range: `bytes=${from}-` } : {};
    // A server that shows no page for a folder forbids it, or says that nothing is there.
    const fine = [301, 302, 303, 307, 308, 403, 404, 405, 501];
    const request = { ...this.#request('GET', path, signal), headers: { ...this.#where.headers, ...headers }, fine };
    const stream = await this.#service.receive(request);
    const { status, headers: told } = stream;
    // A file has one of these; a page that shows a folder has none.
    if (fine.includes(status) || (told['last-modified'] === undefined && told['etag'] === undefined)) {
      const refused = async (): Promise<Error | undefined> => {
        const isFolder = (await this.stat(path, { signal }))?.kind === 'folder';
        if (isFolder) return fail.storageIsFolder({ place: this.place, path });
        return fine.includes(status) ? this.#service.refusal(request, stream, '') : undefined;
      };
      const refusal = await refused().catch((error: unknown) => (error instanceof Error ? error : new Error('?')));
      if (refusal) stream.close();
      if (refusal) throw refusal;
    }
    if (status === 206 && !(told['content-range'] ?? '').startsWith(`bytes ${from}-`)) {
      stream.close();
      throw this.#odd(`it sent "${told['content-range'] ?? ''}" where bytes from ${from} on were asked for`);
    }
    const length = Number(told['content-length']);
    const skipped = status === 206 ? 0 : from;
    return {
      ...(Number.isSafeInteger(length) && { size: from - skipped + length }),
      body: without(skipped, stream.body({ packed: true })),
      close: () => stream.close(),
    };
  }

  async write(path: string, content: Content, options: CallOptions): Promise<Stored> {
    const { signal } = options;
    if (partsOf(path).length === 0) throw fail.storageIsFolder({ place: this.place, path });
    if (content.exclusive && (await this.stat(path, options))) throw fail.storageExists({ place: this.place, path });
    this.#broken.add(path);
    const stream = await this.#service.receive({
      ...this.#request('PUT', path, signal),
      headers: {
        ...this.#where.headers,
        'content-type': 'application/octet-stream',
        'content-length': String(content.size),
        ...(content.exclusive && { 'if-none-match': '*' }),
      },
      ...(content.size === 0 ? { body: '' } : { upload: content.body }),
      fine: [405],
    });
    stream.close();
    this.#broken.delete(path);
    if (stream.status === 405) {
      const there = await this.stat(path, options);
      if (there?.kind === 'folder') throw fail.storageIsFolder({ place: this.place, path });
      throw this.#service.refusal({ path }, stream, '');
    }
    return {};
  }

  async remove(path: string, options: CallOptions): Promise<void> {
    if (this.#broken.delete(path)) return await this.#removeLate(path, options);
    const there = await this.stat(path, options);
    if (there === undefined) throw fail.storageNotFound({ place: this.place, path });
    if (there.kind === 'folder' && (await this.entries(path, options)).length > 0)
      throw fail.storageFolderNotEmpty({ place: this.place, path });
    await this.removeAll(path, options);
  }

  /** Deletes what is left of an upload that broke off, also where it appears late. */
  async #removeLate(path: string, options: CallOptions): Promise<void> {
    for (const wait of LATE) {
      await this.#send('DELETE', path, { signal: options.signal, fine: [404, 410, 423] });
      await this.#clock.sleep(wait, options.signal);
      if ((await this.stat(path, options)) === undefined && wait > 50) return;
    }
  }

  async removeAll(path: string, { signal }: CallOptions): Promise<void> {
    if (partsOf(path).length === 0) throw fail.storagePath({ path, reason: 'the base folder itself is not deleted' });
    const answer = await this.#send('DELETE', path, { signal, fine: [207] });
    if (answer.status === 207) throw this.#partly(path, answer);
  }

  async makeFolder(path: string, options: CallOptions): Promise<void> {
    if (partsOf(path).length === 0) return;
    try {
      await this.makeOne(path, options);
    } catch (error) {
      const above = folderOf(path);
      if (!isNotFound(error) || above === '' || above === path) throw error;
      await this.makeFolder(above, options);
      await this.makeOne(path, options);
    }
  }

  async makeOne(path: string, options: CallOptions): Promise<void> {
    const answer = await this.#send('MKCOL', path, { signal: options.signal, fine: [405], tail: '/' });
    if (answer.status !== 405) return;
    const there = await this.stat(path, options);
    if (there?.kind === 'folder') return;
    throw there ? fail.storageNotFolder({ place: this.place, path }) : this.#service.refusal({ path }, answer, '');
  }

  async rename(from: string, to: string, options: CallOptions): Promise<void> {
    const destination = this.#url(to).href;
    const { signal } = options;
    const first = await this.#send('MOVE', from, {
      signal,
      headers: { destination, overwrite: 'F' },
      fine: [207, 412],
    });
    if (first.status === 207) throw this.#partly(from, first);
    if (first.status !== 412) return;
    // To replace a folder would mean to delete all that is in it.
    if ((await this.stat(to, options))?.kind === 'folder') throw fail.storageIsFolder({ place: this.place, path: to });
    const second = await this.#send('MOVE', from, { signal, headers: { destination, overwrite: 'T' }, fine: [207] });
    if (second.status === 207) throw this.#partly(from, second);
  }

  async close(): Promise<void> {}

  /** Undefined for one of the statuses that mean absence. */
  async #find(
    path: string,
    depth: '0' | '1',
    { signal }: CallOptions,
    absent: readonly number[],
    tail?: '/',
  ): Promise<readonly DavResource[] | undefined> {
    const headers = { depth, 'content-type': 'application/xml; charset=utf-8' };
    const answer = await this.#send('PROPFIND', path, {
      signal,
      headers,
      fine: [...absent, 405, 501],
      tail,
      body: QUESTION,
    });
    if (absent.includes(answer.status)) return undefined;
    if (answer.status !== 207) throw this.#odd(`it does not speak WebDAV (${answer.status} ${answer.reason})`);
    const found = readMultistatus(this.#xml, new TextDecoder().decode(answer.body));
    if (typeof found === 'string') throw this.#odd(found);
    const [first] = found;
    if (first === undefined) throw this.#odd('it says nothing of what was asked for');
    if (found.length === 1 && absent.includes(first.status ?? 200)) return undefined;
    return found;
  }

  async #send(
    method: Method,
    path: string,
    { signal, headers, fine, tail = '', body }: Sending,
  ): Promise<ServiceAnswer> {
    return await this.#service.send({
      ...this.#request(method, path, signal, tail),
      headers: { ...this.#where.headers, ...headers },
      fine,
      ...(body !== undefined && { body }),
    });
  }

  #request(method: string, path: string, signal: AbortSignal, tail: '/' | '' = ''): ServiceRequest {
    return { method, url: this.#url(path, tail), path, signal, headers: this.#where.headers };
  }

  #url(path: string, tail: '/' | '' = ''): URL {
    const { base } = this.#where;
    const encoded = partsOf(path).map(strictly);
    const end = encoded.length === 0 || tail === '/' ? '/' : '';
    return new URL(`${base.origin}${[base.pathname.replace(/\/$/, ''), ...encoded].join('/')}${end}`);
  }

  #baseParts(): readonly string[] {
    return this.#where.base.pathname.split('/').filter(Boolean).map(decodeURIComponent);
  }

  #odd(reason: string): Failure {
    return fail.storageAnswer({ place: this.place, reason });
  }

  /** Some of what a folder holds could not be deleted or moved. */
  #partly(path: string, answer: ServiceAnswer): Failure {
    const found = readMultistatus(this.#xml, new TextDecoder().decode(answer.body));
    const bad = typeof found === 'string' ? undefined : found.find(({ status = 200 }) => status >= 300);
    const reason = bad ? `${bad.status} for ${bad.href.slice(0, 200)}` : '207 Multi-Status';
    return fail.storageRejected({ place: this.place, path, reason });
  }
}

/** The parts of a path below the base: leading, trailing and doubled slashes mean nothing. */
function partsOf(path: string): readonly string[] {
  const parts = requireInside(path).split('/').filter(Boolean);
  if (parts.includes('.')) throw fail.storagePath({ path, reason: '"." between slashes cannot be asked for' });
  return parts;
}

/**
 * The resource that was asked for among those that were listed: some servers are behind others, which change the
 * beginning.
 */
function ownOf(found: readonly DavResource[], asked: readonly string[]): DavResource {
  const exact = found.find(
    ({ parts }) => parts.length === asked.length && parts.every((part, index) => isSame(part, asked[index])),
  );
  const shortest = found.reduce((one, other) => (other.parts.length < one.parts.length ? other : one));
  return exact ?? shortest;
}

/** Some servers keep names in another form of Unicode than they were asked for. */
function isSame(one: string, other: string | undefined): boolean {
  return one === other || one.normalize() === other?.normalize();
}

function entryOf(path: string, name: string, resource: DavResource): DavEntry {
  const { isFolder, size, mtime_ms, etag, href, lastModified } = resource;
  return {
    path,
    name,
    kind: isFolder ? 'folder' : 'file',
    id: href,
    ...(!isFolder && { size: size ?? 0 }),
    ...(mtime_ms !== undefined && { mtime_ms }),
    // Of a file that was written a moment ago some servers say a weak tag, and the same as a strong one later.
    ...(etag !== undefined && { version: etag.replace(/^W\//, '') }),
    ...(lastModified !== undefined && { lastModified }),
  };
}

function isNotFound(error: unknown): boolean {
  return error instanceof Failure && error.facts.name === 'storage-not-found';
}

async function* without(skipped: number, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let left = skipped;
  for await (const piece of body) {
    const rest = piece.subarray(Math.min(left, piece.length));
    left -= piece.length - rest.length;
    if (rest.length > 0) yield rest;
  }
}
