import { createHash } from 'node:crypto';

import * as fail from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import { ArrivedParts } from '../arrived-parts.ts';
import type { Backend, CallOptions, Capabilities, Content, Entry, ListOptions, Reading, Stored } from '../backend.ts';
import type { Access } from '../drives/access.ts';
import { ApiService, jsonIn, listIn, objectIn, textIn, type ApiTools } from '../drives/api-service.ts';
import { InTurn } from '../drives/in-turn.ts';
import { multipart } from '../drives/multipart.ts';
import { below, namesOf, requireNames } from '../drives/names.ts';
import { only } from '../drives/only.ts';
import { readingOf, wholeOf } from '../reading.ts';
import type { RefusalFacts } from '../http-service.ts';
import { forgotten, isForgotten } from '../forgotten.ts';
import { nameOf } from '../remote-path.ts';
import { requireSafeAddress } from '../service-address.ts';
import { strictly } from '../strictly.ts';
import { tidyUp } from '../tidied-up.ts';
import type { Drive3Login } from './login.ts';

/** The least that the service takes in parts; smaller files go whole. */
const IN_PARTS = 20_000_000;
/** The largest part that is held in memory. */
const LARGEST_PART = 64 * 1024 * 1024;
/** Pattern of names that the service does not take. */
// oxlint-disable-next-line no-control-regex -- the service refuses these
const REFUSED = /[\\\u0000-\u001F]|^\s|\s$/u;
const FIELDS = 'id,type,name,size,sha1,etag,content_modified_at,modified_at';
const TOP = '0';

/** Addresses at which the service is asked, sent to, and signed in at. */
export interface Addresses {
  readonly api: string;
  readonly upload: string;
  readonly sign: string;
}

export function addressesOf(endpoint: string | undefined): Addresses {
  if (endpoint === undefined)
    return { api: 'https://api.box.com/2.0', upload: 'https://upload.box.com/api/2.0', sign: 'https://api.box.com' };
  const base = requireSafeAddress('drive3', endpoint, { secret: true }).href.replace(/\/+$/, '');
  return { api: `${base}/2.0`, upload: `${base}/api/2.0`, sign: base };
}

/** A new file of a folder, or another version of one. */
type Target = { readonly folder: string; readonly name: string } | { readonly file: string };

/**
 * The interface of Box, version 2.0. It knows files by id; a name stands once in a folder, whatever its letter case.
 */
export class Drive3 implements Backend {
  readonly scheme = 'drive3';
  readonly place: string;
  readonly can: Capabilities = {
    folders: true,
    rename: false,
    ranges: true,
    append: false,
    times: 1000,
    exclusive: true,
    tellsAbsent: true,
    resumes: IN_PARTS - 1,
    digest: 'sha1',
  };
  readonly #tools: ApiTools;
  readonly #service: ApiService;
  readonly #at: Addresses;
  readonly #turns = new InTurn();
  /** Ids of folders by path. */
  readonly #folders = new Map<string, string>();

  constructor(tools: ApiTools, access: Access, { token, endpoint }: Pick<Drive3Login, 'token' | 'endpoint'>) {
    this.#tools = tools;
    this.#at = addressesOf(endpoint);
    if (token.trim() === '') throw fail.storageLoginForm({ backend: 'drive3', reason: 'the token is empty' });
    this.place = endpoint === undefined ? 'the third drive' : `the third drive at ${new URL(endpoint).host}`;
    this.#service = new ApiService(tools, this.place, access, { explain, judge: meaning });
  }

  async stat(path: string, { signal }: CallOptions): Promise<Entry | undefined> {
    const item = await this.#item(namesOf(path), path, signal);
    return item && entryOf(path, item);
  }

  async *list(path: string, { signal, deep, enters }: ListOptions): AsyncGenerator<readonly Entry[], void> {
    const top = await this.#item(namesOf(path), path, signal);
    if (!top) throw fail.storageNotFound({ place: this.place, path });
    if (textIn(top, 'type') !== 'folder') throw fail.storageNotFolder({ place: this.place, path });
    yield* this.#inside(path, textIn(top, 'id'), { signal, deep, enters });
  }

  /** Entries of a folder that is known by its id, and stands at a path. */
  async *#inside(
    path: string,
    top: string,
    { signal, deep, enters = () => true }: ListOptions,
  ): AsyncGenerator<readonly Entry[], void> {
    const waiting: (readonly [path: string, id: string])[] = [[path, top]];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [folder, id] = next;
      for await (const items of this.pages(id, { signal })) {
        const entries = items.map((item) => entryOf(below(folder, textIn(item, 'name')), item));
        if (deep)
          for (const entry of entries)
            if (entry.kind === 'folder' && enters(entry.path)) waiting.push([entry.path, entry.id ?? '']);
        yield entries;
      }
    }
  }

  /** Entries of a folder, by its id; so many at once. */
  async *pages(
    id: string,
    { signal, limit = 1000 }: CallOptions & { readonly limit?: number },
  ): AsyncGenerator<readonly JsonObject[], void> {
    for (let marker: string | undefined = ''; marker !== undefined;) {
      const query = new URLSearchParams({ fields: FIELDS, limit: String(limit), usemarker: 'true' });
      if (marker !== '') query.set('marker', marker);
      const url = `${this.#at.api}/folders/${strictly(id)}/items?${query.toString()}`;
      const page = await this.#service.ask({ method: 'GET', url, signal, path: id });
      yield listIn(page, 'entries');
      const next = textIn(page, 'next_marker') || undefined;
      if (next === marker)
        throw fail.storageAnswer({ place: this.place, reason: 'it sends the same page again and again' });
      marker = next;
    }
  }

  async read(path: string, options: CallOptions & { readonly from?: number }): Promise<Reading> {
    const item = await this.#item(namesOf(path), path, options.signal);
    if (!item) throw fail.storageNotFound({ place: this.place, path });
    if (textIn(item, 'type') !== 'file') throw fail.storageIsFolder({ place: this.place, path });
    return await this.#readId(textIn(item, 'id'), path, options);
  }

  async #readId(id: string, path: string, { signal, from = 0 }: CallOptions & { readonly from?: number }) {
    const url = `${this.#at.api}/files/${strictly(id)}/content`;
    const headers: Record<string, string> = from > 0 ? { range: `bytes=${from}-` } : {};
    // It leads to another host, where the token does not go.
    const stream = await this.#service.receive({
      method: 'GET',
      url,
      headers,
      signal,
      path,
      follow: true,
      fine: [202],
    });
    if (stream.status !== 202) return readingOf(stream, from, this.place);
    stream.close();
    throw fail.storageUnavailable({ place: this.place, reason: 'the file is not ready yet' });
  }

  async write(path: string, content: Content, { signal }: CallOptions): Promise<Stored> {
    const names = requireNames(path, REFUSED, 'backslashes, or blanks at their ends');
    return await this.#turns.of(names.join('/').toLowerCase(), async () => {
      const folder = await this.#folderId(names.slice(0, -1), path, signal);
      const there = await this.#item(names, path, signal);
      if (there && textIn(there, 'type') !== 'file') throw fail.storageIsFolder({ place: this.place, path });
      if (there && content.exclusive) throw fail.storageExists({ place: this.place, path });
      const target = there ? { file: textIn(there, 'id') } : { folder, name: names.at(-1) ?? '' };
      return await this.#send(target, path, content, signal);
    });
  }

  async #send(target: Target, path: string, content: Content, signal: AbortSignal): Promise<Stored> {
    const item =
      content.size >= IN_PARTS
        ? await this.#sendParts(target, path, content, signal)
        : await this.#sendWhole(target, path, content, signal);
    return storedOf(item);
  }

  async #sendWhole(target: Target, path: string, content: Content, signal: AbortSignal): Promise<JsonObject> {
    const bytes = await wholeOf(content.body, content.size);
    const attributes = {
      ...('folder' in target && { name: target.name, parent: { id: target.folder } }),
      ...timeOf(content),
    };
    const form = multipart('form-data', [
      { headers: ['Content-Disposition: form-data; name="attributes"'], content: JSON.stringify(attributes) },
      {
        headers: [
          'Content-Disposition: form-data; name="file"; filename="file"',
          'Content-Type: application/octet-stream',
        ],
        content: bytes,
      },
    ]);
    const answer = await this.#service.ask({
      method: 'POST',
      url: `${this.#at.upload}/files/${'file' in target ? `${strictly(target.file)}/` : ''}content?fields=${FIELDS}`,
      // The header bears another name than the digest that it holds.
      headers: { 'content-type': form.type, 'content-md5': sha1(bytes).toString('hex') },
      body: form.body,
      signal,
      path,
      once: true,
    });
    return this.#onlyEntry(answer);
  }

  async #sendParts(target: Target, path: string, content: Content, signal: AbortSignal): Promise<JsonObject> {
    const { size, kept } = content;
    const parts = ArrivedParts.noted(kept) ?? (await this.#begin(target, path, content, signal));
    const url = this.#sessionUrl(parts.id);
    const whole = createHash('sha1');
    try {
      await parts.fill(content.body, {
        atOnce: 1,
        digest: (bytes) => {
          whole.update(bytes);
          return sha1(bytes).toString('base64');
        },
        send: async (number, bytes, digest) => {
          const at = (number - 1) * parts.partSize;
          const headers = {
            'content-type': 'application/octet-stream',
            'content-range': `bytes ${at}-${at + bytes.length - 1}/${size}`,
            digest: `sha=${digest}`,
          };
          const answer = await this.#service.send({
            method: 'PUT',
            url,
            headers,
            body: bytes,
            signal,
            path,
            fine: [404],
          });
          if (answer.status === 404) throw forgotten(this.place, 'the upload is forgotten over there');
          return objectIn(this.#service.objectIn(answer), 'part');
        },
      });
      const told = { parts: parts.all().map(([, part]) => part.told), attributes: timeOf(content) };
      return await this.#commit(url, told, whole.digest('base64'), path, signal);
    } catch (error) {
      if (isForgotten(error)) await kept?.forget();
      if (!kept) await tidyUp(signal, (own) => this.#drop(parts.id, path, own));
      throw error;
    }
  }

  async #begin(target: Target, path: string, { size, kept }: Content, signal: AbortSignal): Promise<ArrivedParts> {
    const json =
      'file' in target ? { file_size: size } : { file_size: size, file_name: target.name, folder_id: target.folder };
    const start = `${this.#at.upload}/files/${'file' in target ? `${strictly(target.file)}/` : ''}upload_sessions`;
    const begun = await this.#service.ask({ method: 'POST', url: start, json, signal, path, once: true });
    const [id, { part_size: partSize }] = [textIn(begun, 'id'), begun];
    if (id === '' || typeof partSize !== 'number' || !(partSize > 0 && partSize <= LARGEST_PART))
      throw fail.storageAnswer({ place: this.place, reason: 'it names no upload session that can be used' });
    const parts = new ArrivedParts({ id, partSize }, kept);
    await parts.keep();
    return parts;
  }

  #sessionUrl(id: string): string {
    return `${this.#at.upload}/files/upload_sessions/${strictly(id)}`;
  }

  async #drop(id: string, path: string, signal: AbortSignal): Promise<void> {
    const url = this.#sessionUrl(id);
    await this.#service.send({ method: 'DELETE', url, signal, path, fine: [404, 410], once: true });
  }

  async abandon(path: string, { id }: JsonObject, { signal }: CallOptions): Promise<void> {
    if (typeof id === 'string') await this.#drop(id, path, signal);
  }

  /** The service may need some time to put the parts together; it says when to ask again. */
  async #commit(url: string, json: object, digest: string, path: string, signal: AbortSignal): Promise<JsonObject> {
    for (let tries = 1; tries <= 60; tries += 1) {
      const headers = { digest: `sha=${digest}` };
      const commit = {
        method: 'POST',
        url: `${url}/commit`,
        headers,
        json,
        signal,
        path,
        fine: [404],
      };
      const answer = await this.#service.send(commit);
      if (answer.status === 404) throw forgotten(this.place, 'the upload is forgotten over there');
      if (answer.status !== 202) return this.#onlyEntry(this.#service.objectIn(answer));
      const seconds = Number(answer.headers['retry-after'] ?? 1);
      await this.#tools.clock.sleep(Math.min(Number.isFinite(seconds) ? seconds : 1, 30) * 1000, signal);
    }
    throw fail.storageUnavailable({ place: this.place, reason: 'the parts are still not put together' });
  }

  #onlyEntry(answer: JsonObject): JsonObject {
    const [item] = listIn(answer, 'entries');
    if (!item) throw fail.storageAnswer({ place: this.place, reason: 'it does not say what it has stored' });
    return item;
  }

  async remove(path: string, { signal }: CallOptions): Promise<void> {
    const names = namesOf(path);
    const item = await this.#item(names, path, signal);
    if (!item) throw fail.storageNotFound({ place: this.place, path });
    if (textIn(item, 'type') === 'folder') await this.removeFolder(textIn(item, 'id'), { signal, path });
    else await this.removeFile(textIn(item, 'id'), { signal, path });
    const key = names.join('/');
    for (const folder of this.#folders.keys())
      if (folder === key || folder.startsWith(`${key}/`)) this.#folders.delete(folder);
  }

  async removeFile(id: string, { signal, path = id }: CallOptions & { readonly path?: string }): Promise<void> {
    await this.#service.send({
      method: 'DELETE',
      url: `${this.#at.api}/files/${strictly(id)}`,
      signal,
      path,
      once: true,
    });
  }

  /** Fails where it is not empty, unless all of it is to go. */
  async removeFolder(
    id: string,
    { signal, path = id, all = false }: CallOptions & { readonly path?: string; readonly all?: boolean },
  ): Promise<void> {
    if (id === TOP) throw fail.storagePath({ path, reason: 'the top cannot be deleted' });
    const url = `${this.#at.api}/folders/${strictly(id)}?recursive=${String(all)}`;
    await this.#service.send({ method: 'DELETE', url, signal, path, once: true });
    for (const [folder, known] of this.#folders) if (all || known === id) this.#folders.delete(folder);
  }

  async makeFolder(path: string, { signal }: CallOptions): Promise<void> {
    const names = namesOf(path);
    for (const [index, name] of names.entries()) {
      const key = names.slice(0, index + 1).join('/');
      await this.#turns.of(`${key}/`, async () => {
        if (this.#folders.has(key)) return;
        const parent = await this.#folderId(names.slice(0, index), path, signal);
        this.#folders.set(key, await this.#folderIn(parent, name, key, signal));
      });
    }
  }

  async #folderIn(parent: string, name: string, path: string, signal: AbortSignal): Promise<string> {
    const url = `${this.#at.api}/folders?fields=id`;
    const json = { name, parent: { id: parent } };
    const answer = await this.#service.send({ method: 'POST', url, json, signal, path, fine: [409] });
    if (answer.status !== 409) return textIn(this.#service.objectIn(answer), 'id');
    // It is there already: then the answer says what.
    const [there] = listIn(objectIn(this.#service.objectIn(answer), 'context_info'), 'conflicts');
    if (textIn(there ?? {}, 'type') !== 'folder') throw fail.storageNotFolder({ place: this.place, path });
    return textIn(there ?? {}, 'id');
  }

  async close(): Promise<void> {}

  /** Its paths are ids of files. */
  byId(): Backend {
    return only(this, {
      stat: async (id, { signal }) => {
        const url = `${this.#at.api}/files/${strictly(id)}?fields=${FIELDS}`;
        const answer = await this.#service.send({ method: 'GET', url, signal, path: id, fine: [404] });
        return answer.status === 404 ? undefined : entryOf(id, this.#service.objectIn(answer));
      },
      read: (id, options) => this.#readId(id, id, options),
    });
  }

  /** Paths begin at a folder. What is there already stays: files are new ones, or fail. */
  within(folder: string): Backend {
    const own = new Map<string, string>();
    const idOf = (path: string): string => {
      const id = path === '' ? folder : own.get(path);
      if (id === undefined) throw fail.storageNotFound({ place: this.place, path });
      return id;
    };
    return only(this, {
      list: (path, options) => this.#inside(path, idOf(path), options),
      abandon: (path, note, options) => this.abandon(path, note, options),
      makeFolder: async (path, { signal }) => {
        const names = namesOf(path);
        for (const [index, name] of names.entries()) {
          const [above, here] = [names.slice(0, index).join('/'), names.slice(0, index + 1).join('/')];
          if (!own.has(here)) own.set(here, await this.#folderIn(idOf(above), name, here, signal));
        }
      },
      write: async (path, content, { signal }) => {
        const names = requireNames(path, REFUSED, 'backslashes, or blanks at their ends');
        const target = { folder: idOf(names.slice(0, -1).join('/')), name: names.at(-1) ?? '' };
        return await this.#send(target, path, content, signal);
      },
    });
  }

  async #item(names: readonly string[], path: string, signal: AbortSignal): Promise<JsonObject | undefined> {
    const name = names.at(-1);
    if (name === undefined) return { id: TOP, type: 'folder' };
    const parent = await this.#knownFolder(names.slice(0, -1), path, signal);
    if (parent === undefined) return undefined;
    for await (const items of this.pages(parent, { signal })) {
      const same = items.find((item) => textIn(item, 'name').toLowerCase() === name.toLowerCase());
      if (same) return same;
    }
    return undefined;
  }

  async #folderId(names: readonly string[], path: string, signal: AbortSignal): Promise<string> {
    const id = await this.#knownFolder(names, path, signal);
    if (id === undefined) throw fail.storageNotFound({ place: this.place, path: names.join('/') });
    return id;
  }

  async #knownFolder(names: readonly string[], path: string, signal: AbortSignal): Promise<string | undefined> {
    if (names.length === 0) return TOP;
    const key = names.join('/');
    const known = this.#folders.get(key);
    if (known !== undefined) return known;
    const item = await this.#item(names, path, signal);
    if (!item || textIn(item, 'type') !== 'folder') return undefined;
    this.#folders.set(key, textIn(item, 'id'));
    return textIn(item, 'id');
  }
}

/** To the second, as the service keeps it. */
function timeOf({ mtime_ms }: Content): { readonly content_modified_at?: string } {
  return mtime_ms === undefined
    ? {}
    : { content_modified_at: new Date(mtime_ms).toISOString().replace(/\.\d+Z$/, '+00:00') };
}

function entryOf(path: string, item: JsonObject): Entry {
  const type = textIn(item, 'type');
  const mtime = Date.parse(textIn(item, 'content_modified_at'));
  return {
    path,
    name: nameOf(path),
    kind: type === 'file' || type === 'folder' ? type : 'other',
    ...(type === 'file' && storedOf(item)),
    ...(type === 'file' && !Number.isNaN(mtime) && { mtime_ms: mtime }),
    id: textIn(item, 'id'),
  };
}

function storedOf(item: JsonObject): Stored {
  const { size } = item;
  const [digest, etag] = [textIn(item, 'sha1').toLowerCase(), textIn(item, 'etag')];
  return {
    ...(typeof size === 'number' && { size }),
    ...(digest !== '' && { digest }),
    version: `${etag} ${digest}`,
    id: textIn(item, 'id'),
  };
}

/** The service asks for this digest; it guards against accidents, not against people. */
function sha1(bytes: Uint8Array): Buffer {
  return createHash('sha1').update(bytes).digest();
}

function explain(text: string): { readonly code: string; readonly message: string } {
  const error = jsonIn(text) ?? {};
  return { code: textIn(error, 'code'), message: textIn(error, 'message') };
}

/** Failures that only this service tells. */
function meaning({ status, code, reason, path, place }: RefusalFacts): Failure | undefined {
  const about = { place, path, reason };
  if (code === 'item_name_in_use') return fail.storageExists(about);
  if (code === 'item_name_invalid' || code === 'item_name_too_long') return fail.storagePath({ path, reason });
  if (code === 'folder_not_empty') return fail.storageFolderNotEmpty(about);
  if (code === 'storage_limit_exceeded') return fail.storageFull(about);
  if (code === 'operation_blocked_temporary' || code === 'name_temporarily_reserved')
    return fail.storageUnavailable({ place, reason });
  return status === 409 ? fail.storageRejected(about) : undefined;
}
