import { createHash } from 'node:crypto';

import type { Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Clock, Random } from '#schemas/types/host.ts';
import type { Failure } from '#schemas/types/failure.ts';

import { ArrivedParts } from '../arrived-parts.ts';
import type { CallOptions, Capabilities, Content, Entry, PrefixBackend, Reading, Stored } from '../backend.ts';
import { forgotten, isForgotten } from '../forgotten.ts';
import { HttpService, type RefusalFacts, type ServiceRequest } from '../http-service.ts';
import { inParts } from '../in-parts.ts';
import { objectEntry } from '../object-entry.ts';
import { patiently } from '../passing.ts';
import { nameOf, requireInside } from '../remote-path.ts';
import { readingOf } from '../reading.ts';
import { strictly } from '../strictly.ts';
import type { BlobAccount } from './account.ts';
import { readPage } from './page.ts';
import { sharedKey } from './signature.ts';

export interface BlobStoreTools {
  readonly http: Ports['http'];
  readonly xml: Ports['xml'];
  readonly clock: Clock;
  readonly random: Random;
}

interface BlobRequest extends Pick<ServiceRequest, 'method' | 'fine' | 'signal'> {
  /** `container/name`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

const VERSION = '2021-12-02';
/** Larger blobs are sent in blocks. */
const BLOCK = 8 * 1024 * 1024;
/** Blocks of one blob, as the service counts them. */
const MOST_BLOCKS = 50_000;
/** Blocks under way at once: each is held in memory. */
const AT_ONCE = 3;
/** Names of one page of a listing. */
const PAGE = '2000';
const TIMEOUT_MS = 60_000;
/** A clock that differs by more (ms) is the reason for a refusal. */
const SKEW_MS = 5 * 60_000;

/** Containers and blobs over HTTP. A path is `container/name`; folders are only beginnings of names. */
export class BlobStore implements PrefixBackend {
  readonly scheme = 'blobstore';
  readonly place: string;
  readonly can: Capabilities = {
    folders: false,
    rename: false,
    ranges: true,
    append: false,
    times: false,
    exclusive: true,
    tellsAbsent: true,
    resumes: BLOCK,
    digest: 'md5',
  };
  readonly #tools: BlobStoreTools;
  readonly #account: BlobAccount;
  readonly #service: HttpService;
  /** Milliseconds by which the service's clock is ahead. */
  #skew = 0;

  constructor(tools: BlobStoreTools, account: BlobAccount) {
    this.#tools = tools;
    this.#account = account;
    this.place = `the blob store at ${new URL(account.endpoint).host}`;
    this.#service = new HttpService({
      http: tools.http,
      place: this.place,
      timeoutMs: TIMEOUT_MS,
      explain: (text, headers) => this.#explain(text, headers),
      judge: meaning,
    });
  }

  async stat(path: string, { signal }: CallOptions): Promise<Entry | undefined> {
    const isContainer = splitPath(path).name === '';
    const query: Record<string, string> = isContainer ? { restype: 'container' } : {};
    const { status, headers } = await this.#send({ method: 'HEAD', path, query, signal, fine: [404] });
    if (status === 404) return undefined;
    if (isContainer) return { path, name: nameOf(path), kind: 'folder' };
    return objectEntry(path, headers, digestOf(headers));
  }

  list(path: string, { signal, deep }: CallOptions & { readonly deep?: boolean }): AsyncIterable<readonly Entry[]> {
    const { container, name } = splitPath(path);
    const prefix = name === '' || name.endsWith('/') ? name : `${name}/`;
    return this.#listNames(container, prefix, { signal, ...(!deep && { delimiter: '/' }) });
  }

  startingWith(beginning: string, { signal }: CallOptions): AsyncIterable<readonly Entry[]> {
    const { container, name } = splitPath(beginning);
    return this.#listNames(container, name, { signal });
  }

  /** All names that begin with a text; with a delimiter, what goes on behind it counts as one. */
  async *#listNames(
    container: string,
    prefix: string,
    { signal, delimiter }: CallOptions & { readonly delimiter?: string },
  ): AsyncGenerator<readonly Entry[], void> {
    for (let marker: string | undefined = ''; marker !== undefined;) {
      const query = {
        restype: 'container',
        comp: 'list',
        maxresults: PAGE,
        ...(prefix !== '' && { prefix }),
        ...(delimiter !== undefined && { delimiter }),
        ...(marker !== '' && { marker }),
      };
      const { body } = await patiently(this.#tools.clock, signal, () =>
        this.#send({ method: 'GET', path: container, query, signal }),
      );
      const page = readPage(this.#tools.xml, new TextDecoder().decode(body), container);
      if (typeof page === 'string') throw fail.storageAnswer({ place: this.place, reason: page });
      yield page.entries.filter(({ path }) => path !== `${container}/${prefix}`);
      if (page.next === marker)
        throw fail.storageAnswer({ place: this.place, reason: 'it sends the same page again and again' });
      marker = page.next;
    }
  }

  async read(path: string, { signal, from = 0 }: CallOptions & { readonly from?: number }): Promise<Reading> {
    const headers: Record<string, string> = from > 0 ? { 'x-ms-range': `bytes=${from}-` } : {};
    const request = { method: 'GET', path: requireBlob(path), headers, signal };
    const stream = await this.#withClock(request, (signed) => this.#service.receive(signed));
    return readingOf(stream, from, this.place);
  }

  async write(path: string, content: Content, options: CallOptions): Promise<Stored> {
    requireBlob(path);
    if (content.exclusive && (await this.stat(path, options))) throw fail.storageExists({ place: this.place, path });
    return content.size > BLOCK
      ? await this.#writeBlocks(path, content, options)
      : await this.#writeWhole(path, content, options);
  }

  async #writeWhole(path: string, { body, size, exclusive }: Content, { signal }: CallOptions): Promise<Stored> {
    let whole: Uint8Array = new Uint8Array();
    for await (const { bytes } of inParts(body, BLOCK)) whole = bytes;
    const headers = {
      'x-ms-blob-type': 'BlockBlob',
      'content-type': 'application/octet-stream',
      'content-md5': md5(whole),
      ...(exclusive && { 'if-none-match': '*' }),
    };
    const answer = await patiently(this.#tools.clock, signal, () =>
      this.#send({ method: 'PUT', path, headers, body: whole, signal }),
    );
    const digest = digestOf(answer.headers);
    return { size, ...(digest !== undefined && { digest }) };
  }

  /**
   * Blocks become a blob by the list that is sent last. Blocks of a blob that does not become whole are nothing that
   * anybody can see or remove: the service drops them with the next blob of that name, and after a week.
   */
  async #writeBlocks(path: string, content: Content, { signal }: CallOptions): Promise<Stored> {
    const { size, exclusive, kept } = content;
    const blocks = (await this.#arrived(path, content, signal)) ?? this.#noBlocks(content);
    await blocks.keep();
    const digest = await this.#sendBlocks(path, content, blocks, signal);
    const list = blocks.all().map(([number]) => `<Latest>${blockId(blocks.id, number)}</Latest>`);
    try {
      await this.#send({
        method: 'PUT',
        path,
        query: { comp: 'blocklist' },
        headers: {
          'content-type': 'application/xml',
          'x-ms-blob-content-type': 'application/octet-stream',
          'x-ms-blob-content-md5': digest,
          ...(exclusive && { 'if-none-match': '*' }),
        },
        body: new TextEncoder().encode(`<BlockList>${list.join('')}</BlockList>`),
        signal,
      });
    } catch (error) {
      if (isForgotten(error)) await kept?.forget();
      throw error;
    }
    return { size };
  }

  #noBlocks({ size, kept }: Content): ArrivedParts {
    const id = this.#tools.random.uuid().replaceAll('-', '').slice(0, 16);
    const partSize = Math.max(BLOCK, Math.ceil(size / MOST_BLOCKS / 1048576) * 1048576);
    return new ArrivedParts({ id, partSize }, kept);
  }

  /** Blocks of an earlier call that the service still has; undefined where it has lost one of them. */
  async #arrived(path: string, { kept }: Content, signal: AbortSignal): Promise<ArrivedParts | undefined> {
    const blocks = ArrivedParts.noted(kept);
    if (!blocks) return undefined;
    const query = { comp: 'blocklist', blocklisttype: 'uncommitted' };
    const answer = await patiently(this.#tools.clock, signal, () =>
      this.#send({ method: 'GET', path, query, signal, fine: [404] }),
    );
    const text = answer.status === 404 ? '' : new TextDecoder().decode(answer.body);
    if (blocks.all().every(([number]) => text.includes(`<Name>${blockId(blocks.id, number)}</Name>`))) return blocks;
    kept?.arrived(0);
    return undefined;
  }

  /** Yields the digest of the whole. */
  async #sendBlocks(path: string, { body }: Content, blocks: ArrivedParts, signal: AbortSignal): Promise<string> {
    const whole = createHash('md5');
    await blocks.fill(body, {
      atOnce: AT_ONCE,
      digest: (bytes) => {
        whole.update(bytes);
        return md5(bytes);
      },
      send: async (number, bytes, digest) => {
        const query = { comp: 'block', blockid: blockId(blocks.id, number) };
        const headers = { 'content-md5': digest };
        const request = { method: 'PUT', path, query, headers, body: bytes, signal };
        await patiently(this.#tools.clock, signal, () => this.#send(request));
        return null;
      },
    });
    return whole.digest('base64');
  }

  async remove(path: string, { signal }: CallOptions): Promise<void> {
    await this.#send({ method: 'DELETE', path: requireBlob(path), signal });
  }

  async makeFolder(): Promise<void> {}

  async close(): Promise<void> {}

  async #send(request: BlobRequest) {
    return await this.#withClock(request, (signed) => this.#service.send(signed));
  }

  /** Signs, and once more by the service's clock where that is the reason for its refusal. */
  async #withClock<Answer extends { readonly status: number; readonly headers: Readonly<Record<string, string>> }>(
    request: BlobRequest,
    send: (signed: ServiceRequest) => Promise<Answer>,
  ): Promise<Answer> {
    const before = this.#skew;
    try {
      return await send(this.#signed(request));
    } catch (error) {
      // `explain` has set it anew.
      if (this.#skew === before || this.#account.proof.kind !== 'key') throw error;
      return await send(this.#signed(request));
    }
  }

  #explain(text: string, headers: Readonly<Record<string, string>>) {
    const root = text
      .replace(/^\uFEFF/, '')
      .trimStart()
      .startsWith('<')
      ? this.#tools.xml.read(text.replace(/^\uFEFF/, ''))
      : '';
    const find = (name: string): string =>
      typeof root === 'string' ? '' : (root.children.find((child) => child.name === name)?.text ?? '');
    const code = headers['x-ms-error-code'] ?? find('Code');
    const ahead = Date.parse(headers['date'] ?? '') - this.#tools.clock.now();
    if (code === 'AuthenticationFailed' && Math.abs(ahead - this.#skew) > SKEW_MS) this.#skew = ahead;
    // Behind the first line stand the time and the number of the request.
    return { code, message: find('Message').split('\n')[0] ?? '' };
  }

  #signed({ method, path, query = {}, headers = {}, body, signal, fine }: BlobRequest): ServiceRequest {
    const { endpoint, proof } = this.#account;
    const { container, name } = splitPath(requireInside(path));
    const search = Object.entries(query).map(([key, value]) => `${strictly(key)}=${strictly(value)}`);
    if (proof.kind === 'signature') search.push(proof.query);
    const tail = name === '' ? '' : `/${name.split('/').map(strictly).join('/')}`;
    const url = new URL(`${endpoint}/${strictly(container)}${tail}${search.length > 0 ? `?${search.join('&')}` : ''}`);
    const all: Record<string, string> = {
      ...headers,
      'x-ms-version': VERSION,
      'x-ms-date': new Date(this.#tools.clock.now() + this.#skew).toUTCString(),
    };
    if (proof.kind === 'token') all['authorization'] = `Bearer ${proof.token}`;
    if (proof.kind === 'key')
      all['authorization'] = sharedKey(proof.account, proof.key, {
        method,
        url,
        headers: all,
        length: body?.length ?? 0,
      });
    return { method, url, headers: all, signal, path, ...(body && { body }), ...(fine && { fine }) };
  }
}

/** Failure for a code that only this service has. */
function meaning({ code, status, reason, place, path }: RefusalFacts): Failure | undefined {
  const isLogin = ['AuthenticationFailed', 'InvalidAuthenticationInfo', 'NoAuthenticationInformation'].includes(code);
  if (isLogin || (code === 'AuthorizationFailure' && /failed to authenticate/i.test(reason)))
    return fail.storageLogin({ place, reason });
  if (code === 'BlobAlreadyExists') return fail.storageExists({ place, path });
  // Somebody else has written a blob of the same name meanwhile, which drops the blocks of all others.
  if (code === 'InvalidBlockList' || code === 'InvalidBlobOrBlock') return forgotten(place, reason);
  if (['ServerBusy', 'OperationTimedOut', 'InternalError'].includes(code))
    return fail.storageUnavailable({ place, reason });
  if (code === 'ContainerBeingDeleted') return fail.storageUnavailable({ place, reason });
  if (code.startsWith('Lease')) return fail.storageDenied({ place, path, reason });
  return status === 409 ? fail.storageRejected({ place, path, reason }) : undefined;
}

/** Name of a block; all of one blob have to be of one length. */
function blockId(upload: string, number: number): string {
  return Buffer.from(`${upload}-${String(number).padStart(6, '0')}`).toString('base64');
}

function splitPath(path: string): { readonly container: string; readonly name: string } {
  const bare = path.replace(/^\/+/, '');
  const slash = bare.indexOf('/');
  return slash < 0 ? { container: bare, name: '' } : { container: bare.slice(0, slash), name: bare.slice(slash + 1) };
}

function requireBlob(path: string): string {
  if (splitPath(path).name === '') throw fail.storagePath({ path, reason: 'it names a container and no blob in it' });
  if (path.split('/').includes('.'))
    throw fail.storagePath({ path, reason: '"." between slashes cannot be asked for' });
  if (path.includes('\\')) throw fail.storagePath({ path, reason: 'the service makes a slash of a backslash' });
  return requireInside(path);
}

function digestOf(headers: Readonly<Record<string, string>>): string | undefined {
  const bytes = Buffer.from(headers['content-md5'] ?? '', 'base64');
  return bytes.length === 16 ? bytes.toString('hex') : undefined;
}

/** The service asks for this digest; it guards against accidents, not against people. */
function md5(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('base64');
}
