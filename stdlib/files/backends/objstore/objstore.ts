import { createHash } from 'node:crypto';

import type { Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Clock } from '#schemas/types/host.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import { ArrivedParts } from '../arrived-parts.ts';
import type { CallOptions, Capabilities, Content, Entry, PrefixBackend, Reading, Stored } from '../backend.ts';
import { forgotten, isForgotten } from '../forgotten.ts';
import {
  beginning,
  HttpService,
  type ServiceAnswer,
  type ServiceRequest,
  type ServiceStream,
} from '../http-service.ts';
import { inParts } from '../in-parts.ts';
import { objectEntry } from '../object-entry.ts';
import { patiently } from '../passing.ts';
import { nameOf, requireInside } from '../remote-path.ts';
import { readingOf } from '../reading.ts';
import { strictly } from '../strictly.ts';
import { tidyUp } from '../tidied-up.ts';
import type { Credentials } from './credentials.ts';

export interface ObjectStoreTools {
  readonly http: Ports['http'];
  readonly signature: Ports['awsSignature'];
  readonly xml: Ports['xml'];
  readonly clock: Clock;
}

type Xml = Exclude<ReturnType<Ports['xml']['read']>, string>;

/** Larger objects are sent in parts. */
const PART = 8 * 1024 * 1024;
/** Parts of one object, as the service counts them. */
const MOST_PARTS = 10_000;
/** Parts under way at once: each is held in memory. */
const AT_ONCE = 3;
const TIMEOUT_MS = 60_000;

/** Buckets and keys over HTTP with signature version 4. A path is `bucket/key`; folders are only beginnings of keys. */
export class ObjectStore implements PrefixBackend {
  readonly scheme = 'objstore';
  readonly place: string;
  readonly can: Capabilities = {
    folders: false,
    rename: false,
    ranges: true,
    append: false,
    times: false,
    exclusive: true,
    tellsAbsent: false,
    resumes: PART,
    digest: 'md5',
  };
  readonly #tools: ObjectStoreTools;
  readonly #credentials: Credentials;
  readonly #service: HttpService;
  /** Region of each bucket, once it is known. */
  readonly #regions = new Map<string, string>();
  /** Milliseconds by which the service's clock is ahead. */
  #skew = 0;

  constructor(tools: ObjectStoreTools, credentials: Credentials) {
    this.#tools = tools;
    this.#credentials = credentials;
    this.place = credentials.endpoint ? `the object store at ${credentials.endpoint.host}` : 'the object store';
    this.#service = new HttpService({
      http: tools.http,
      place: this.place,
      timeoutMs: TIMEOUT_MS,
      explain: (text) => explain(tools.xml, text),
      judge: ({ code, status, reason, place, path }) => {
        if (['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'ExpiredToken', 'InvalidToken'].includes(code))
          return fail.storageLogin({ place, reason });
        if (['SlowDown', 'RequestTimeout', 'InternalError', 'OperationAborted'].includes(code))
          return fail.storageUnavailable({ place, reason });
        if (code === 'NoSuchUpload') return forgotten(place, reason);
        if (code === 'QuotaExceeded') return fail.storageFull({ place, path, reason });
        return status === 409 ? fail.storageUnavailable({ place, reason }) : undefined;
      },
    });
  }

  async stat(path: string, { signal }: CallOptions): Promise<Entry | undefined> {
    const answer = await this.#send({ method: 'HEAD', path, signal, fine: [404] });
    return answer.status === 404 ? undefined : objectEntry(path, answer.headers, digestOf(answer.headers));
  }

  async *list(
    path: string,
    { signal, deep }: CallOptions & { readonly deep?: boolean },
  ): AsyncGenerator<readonly Entry[], void> {
    const { bucket, key } = splitPath(path);
    const prefix = key === '' || key.endsWith('/') ? key : `${key}/`;
    yield* this.#listKeys(bucket, prefix, { signal, ...(!deep && { delimiter: '/' }) });
  }

  startingWith(beginning: string, { signal }: CallOptions): AsyncIterable<readonly Entry[]> {
    const { bucket, key } = splitPath(beginning);
    return this.#listKeys(bucket, key, { signal });
  }

  /** All keys that begin with a text; with a delimiter, what goes on behind it counts as one. */
  async *#listKeys(
    bucket: string,
    prefix: string,
    { signal, delimiter }: CallOptions & { readonly delimiter?: string },
  ): AsyncGenerator<readonly Entry[], void> {
    let token: string | undefined;
    do {
      const query = {
        'list-type': '2',
        'encoding-type': 'url',
        prefix,
        ...(delimiter !== undefined && { delimiter }),
        ...(token !== undefined && { 'continuation-token': token }),
      };
      const root = await patiently(this.#tools.clock, signal, async () =>
        this.#read(await this.#send({ method: 'GET', path: bucket, query, signal })),
      );
      const decode = textOf(root, 'EncodingType') === 'url' ? decoded : (text: string) => text;
      const files = all(root, 'Contents').map((item) => listed(bucket, item, decode));
      const folders = all(root, 'CommonPrefixes').map((item): Entry => {
        const key = decode(textOf(item, 'Prefix')).replace(/\/$/, '');
        return { path: `${bucket}/${key}`, name: nameOf(key), kind: 'folder' };
      });
      yield [...files, ...folders].filter((entry) => entry.path !== `${bucket}/${prefix}`);
      token = textOf(root, 'IsTruncated') === 'true' ? textOf(root, 'NextContinuationToken') : undefined;
      if (token === '')
        throw fail.storageAnswer({ place: this.place, reason: 'a page says that there are more, but not where' });
    } while (token !== undefined);
  }

  async read(path: string, { signal, from = 0 }: CallOptions & { readonly from?: number }): Promise<Reading> {
    const headers: Record<string, string> = from > 0 ? { range: `bytes=${from}-` } : {};
    const stream = await this.#receive({ method: 'GET', path, signal, headers });
    return readingOf(stream, from, this.place);
  }

  async write(path: string, content: Content, options: CallOptions): Promise<Stored> {
    requireKey(path);
    if (content.exclusive && (await this.stat(path, options))) throw fail.storageExists({ place: this.place, path });
    return content.size > PART
      ? await this.#writeParts(path, content, options)
      : await this.#writeWhole(path, content, options);
  }

  async #writeWhole(path: string, { body, size, exclusive }: Content, { signal }: CallOptions): Promise<Stored> {
    let whole: Uint8Array = new Uint8Array();
    for await (const { bytes } of inParts(body, PART)) whole = bytes;
    const answer = await patiently(this.#tools.clock, signal, () =>
      this.#send({
        method: 'PUT',
        path,
        signal,
        body: whole,
        headers: {
          'content-type': 'application/octet-stream',
          'content-md5': md5(whole).toString('base64'),
          ...(exclusive && { 'if-none-match': '*' }),
        },
      }),
    );
    const digest = digestOf(answer.headers);
    return { size, ...(digest !== undefined && { digest }) };
  }

  /**
   * Sends an object in parts. Parts of an object that did not become whole are removed over there, so that nobody pays
   * for them, unless a later call is to go on with them.
   */
  async #writeParts(path: string, content: Content, { signal }: CallOptions): Promise<Stored> {
    const { size, kept, exclusive } = content;
    const parts = ArrivedParts.noted(kept) ?? (await this.#begin(path, content, signal));
    try {
      await this.#sendParts(path, content, parts, signal);
      await this.#complete(path, parts, exclusive === true, signal);
    } catch (error) {
      if (!kept) await tidyUp(signal, (own) => this.#drop(path, parts.id, own));
      else if (isForgotten(error)) await kept.forget();
      throw error;
    }
    return { size };
  }

  async #begin(path: string, { size, kept }: Content, signal: AbortSignal): Promise<ArrivedParts> {
    const root = await patiently(this.#tools.clock, signal, async () =>
      this.#read(await this.#send({ method: 'POST', path, query: { uploads: '' }, signal })),
    );
    const partSize = Math.max(PART, Math.ceil(size / MOST_PARTS / 1048576) * 1048576);
    const parts = new ArrivedParts({ id: textOf(root, 'UploadId'), partSize }, kept);
    await parts.keep();
    return parts;
  }

  async #sendParts(path: string, { body }: Content, parts: ArrivedParts, signal: AbortSignal): Promise<void> {
    await parts.fill(body, {
      atOnce: AT_ONCE,
      digest: (bytes) => md5(bytes).toString('base64'),
      send: async (number, bytes, digest) => {
        const query = { partNumber: String(number), uploadId: parts.id };
        const answer = await patiently(this.#tools.clock, signal, () =>
          this.#send({ method: 'PUT', path, query, signal, body: bytes, headers: { 'content-md5': digest } }),
        );
        return answer.headers['etag'] ?? '';
      },
    });
  }

  async #drop(path: string, uploadId: string, signal: AbortSignal): Promise<void> {
    await this.#send({ method: 'DELETE', path, query: { uploadId }, signal, fine: [404] });
  }

  async abandon(path: string, { id }: JsonObject, { signal }: CallOptions): Promise<void> {
    if (typeof id === 'string') await this.#drop(path, id, signal);
  }

  async #complete(path: string, parts: ArrivedParts, exclusive: boolean, signal: AbortSignal): Promise<void> {
    const listed = parts
      .all()
      .map(
        ([number, { told }]) => `<Part><PartNumber>${number}</PartNumber><ETag>${escaped(String(told))}</ETag></Part>`,
      );
    const body = `<CompleteMultipartUpload>${listed.join('')}</CompleteMultipartUpload>`;
    const answer = await this.#send({
      method: 'POST',
      path,
      query: { uploadId: parts.id },
      signal,
      body: new TextEncoder().encode(body),
      headers: { 'content-type': 'application/xml', ...(exclusive && { 'if-none-match': '*' }) },
    });
    // It begins to answer before it knows, so that the status says nothing yet.
    const root = this.#read(answer);
    if (root.name === 'Error')
      throw fail.storageUnavailable({
        place: this.place,
        reason: `${textOf(root, 'Code')}, ${textOf(root, 'Message')}`,
      });
  }

  async remove(path: string, { signal }: CallOptions): Promise<void> {
    requireKey(path);
    await this.#send({ method: 'DELETE', path, signal });
  }

  async makeFolder(): Promise<void> {}

  async close(): Promise<void> {}

  #read(answer: ServiceAnswer): Xml {
    const root = this.#tools.xml.read(new TextDecoder().decode(answer.body));
    if (typeof root === 'string') throw fail.storageAnswer({ place: this.place, reason: root });
    return root;
  }

  async #send(request: StoreRequest): Promise<ServiceAnswer> {
    return await this.#signed(request, (signed) => this.#service.send(signed));
  }

  async #receive(request: StoreRequest): Promise<ServiceStream> {
    return await this.#signed(request, (signed) => this.#service.receive(signed));
  }

  /** Signs, and once more where the service says that the bucket is elsewhere, or what time it is there. */
  async #signed<Answer extends ServiceAnswer | ServiceStream>(
    request: StoreRequest,
    send: (signed: ServiceRequest) => Promise<Answer>,
  ): Promise<Answer> {
    const { bucket } = splitPath(request.path);
    const watching = { ...request, fine: [...(request.fine ?? []), 301, 307, 400, 403] };
    const first = this.#sign(watching);
    const answer = await send(first);
    if (![301, 307, 400, 403].includes(answer.status)) return answer;
    const text = await textOfRefusal(answer);
    const refusal = this.#service.refusal(request, answer, text);
    const region = answer.headers['x-amz-bucket-region'];
    const isSkewed = explain(this.#tools.xml, text).code === 'RequestTimeTooSkewed';
    if (isSkewed) this.#skew = Date.parse(answer.headers['date'] ?? '') - this.#tools.clock.now() || 0;
    else if (region !== undefined && region !== this.#regionOf(bucket)) this.#regions.set(bucket, region);
    else throw refusal;
    return await send(this.#sign(request));
  }

  #regionOf(bucket: string): string {
    return this.#regions.get(bucket) ?? this.#credentials.region;
  }

  #sign({ method, path, query = {}, headers = {}, body, signal, fine }: StoreRequest): ServiceRequest {
    const { bucket } = splitPath(path);
    const { accessKey, secretKey, sessionToken } = this.#credentials;
    const region = this.#regionOf(bucket);
    const url = new URL(this.#address(path, region, query));
    const signed = this.#tools.signature.sign({
      method,
      url: url.href,
      headers,
      body: body ?? new Uint8Array(),
      region,
      service: 's3',
      accessKey,
      secretKey,
      ...(sessionToken !== undefined && { sessionToken }),
      at: this.#tools.clock.now() + this.#skew,
    });
    return {
      method,
      url,
      headers: lowered(signed),
      signal,
      path,
      ...(body !== undefined && { body }),
      ...(fine !== undefined && { fine }),
    };
  }

  #address(path: string, region: string, query: Readonly<Record<string, string>>): string {
    const { bucket, key } = splitPath(requireInside(path));
    const { endpoint } = this.#credentials;
    const search = Object.entries(query)
      .map(([name, value]) => `${strictly(name)}=${strictly(value)}`)
      .join('&');
    const tail = `${key.split('/').map(strictly).join('/')}${search === '' ? '' : `?${search}`}`;
    if (endpoint) {
      const base = endpoint.href.replace(/\/+$/, '');
      return `${base}/${strictly(bucket)}${key === '' ? '' : '/'}${tail}`;
    }
    // A certificate covers one level of names: a bucket with dots stands in the path.
    const own = /^[a-z0-9][a-z0-9-]*$/.test(bucket);
    return own
      ? `https://${bucket}.s3.${region}.amazonaws.com/${tail}`
      : `https://s3.${region}.amazonaws.com/${strictly(bucket)}${key === '' ? '' : '/'}${tail}`;
  }
}

interface StoreRequest {
  readonly method: string;
  /** `bucket/key`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly signal: AbortSignal;
  readonly fine?: readonly number[];
}

function splitPath(path: string): { readonly bucket: string; readonly key: string } {
  const bare = path.replace(/^\/+/, '');
  const slash = bare.indexOf('/');
  return slash < 0 ? { bucket: bare, key: '' } : { bucket: bare.slice(0, slash), key: bare.slice(slash + 1) };
}

function requireKey(path: string): void {
  if (splitPath(path).key === '') throw fail.storagePath({ path, reason: 'it names a bucket and no key in it' });
  if (path.split('/').includes('.'))
    throw fail.storagePath({ path, reason: '"." between slashes cannot be asked for' });
  requireInside(path);
}

/** An ETag is the MD5 of an object that was sent whole and is not kept under a key of its own. */
function digestOf(headers: Readonly<Record<string, string>>): string | undefined {
  if (/kms/i.test(headers['x-amz-server-side-encryption'] ?? '')) return undefined;
  if (headers['x-amz-server-side-encryption-customer-algorithm'] !== undefined) return undefined;
  return /^"?([0-9a-f]{32})"?$/i.exec(headers['etag'] ?? '')?.[1]?.toLowerCase();
}

function listed(bucket: string, item: Xml, decode: (text: string) => string): Entry {
  const key = decode(textOf(item, 'Key'));
  const mtime = Date.parse(textOf(item, 'LastModified'));
  return {
    path: `${bucket}/${key}`,
    name: nameOf(key),
    kind: 'file',
    size: Number(textOf(item, 'Size')),
    ...(!Number.isNaN(mtime) && { mtime_ms: mtime }),
    version: textOf(item, 'ETag'),
  };
}

function all(root: Xml, name: string): readonly Xml[] {
  return root.children.filter((child) => child.name === name);
}

function textOf(root: Xml, name: string): string {
  return root.children.find((child) => child.name === name)?.text ?? '';
}

/** A refusal says in its body why, whether it was to be read as it comes or whole. */
async function textOfRefusal(answer: ServiceAnswer | ServiceStream): Promise<string> {
  return 'close' in answer ? await beginning(answer) : new TextDecoder().decode(answer.body);
}

function explain(xml: Ports['xml'], text: string): { readonly code?: string; readonly message?: string } {
  const root = text.trimStart().startsWith('<') ? xml.read(text) : '';
  return typeof root === 'string' ? {} : { code: textOf(root, 'Code'), message: textOf(root, 'Message') };
}

/** Keys in listings are encoded as in forms. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

function lowered(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** The service asks for this digest; it guards against accidents, not against people. */
function md5(bytes: Uint8Array): Buffer {
  return createHash('md5').update(bytes).digest();
}
