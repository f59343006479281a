import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import type { Backend, CallOptions, Capabilities, Content, Entry, Reading, Stored } from '../backend.ts';
import { givenAccess } from '../drives/access.ts';
import { ApiService, jsonIn, listIn, objectIn, textIn, type ApiTools } from '../drives/api-service.ts';
import { below, namesOf, requireNames } from '../drives/names.ts';
import { readingOf, wholeOf } from '../reading.ts';
import type { Explained, RefusalFacts } from '../http-service.ts';
import { forgotten } from '../forgotten.ts';
import { inParts } from '../in-parts.ts';
import { nameOf } from '../remote-path.ts';
import { requireSafeAddress } from '../service-address.ts';
import { ContentHash } from './content-hash.ts';
import type { FilesyncLogin } from './login.ts';

/** Larger files are sent in parts; a multiple of 4 MiB. */
const PART = 8 * 1024 * 1024;
/** Characters that the service refuses, or leaves out when it stores a name. */
const REFUSED = /[\\\u007F]|\s$/u;

/** The HTTP interface of Dropbox. Letter case means nothing over there; folders come with their files. */
export class FileSync implements Backend {
  readonly scheme = 'filesync';
  readonly place: string;
  readonly can: Capabilities = {
    folders: true,
    rename: false,
    ranges: true,
    append: false,
    times: 1000,
    exclusive: true,
    tellsAbsent: true,
    resumes: PART,
    digest: 'dropbox',
  };
  readonly #service: ApiService;
  readonly #api: string;
  readonly #content: string;

  constructor(tools: ApiTools, { token, endpoint }: FilesyncLogin) {
    const base = endpoint === undefined ? undefined : requireSafeAddress('filesync', endpoint, { secret: true });
    const own = base?.href.replace(/\/+$/, '');
    this.#api = `${own ?? 'https://api.dropboxapi.com'}/2`;
    this.#content = `${own ?? 'https://content.dropboxapi.com'}/2`;
    this.place = base ? `the file-sync service at ${base.host}` : 'the file-sync service';
    if (token.trim() === '') throw fail.storageLoginForm({ backend: 'filesync', reason: 'the token is empty' });
    this.#service = new ApiService(tools, this.place, givenAccess(token), { explain, judge: meaning });
  }

  async stat(path: string, { signal }: CallOptions): Promise<Entry | undefined> {
    const there = namesOf(path);
    if (there.length === 0) return { path, name: '', kind: 'folder' };
    const url = `${this.#api}/files/get_metadata`;
    const answer = await this.#service.send({
      method: 'POST',
      url,
      json: { path: full(there) },
      signal,
      path,
      fine: [409],
    });
    if (answer.status !== 409) return entryOf(path, this.#service.objectIn(answer));
    const { code = '' } = explain(new TextDecoder().decode(answer.body));
    if (code.startsWith('path/not_found')) return undefined;
    throw conflict({ code, reason: code, path, place: this.place });
  }

  async *list(
    path: string,
    { signal, deep }: CallOptions & { readonly deep?: boolean },
  ): AsyncGenerator<readonly Entry[], void> {
    const top = full(namesOf(path));
    const first = { path: top, recursive: deep === true, limit: 2000, include_deleted: false };
    let url = `${this.#api}/files/list_folder`;
    let json: unknown = first;
    for (;;) {
      const page = await this.#service.ask({ method: 'POST', url, json, signal, path });
      yield listIn(page, 'entries').flatMap((item) => {
        const relative = textIn(item, 'path_display').slice(top.length).replace(/^\//, '');
        return relative === '' ? [] : [entryOf(below(path, relative), item)];
      });
      if (page['has_more'] !== true) return;
      const cursor = textIn(page, 'cursor');
      if (cursor === '')
        throw fail.storageAnswer({ place: this.place, reason: 'a page has no cursor for the next one' });
      url = `${this.#api}/files/list_folder/continue`;
      json = { cursor };
    }
  }

  async read(path: string, { signal, from = 0 }: CallOptions & { readonly from?: number }): Promise<Reading> {
    const stream = await this.#service.receive({
      method: 'POST',
      url: `${this.#content}/files/download`,
      headers: { ...argument({ path: full(namesOf(path)) }), ...(from > 0 && { range: `bytes=${from}-` }) },
      signal,
      path,
    });
    const reading = readingOf(stream, from, this.place);
    const said = textIn(jsonIn(stream.headers['dropbox-api-result'] ?? '') ?? {}, 'content_hash');
    if (from > 0 || said === '') return reading;
    return { ...reading, body: compared(reading.body, (actual) => this.#compare(path, said, actual)) };
  }

  async write(path: string, content: Content, { signal }: CallOptions): Promise<Stored> {
    const names = requireNames(path, REFUSED, 'backslashes, or blanks at their end');
    const commit = {
      path: full(names),
      mode: content.exclusive ? 'add' : 'overwrite',
      autorename: false,
      mute: true,
      strict_conflict: true,
      ...(content.mtime_ms !== undefined && { client_modified: secondsOf(content.mtime_ms) }),
    };
    const digest = new ContentHash();
    const stored =
      content.size > PART
        ? await this.#sendParts(path, content, commit, digest, signal)
        : await this.#sendWhole(path, content, commit, digest, signal);
    const said = textIn(stored, 'content_hash');
    const actual = digest.hex();
    if (said !== '') this.#compare(path, said, actual);
    return storedOf(stored);
  }

  async #sendWhole(path: string, content: Content, commit: object, digest: ContentHash, signal: AbortSignal) {
    const body = await wholeOf(content.body, content.size);
    digest.update(body);
    return await this.#upload('upload', commit, { body, path, signal });
  }

  /** Sends a file in parts: they belong to a session that nobody sees, and that the service drops after some days. */
  async #sendParts(path: string, content: Content, commit: object, digest: ContentHash, signal: AbortSignal) {
    const { kept } = content;
    let { session, arrived } = sessionIn(kept?.note);
    kept?.arrived(arrived);
    let offset = 0;
    for await (const { bytes, isLast } of inParts(content.body, PART)) {
      digest.update(bytes);
      const end = offset + bytes.length;
      const cursor = { session_id: session, offset };
      if (isLast) {
        const finish = { cursor, commit };
        return await this.#upload('upload_session/finish', finish, {
          body: bytes,
          path,
          signal,
        }).catch(async (error: unknown) => {
          // Only a session can be missing here.
          if (error instanceof Failure && error.facts.name === 'storage-not-found') await this.#lost(content);
          throw error;
        });
      }
      if (end > arrived) {
        if (session === '') {
          const begun = await this.#upload('upload_session/start', { close: false }, { body: bytes, path, signal });
          session = textIn(begun, 'session_id');
        } else if (!(await this.#append(cursor, bytes, path, signal))) await this.#lost(content);
        arrived = end;
        await kept?.keep({ session, arrived });
      }
      offset = end;
    }
    throw fail.storageAnswer({ place: this.place, reason: 'the last part is missing' });
  }

  async #lost({ kept }: Content): Promise<never> {
    await kept?.forget();
    throw forgotten(this.place, 'the upload session is lost');
  }

  /** A part that had arrived although its answer was lost is not sent again. False: the session is lost. */
  async #append(
    cursor: { readonly session_id: string; readonly offset: number },
    body: Uint8Array,
    path: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    const answer = await this.#service.send({
      method: 'POST',
      url: `${this.#content}/files/upload_session/append_v2`,
      headers: { ...argument({ cursor, close: false }), 'content-type': 'application/octet-stream' },
      body,
      signal,
      path,
      fine: [409],
    });
    if (answer.status !== 409) return true;
    const error = objectIn(jsonIn(new TextDecoder().decode(answer.body)) ?? {}, 'error');
    return error['correct_offset'] === cursor.offset + body.length;
  }

  async #upload(
    name: string,
    given: object,
    { body, path, signal }: { readonly body: Uint8Array; readonly path: string; readonly signal: AbortSignal },
  ): Promise<JsonObject> {
    return await this.#service.ask({
      method: 'POST',
      url: `${this.#content}/files/${name}`,
      headers: { ...argument(given), 'content-type': 'application/octet-stream' },
      body,
      signal,
      path,
      // A file that is there by a lost answer would be refused as a conflict.
      once: name !== 'upload_session/start',
    });
  }

  #compare(path: string, said: string, actual: string): void {
    if (said !== actual)
      throw fail.storageDigest({ place: this.place, path, algorithm: 'content hash', actual: said, expected: actual });
  }

  async remove(path: string, options: CallOptions): Promise<void> {
    const names = requireNames(path, /^$/, 'nothing');
    for await (const page of this.#inside(path, options))
      if (page.length > 0) throw fail.storageFolderNotEmpty({ place: this.place, path });
    await this.removeAll(full(names), options);
  }

  /** A file, or a folder with all that is in it. */
  async removeAll(path: string, { signal }: CallOptions): Promise<void> {
    const json = { path: full(requireNames(path, /^$/, 'nothing')) };
    await this.#service.ask({ method: 'POST', url: `${this.#api}/files/delete_v2`, json, signal, path, once: true });
  }

  async *#inside(path: string, options: CallOptions): AsyncGenerator<readonly Entry[], void> {
    const there = await this.stat(path, options);
    if (there === undefined) throw fail.storageNotFound({ place: this.place, path });
    if (there.kind === 'folder') yield* this.list(path, options);
  }

  async makeFolder(path: string, options: CallOptions): Promise<void> {
    const names = namesOf(path);
    if (names.length === 0) return;
    const url = `${this.#api}/files/create_folder_v2`;
    const json = { path: full(names), autorename: false };
    const { signal } = options;
    const answer = await this.#service.send({ method: 'POST', url, json, signal, path, fine: [409] });
    if (answer.status !== 409) return;
    const { code = '' } = explain(new TextDecoder().decode(answer.body));
    if (code.startsWith('path/conflict/folder')) return;
    if (code.startsWith('path/conflict')) throw fail.storageNotFolder({ place: this.place, path });
    throw conflict({ code, reason: code, path, place: this.place });
  }

  async close(): Promise<void> {}
}

/** The session that a note names, and the bytes that it has. */
function sessionIn(note: JsonObject | undefined): { session: string; arrived: number } {
  const { session, arrived } = note ?? {};
  if (typeof session !== 'string' || typeof arrived !== 'number') return { session: '', arrived: 0 };
  return { session, arrived };
}

/** The service takes ASCII alone in headers. */
function argument(value: object): Record<string, string> {
  const text = JSON.stringify(value).replace(
    /[\u007F-\uFFFF]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return { 'dropbox-api-arg': text };
}

/** The top is an empty text over there. */
function full(names: readonly string[]): string {
  return names.map((name) => `/${name}`).join('');
}

function secondsOf(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

function entryOf(path: string, item: JsonObject): Entry {
  const isFolder = item['.tag'] === 'folder';
  const mtime = Date.parse(textIn(item, 'client_modified'));
  return {
    path,
    name: nameOf(path),
    kind: isFolder ? 'folder' : 'file',
    ...(!isFolder && storedOf(item)),
    ...(!isFolder && !Number.isNaN(mtime) && { mtime_ms: mtime }),
    id: textIn(item, 'id'),
  };
}

function storedOf(item: JsonObject): Stored {
  const digest = textIn(item, 'content_hash');
  const { size } = item;
  return {
    ...(typeof size === 'number' && { size }),
    ...(digest !== '' && { digest }),
    version: textIn(item, 'rev'),
    id: textIn(item, 'id'),
  };
}

function explain(text: string): Explained {
  const answer = jsonIn(text);
  if (!answer) return { message: text };
  return { code: textIn(answer, 'error_summary').replace(/\/?\.*$/, '') };
}

/** Failure that a summary of the service means: every mistake of a request comes with one of two statuses. */
function meaning(facts: RefusalFacts): Failure | undefined {
  return facts.status === 409 || facts.status === 400 ? conflict(facts) : undefined;
}

function conflict({ code, reason, path, place }: Pick<RefusalFacts, 'code' | 'reason' | 'path' | 'place'>): Failure {
  const about = { place, path, reason };
  const has = (...parts: readonly string[]): boolean => parts.some((part) => code.split('/').includes(part));
  if (has('not_found')) return fail.storageNotFound(about);
  if (has('not_file')) return fail.storageIsFolder(about);
  if (has('not_folder')) return fail.storageNotFolder(about);
  if (has('conflict')) return has('folder') ? fail.storageIsFolder(about) : fail.storageExists(about);
  if (has('insufficient_space')) return fail.storageFull(about);
  if (has('no_write_permission', 'access_denied')) return fail.storageDenied(about);
  if (has('malformed_path', 'disallowed_name')) return fail.storagePath({ path, reason });
  if (has('too_many_write_operations', 'incorrect_offset', 'internal_error', 'reset'))
    return fail.storageUnavailable({ place, reason });
  return fail.storageRejected(about);
}

async function* compared(
  body: AsyncIterable<Uint8Array>,
  end: (digest: string) => void,
): AsyncGenerator<Uint8Array, void> {
  const digest = new ContentHash();
  for await (const piece of body) {
    digest.update(piece);
    yield piece;
  }
  end(digest.hex());
}
