import * as fail from '#schemas/generated/failures.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import type { Backend, CallOptions, Capabilities, Content, Entry, ListOptions, Reading, Stored } from '../backend.ts';
import type { Access } from '../drives/access.ts';
import { ApiService, listIn, textIn, type ApiTools } from '../drives/api-service.ts';
import { InTurn } from '../drives/in-turn.ts';
import { multipart } from '../drives/multipart.ts';
import { below, namesOf } from '../drives/names.ts';
import { only } from '../drives/only.ts';
import { readingOf, wholeOf } from '../reading.ts';
import { sendBySession, type Progressed, type ResumableUpload } from '../drives/resumable.ts';
import { forgotten } from '../forgotten.ts';
import { nameOf } from '../remote-path.ts';
import { requireSafeAddress } from '../service-address.ts';
import { tidyUp } from '../tidied-up.ts';
import { meaning } from './meaning.ts';
import { quoted } from './quoted.ts';

export interface DriveTools extends ApiTools {
  readonly warn: (text: string) => void;
}

/** Larger files are sent in parts; a multiple of 256 KiB. */
const PART = 8 * 1024 * 1024;
const FOLDER = 'application/vnd.google-apps.folder';
const FIELDS = 'id,name,mimeType,size,modifiedTime,md5Checksum,headRevisionId';
const ANY_DRIVE = { supportsAllDrives: 'true' };

/** Target of an upload: the place of a file, or a new name in a folder. */
type Target = { readonly id: string } | { readonly folder: string; readonly name: string };

interface Sending {
  readonly path: string;
  readonly mediaType?: string;
}

/**
 * Google's drive, version 3. It knows files by id; names may stand twice in a folder and hold slashes. As a backend it
 * takes the oldest of a name, and writes of one path go one after the other.
 */
export class Drive implements Backend {
  readonly scheme = 'drive';
  readonly place: string;
  readonly can: Capabilities = {
    folders: true,
    rename: false,
    ranges: true,
    append: false,
    times: 1,
    exclusive: false,
    tellsAbsent: true,
    resumes: PART,
    digest: 'md5',
  };
  readonly #tools: DriveTools;
  readonly #service: ApiService;
  readonly #base: string;
  readonly #turns = new InTurn();
  /** Ids of folders by path. */
  readonly #folders = new Map<string, string>();
  #freeIds: string[] = [];

  constructor(tools: DriveTools, access: Access, endpoint: string | undefined) {
    this.#tools = tools;
    const base = endpoint === undefined ? undefined : requireSafeAddress('drive', endpoint, { secret: true });
    this.#base = base?.href.replace(/\/+$/, '') ?? 'https://www.googleapis.com';
    this.place = base ? `the drive at ${base.host}` : 'the drive';
    this.#service = new ApiService(tools, this.place, access, meaning);
  }

  async stat(path: string, { signal }: CallOptions): Promise<Entry | undefined> {
    const item = await this.#at(namesOf(path), path, signal);
    return item && entryOf(path, item);
  }

  async *list(
    path: string,
    { signal, deep, enters = () => true }: ListOptions,
  ): AsyncGenerator<readonly Entry[], void> {
    const top = await this.#at(namesOf(path), path, signal);
    if (!top) throw fail.storageNotFound({ place: this.place, path });
    if (!isFolder(top)) throw fail.storageNotFolder({ place: this.place, path });
    const waiting: (readonly [path: string, id: string])[] = [[path, textIn(top, 'id')]];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [folder, id] = next;
      for await (const items of this.#inside(id, signal)) {
        const shown = items.map((item) => [entryOf(below(folder, textIn(item, 'name')), item), item] as const);
        if (deep)
          for (const [entry, item] of shown)
            if (entry.kind === 'folder' && enters(entry.path)) waiting.push([entry.path, textIn(item, 'id')]);
        yield shown.map(([entry]) => entry);
      }
    }
  }

  async read(path: string, options: CallOptions & { readonly from?: number }): Promise<Reading> {
    const item = await this.#at(namesOf(path), path, options.signal);
    if (!item) throw fail.storageNotFound({ place: this.place, path });
    if (isFolder(item)) throw fail.storageIsFolder({ place: this.place, path });
    return await this.#readId(textIn(item, 'id'), path, options);
  }

  async #readId(id: string, path: string, { signal, from = 0 }: CallOptions & { readonly from?: number }) {
    const url = this.#url(`drive/v3/files/${encodeURIComponent(id)}`, { ...ANY_DRIVE, alt: 'media' });
    const headers: Record<string, string> = from > 0 ? { range: `bytes=${from}-` } : {};
    const stream = await this.#service.receive({ method: 'GET', url, headers, signal, path, follow: true });
    return readingOf(stream, from, this.place);
  }

  async write(path: string, content: Content, { signal }: CallOptions): Promise<Stored> {
    const names = namesOf(path);
    const name = names.at(-1);
    if (name === undefined) throw fail.storagePath({ path, reason: 'it names the top and no file in it' });
    return await this.#turns.of(names.join('/'), async () => {
      const folder = await this.#folderId(names.slice(0, -1), path, signal);
      const there = await this.#child(folder, name, path, signal);
      if (there && isFolder(there)) throw fail.storageIsFolder({ place: this.place, path });
      if (there && content.exclusive) throw fail.storageExists({ place: this.place, path });
      const target = there ? { id: textIn(there, 'id') } : { folder, name };
      return storedOf(await this.#send(target, content, { path }, signal));
    });
  }

  async #send(target: Target, content: Content, sending: Sending, signal: AbortSignal): Promise<JsonObject> {
    const id = 'id' in target ? target.id : await this.#newId(signal);
    const metadata = {
      ...('folder' in target && { id, name: target.name, parents: [target.folder] }),
      ...(content.mtime_ms !== undefined && { modifiedTime: new Date(content.mtime_ms).toISOString() }),
      ...(sending.mediaType !== undefined && { mimeType: sending.mediaType }),
    };
    const request = {
      method: 'id' in target ? 'PATCH' : 'POST',
      of: 'id' in target ? `/${encodeURIComponent(id)}` : '',
      id,
      metadata,
      type: sending.mediaType ?? 'application/octet-stream',
      path: sending.path,
    };
    return content.size > PART
      ? await this.#sendParts(request, content, signal)
      : await this.#sendWhole(request, content, signal);
  }

  async #sendWhole(
    { method, of, id, metadata, type, path }: UploadRequest,
    { body, size }: Content,
    signal: AbortSignal,
  ): Promise<JsonObject> {
    const content = await wholeOf(body, size);
    const parts = [
      { headers: ['Content-Type: application/json; charset=UTF-8'], content: JSON.stringify(metadata) },
      { headers: [`Content-Type: ${type}`], content },
    ];
    const related = multipart('related', parts);
    const answer = await this.#service.send({
      method,
      url: this.#url(`upload/drive/v3/files${of}`, { ...ANY_DRIVE, uploadType: 'multipart', fields: FIELDS }),
      headers: { 'content-type': related.type },
      body: related.body,
      signal,
      path,
      fine: [409],
    });
    // The id is ours: a file that has it was made by this request, whose answer got lost.
    return answer.status === 409 ? await this.#get(id, path, signal) : this.#service.objectIn(answer);
  }

  async #sendParts(request: UploadRequest, content: Content, signal: AbortSignal): Promise<JsonObject> {
    const { path } = request;
    const sessions = {
      partSize: PART,
      kept: content.kept,
      begin: () => this.#begin(request, content.size, signal),
      at: (session: string) => this.#upload(session, content.size, path, signal),
      end: (session: string) => tidyUp(signal, (own) => this.#end(session, path, own)),
    };
    return await sendBySession(sessions, content.body);
  }

  async #end(url: string, path: string, signal: AbortSignal): Promise<void> {
    await this.#service.send({ method: 'DELETE', url, signal, path, fine: [404, 410, 499], once: true });
  }

  async abandon(path: string, { session }: JsonObject, { signal }: CallOptions): Promise<void> {
    if (typeof session === 'string') await this.#end(this.#sameOrigin(session), path, signal);
  }

  async #begin(
    { method, of, metadata, type, path }: UploadRequest,
    size: number,
    signal: AbortSignal,
  ): Promise<string> {
    const { headers } = await this.#service.send({
      method,
      url: this.#url(`upload/drive/v3/files${of}`, { ...ANY_DRIVE, uploadType: 'resumable', fields: FIELDS }),
      headers: { 'x-upload-content-type': type, 'x-upload-content-length': String(size) },
      json: metadata,
      signal,
      path,
    });
    return this.#sameOrigin(headers['location'] ?? '');
  }

  /** The token goes along: it stays where it belongs. */
  #sameOrigin(address: string): string {
    const url = URL.parse(address);
    if (url?.origin !== new URL(this.#base).origin)
      throw fail.storageAnswer({ place: this.place, reason: 'the address of the upload is another place' });
    return url.href;
  }

  #upload(session: string, size: number, path: string, signal: AbortSignal): ResumableUpload {
    const url = this.#sameOrigin(session);
    const put = async (range: string, body: Uint8Array, once: boolean): Promise<Progressed> => {
      const headers = { 'content-range': range };
      const answer = await this.#service.send({
        method: 'PUT',
        url,
        headers,
        body,
        signal,
        path,
        fine: [308, 404, 410],
        once,
      });
      if (answer.status === 404 || answer.status === 410)
        throw forgotten(this.place, 'the upload is forgotten over there');
      if (answer.status !== 308) return { file: this.#service.objectIn(answer) };
      const [, last] = /^bytes=0-(\d+)$/.exec(answer.headers['range'] ?? '') ?? [];
      return { next: last === undefined ? 0 : Number(last) + 1 };
    };
    return {
      clock: this.#tools.clock,
      place: this.place,
      signal,
      put: (bytes, start) => put(`bytes ${start}-${start + bytes.length - 1}/${size}`, bytes, true),
      ask: () => put(`bytes */${size}`, new Uint8Array(), false),
    };
  }

  async remove(path: string, { signal }: CallOptions): Promise<void> {
    const names = namesOf(path);
    if (names.length === 0) throw fail.storagePath({ path, reason: 'the top cannot be deleted' });
    const item = await this.#at(names, path, signal);
    if (!item) throw fail.storageNotFound({ place: this.place, path });
    if (isFolder(item)) await this.#requireEmpty(textIn(item, 'id'), path, signal);
    await this.removeId(textIn(item, 'id'), { signal });
    for (const folder of this.#folders.keys())
      if (folder === names.join('/') || folder.startsWith(`${names.join('/')}/`)) this.#folders.delete(folder);
  }

  async #requireEmpty(id: string, path: string, signal: AbortSignal): Promise<void> {
    for await (const items of this.#inside(id, signal))
      if (items.length > 0) throw fail.storageFolderNotEmpty({ place: this.place, path });
  }

  async makeFolder(path: string, { signal }: CallOptions): Promise<void> {
    const names = namesOf(path);
    for (const [index, name] of names.entries()) {
      const above = names.slice(0, index);
      const key = names.slice(0, index + 1).join('/');
      await this.#turns.of(key, async () => {
        if (this.#folders.has(key)) return;
        const parent = await this.#folderId(above, path, signal);
        const there = await this.#child(parent, name, path, signal);
        if (there && !isFolder(there)) throw fail.storageNotFolder({ place: this.place, path: key });
        this.#folders.set(key, there ? textIn(there, 'id') : await this.addFolder(name, parent, { signal }));
      });
    }
  }

  async close(): Promise<void> {}

  /** Makes a folder, also where one of that name stands already; yields its id. */
  async addFolder(name: string, parent: string, { signal }: CallOptions): Promise<string> {
    const id = await this.#newId(signal);
    const json = { id, name, mimeType: FOLDER, parents: [parent] };
    const url = this.#url('drive/v3/files', { ...ANY_DRIVE, fields: 'id' });
    await this.#service.send({ method: 'POST', url, json, signal, path: name, fine: [409] });
    return id;
  }

  /** Files that fit a query, page by page, with the fields that a mask names. */
  async *pages(
    query: string | undefined,
    { signal, mask = `files(${FIELDS})` }: CallOptions & { readonly mask?: string },
  ): AsyncGenerator<readonly JsonObject[], void> {
    const fields = mask.includes('nextPageToken') ? mask : `nextPageToken,${mask}`;
    for (let token: string | undefined = ''; token !== undefined;) {
      const url = this.#url('drive/v3/files', {
        ...(query !== undefined && { q: query }),
        fields,
        pageSize: '1000',
        orderBy: 'createdTime',
        ...(token !== '' && { pageToken: token }),
        ...ANY_DRIVE,
        includeItemsFromAllDrives: 'true',
      });
      const page = await this.#service.ask({ method: 'GET', url, signal, path: query ?? '' });
      yield listIn(page, 'files');
      const next = textIn(page, 'nextPageToken') || undefined;
      if (next === token)
        throw fail.storageAnswer({ place: this.place, reason: 'it sends the same page again and again' });
      token = next;
    }
  }

  /** Lets somebody have a file; yields the id of that right. */
  async share(id: string, right: Readonly<Record<string, string>>, { signal }: CallOptions): Promise<string> {
    if (right['type'] === 'anyone' && right['role'] === 'writer')
      this.#tools.warn(`everybody with the link may change the file ${id} from now on`);
    const url = this.#url(`drive/v3/files/${encodeURIComponent(id)}/permissions`, {
      ...ANY_DRIVE,
      fields: 'id',
      ...(right['role'] === 'owner' && { transferOwnership: 'true' }),
    });
    return textIn(await this.#service.ask({ method: 'POST', url, json: right, signal, path: id, once: true }), 'id');
  }

  /** For good, not into the trash; a folder with all that is in it. */
  async removeId(id: string, { signal }: CallOptions): Promise<void> {
    const url = this.#url(`drive/v3/files/${encodeURIComponent(id)}`, ANY_DRIVE);
    await this.#service.send({ method: 'DELETE', url, signal, path: id, once: true });
  }

  /** Its paths are ids of files. */
  byId(): Backend {
    return only(this, {
      stat: async (id, { signal }) => entryOf(id, await this.#get(id, id, signal)),
      read: (id, options) => this.#readId(id, id, options),
    });
  }

  /** Each file that is written becomes a new one in a folder; its path is its name. The oldest are listed first. */
  into(folder: string, mediaType: string): Backend {
    return only(this, {
      place: `${this.place}, folder ${folder}`,
      list: (_path, { signal }) => this.#entriesIn(folder, signal),
      abandon: (name, note, options) => this.abandon(name, note, options),
      write: async (name, content, { signal }) =>
        storedOf(await this.#send({ folder, name }, content, { path: name, mediaType }, signal)),
    });
  }

  async *#entriesIn(folder: string, signal: AbortSignal): AsyncGenerator<readonly Entry[], void> {
    for await (const items of this.#inside(folder, signal))
      yield items.map((item) => entryOf(textIn(item, 'name'), item));
  }

  #inside(folder: string, signal: AbortSignal): AsyncGenerator<readonly JsonObject[], void> {
    return this.pages(`'${quoted(folder)}' in parents and trashed = false`, { signal });
  }

  async #get(id: string, path: string, signal: AbortSignal): Promise<JsonObject> {
    const url = this.#url(`drive/v3/files/${encodeURIComponent(id)}`, { ...ANY_DRIVE, fields: FIELDS });
    return await this.#service.ask({ method: 'GET', url, signal, path });
  }

  async #at(names: readonly string[], path: string, signal: AbortSignal): Promise<JsonObject | undefined> {
    const name = names.at(-1);
    if (name === undefined) return { id: 'root', name: '', mimeType: FOLDER };
    const parent = await this.#knownFolder(names.slice(0, -1), path, signal);
    return parent === undefined ? undefined : await this.#child(parent, name, path, signal);
  }

  async #folderId(names: readonly string[], path: string, signal: AbortSignal): Promise<string> {
    const id = await this.#knownFolder(names, path, signal);
    if (id === undefined) throw fail.storageNotFound({ place: this.place, path: names.join('/') });
    return id;
  }

  async #knownFolder(names: readonly string[], path: string, signal: AbortSignal): Promise<string | undefined> {
    const name = names.at(-1);
    if (name === undefined) return 'root';
    const key = names.join('/');
    const known = this.#folders.get(key);
    if (known !== undefined) return known;
    const parent = await this.#knownFolder(names.slice(0, -1), path, signal);
    const item = parent === undefined ? undefined : await this.#child(parent, name, path, signal);
    if (!item || !isFolder(item)) return undefined;
    this.#folders.set(key, textIn(item, 'id'));
    return textIn(item, 'id');
  }

  /** The oldest of that very name. */
  async #child(folder: string, name: string, _path: string, signal: AbortSignal): Promise<JsonObject | undefined> {
    const query = `name = '${quoted(name)}' and '${quoted(folder)}' in parents and trashed = false`;
    for await (const items of this.pages(query, { signal })) {
      const same = items.find((item) => textIn(item, 'name') === name);
      if (same) return same;
    }
    return undefined;
  }

  /** Ids that the service gives out ahead: what is made with one of them is not made twice. */
  async #newId(signal: AbortSignal): Promise<string> {
    if (this.#freeIds.length === 0) {
      const url = this.#url('drive/v3/files/generateIds', { count: '100', space: 'drive' });
      const { ids } = await this.#service.ask({ method: 'GET', url, signal, path: '' });
      this.#freeIds = Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
    }
    const id = this.#freeIds.pop();
    if (id === undefined) throw fail.storageAnswer({ place: this.place, reason: 'it gives out no ids' });
    return id;
  }

  #url(path: string, query: Readonly<Record<string, string>>): string {
    return `${this.#base}/${path}?${new URLSearchParams(query).toString()}`;
  }
}

interface UploadRequest {
  readonly method: string;
  /** Id of the file that is replaced, behind a slash. */
  readonly of: string;
  readonly id: string;
  readonly metadata: object;
  readonly type: string;
  readonly path: string;
}

function isFolder(item: JsonObject): boolean {
  return item['mimeType'] === FOLDER;
}

function entryOf(path: string, item: JsonObject): Entry {
  const mtime = Date.parse(textIn(item, 'modifiedTime'));
  // Documents of the service itself have no bytes, and a name with a slash no path.
  const isFile = item['size'] !== undefined && !textIn(item, 'name').includes('/');
  return {
    path,
    name: textIn(item, 'name') || nameOf(path),
    kind: isFolder(item) ? 'folder' : isFile ? 'file' : 'other',
    ...storedOf(item),
    ...(!Number.isNaN(mtime) && { mtime_ms: mtime }),
  };
}

function storedOf(item: JsonObject): Stored {
  const [digest, version] = [textIn(item, 'md5Checksum'), textIn(item, 'headRevisionId')];
  return {
    ...(item['size'] !== undefined && { size: Number(item['size']) }),
    ...(digest !== '' && { digest }),
    ...(version !== '' && { version }),
    id: textIn(item, 'id'),
  };
}
