import * as fail from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import type { Backend, CallOptions, Capabilities, Content, Entry, ListOptions, Reading, Stored } from '../backend.ts';
import type { Access } from '../drives/access.ts';
import { ApiService, jsonIn, listIn, objectIn, textIn, type ApiTools } from '../drives/api-service.ts';
import { below, namesOf, requireNames } from '../drives/names.ts';
import { readingOf, wholeOf } from '../reading.ts';
import { sendBySession, type Progressed, type ResumableUpload } from '../drives/resumable.ts';
import { forgotten } from '../forgotten.ts';
import type { RefusalFacts } from '../http-service.ts';
import { nameOf } from '../remote-path.ts';
import { requireSafeAddress } from '../service-address.ts';
import { strictly } from '../strictly.ts';
import { tidyUp } from '../tidied-up.ts';
import type { Drive2Login } from './login.ts';
import { QuickXorHash } from './quick-xor-hash.ts';

/** Larger files are sent in parts: the most that the service promises to take at once. */
const WHOLE = 4 * 1024 * 1024;
/** A multiple of 320 KiB. */
const PART = 25 * 320 * 1024;
/** Pattern of names that the service does not take. */
const REFUSED = /["*:<>?\\|]|^\s|\s$|\.$|^~\$|_vti_|^(?:\.lock|desktop\.ini|con|prn|aux|nul|com\d|lpt\d)$/iu;
/** Pattern of names that no address holds over there: what is asked for by one is answered by a bare 400. */
const UNASKED = /["*:<>?\\|]|^\s|[\s.]$/u;
const FIELDS = 'id,name,size,file,folder,fileSystemInfo,eTag,cTag';

/** The drive of Microsoft's Graph, version 1.0, by path. Letter case means nothing over there. */
export class Drive2 implements Backend {
  readonly scheme = 'drive2';
  readonly place: string;
  readonly can: Capabilities = {
    folders: true,
    rename: false,
    ranges: true,
    append: false,
    times: 1000,
    exclusive: true,
    tellsAbsent: true,
    resumes: WHOLE,
    digest: 'quickxor',
  };
  readonly #tools: ApiTools;
  readonly #service: ApiService;
  readonly #base: string;

  constructor(tools: ApiTools, access: Access, { token, endpoint }: Pick<Drive2Login, 'token' | 'endpoint'>) {
    this.#tools = tools;
    const base = endpoint === undefined ? undefined : requireSafeAddress('drive2', endpoint, { secret: true });
    if (token.trim() === '') throw fail.storageLoginForm({ backend: 'drive2', reason: 'the token is empty' });
    this.#base = `${base?.href.replace(/\/+$/, '') ?? 'https://graph.microsoft.com'}/v1.0/me/drive`;
    this.place = base ? `the second drive at ${base.host}` : 'the second drive';
    this.#service = new ApiService(tools, this.place, access, { explain, judge: meaning });
  }

  async stat(path: string, { signal }: CallOptions): Promise<Entry | undefined> {
    const url = `${this.#item(namesOf(path))}?$select=${FIELDS}`;
    const answer = await this.#service.send({ method: 'GET', url, signal, path, fine: [404] });
    return answer.status === 404 ? undefined : entryOf(path, this.#service.objectIn(answer));
  }

  async *list(path: string, options: ListOptions): AsyncGenerator<readonly Entry[], void> {
    const top = await this.stat(path, options);
    if (!top) throw fail.storageNotFound({ place: this.place, path });
    if (top.kind !== 'folder') throw fail.storageNotFolder({ place: this.place, path });
    const waiting = [path];
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      for await (const page of this.#children(folder, options)) {
        if (options.deep)
          for (const entry of page)
            if (entry.kind === 'folder' && (options.enters?.(entry.path) ?? true)) waiting.push(entry.path);
        yield page;
      }
    }
  }

  async *#children(path: string, { signal }: CallOptions): AsyncGenerator<readonly Entry[], void> {
    let url: string | undefined = `${this.#item(namesOf(path), '/children')}?$top=1000&$select=${FIELDS}`;
    while (url !== undefined) {
      const page: JsonObject = await this.#service.ask({ method: 'GET', url, signal, path });
      yield listIn(page, 'value').map((item) => entryOf(below(path, textIn(item, 'name')), item));
      const next = textIn(page, '@odata.nextLink');
      if (next === url)
        throw fail.storageAnswer({ place: this.place, reason: 'it sends the same page again and again' });
      url = next === '' ? undefined : this.#sameOrigin(next);
    }
  }

  /** The token goes along with the next page: it stays where it belongs. */
  #sameOrigin(address: string): string {
    if (URL.parse(address)?.origin !== new URL(this.#base).origin)
      throw fail.storageAnswer({ place: this.place, reason: 'the next page is at another place' });
    return address;
  }

  async read(path: string, { signal, from = 0 }: CallOptions & { readonly from?: number }): Promise<Reading> {
    const there = await this.stat(path, { signal });
    if (!there) throw fail.storageNotFound({ place: this.place, path });
    if (there.kind === 'folder') throw fail.storageIsFolder({ place: this.place, path });
    const headers: Record<string, string> = from > 0 ? { range: `bytes=${from}-` } : {};
    // It leads to another host with an address of its own, where the token does not go.
    const url = this.#item(namesOf(path), '/content');
    const stream = await this.#service.receive({ method: 'GET', url, headers, signal, path, follow: true });
    const reading = readingOf(stream, from, this.place);
    const { digest } = there;
    if (from > 0 || digest === undefined) return reading;
    return { ...reading, body: compared(reading.body, (actual) => this.#compare(path, digest, actual)) };
  }

  async write(path: string, content: Content, { signal }: CallOptions): Promise<Stored> {
    const names = requireNames(path, REFUSED, 'such letters, or of that name');
    const there = await this.stat(path, { signal });
    if (there?.kind === 'folder') throw fail.storageIsFolder({ place: this.place, path });
    const digest = new QuickXorHash();
    const item =
      content.size > WHOLE
        ? await this.#sendParts(names, path, content, digest, signal)
        : await this.#sendWhole(names, path, content, digest, signal);
    const stored = storedOf(item);
    if (stored.digest !== undefined) this.#compare(path, stored.digest, digest.base64());
    return stored;
  }

  async #sendWhole(
    names: readonly string[],
    path: string,
    { body, size, exclusive, mtime_ms }: Content,
    digest: QuickXorHash,
    signal: AbortSignal,
  ): Promise<JsonObject> {
    const whole = await wholeOf(body, size);
    digest.update(whole);
    const conflict = `@microsoft.graph.conflictBehavior=${exclusive ? 'fail' : 'replace'}`;
    const item = await this.#service.ask({
      method: 'PUT',
      url: `${this.#item(names, '/content')}?${conflict}`,
      headers: { 'content-type': 'application/octet-stream' },
      body: whole,
      signal,
      path,
      // A file that is there by a lost answer would be refused as one of somebody else.
      once: exclusive === true,
    });
    if (mtime_ms === undefined) return item;
    const url = `${this.#base}/items/${strictly(textIn(item, 'id'))}`;
    return await this.#service.ask({ method: 'PATCH', url, json: { fileSystemInfo: timeOf(mtime_ms) }, signal, path });
  }

  async #sendParts(
    names: readonly string[],
    path: string,
    content: Content,
    digest: QuickXorHash,
    signal: AbortSignal,
  ): Promise<JsonObject> {
    const { size, kept } = content;
    const sessions = {
      partSize: PART,
      kept,
      begin: () => this.#begin(names, path, content, signal),
      at: (session: string) => this.#upload(session, size, path, signal),
      end: (session: string) => tidyUp(signal, (own) => this.#end(session, path, own)),
    };
    return await sendBySession(sessions, digested(content.body, digest));
  }

  async #begin(
    names: readonly string[],
    path: string,
    { exclusive, mtime_ms }: Content,
    signal: AbortSignal,
  ): Promise<string> {
    const item = {
      '@microsoft.graph.conflictBehavior': exclusive ? 'fail' : 'replace',
      ...(mtime_ms !== undefined && { fileSystemInfo: timeOf(mtime_ms) }),
    };
    const url = this.#item(names, '/createUploadSession');
    const session = textIn(await this.#service.ask({ method: 'POST', url, json: { item }, signal, path }), 'uploadUrl');
    if (!URL.canParse(session))
      throw fail.storageAnswer({ place: this.place, reason: 'it names no address for the upload' });
    return session;
  }

  async #end(session: string, path: string, signal: AbortSignal): Promise<void> {
    const url = requireSafeAddress('drive2', session, { secret: true }).href;
    await this.#service.send({ method: 'DELETE', url, signal, path, fine: [404], anonymous: true, once: true });
  }

  async abandon(path: string, { session }: JsonObject, { signal }: CallOptions): Promise<void> {
    if (typeof session === 'string' && URL.canParse(session)) await this.#end(session, path, signal);
  }

  /** The address of an upload is its own proof: no token goes there. */
  #upload(session: string, size: number, path: string, signal: AbortSignal): ResumableUpload {
    const url = requireSafeAddress('drive2', session, { secret: true }).href;
    const common = { url, signal, path, anonymous: true };
    const next = (answer: JsonObject): Progressed => {
      const { nextExpectedRanges: ranges } = answer;
      if (!Array.isArray(ranges)) return { file: answer };
      const [, from] = /^(\d+)-/.exec(String(ranges[0] ?? '')) ?? [];
      if (from === undefined)
        throw fail.storageAnswer({ place: this.place, reason: 'it does not say what it wants next' });
      return { next: Number(from) };
    };
    const ask = async (): Promise<Progressed> => {
      const answer = await this.#service.send({ ...common, method: 'GET', fine: [404] });
      // One that is done is forgotten: whoever sent the last part looks for the file.
      if (answer.status === 404) throw forgotten(this.place, 'the upload is forgotten over there');
      return next(this.#service.objectIn(answer));
    };
    return {
      clock: this.#tools.clock,
      place: this.place,
      signal,
      ask,
      put: async (body, start) => {
        const headers = { 'content-range': `bytes ${start}-${start + body.length - 1}/${size}` };
        const answer = await this.#service.send({ ...common, method: 'PUT', headers, body, once: true, fine: [416] });
        return answer.status === 416 ? await ask() : next(this.#service.objectIn(answer));
      },
    };
  }

  #compare(path: string, said: string, actual: string): void {
    if (said !== actual)
      throw fail.storageDigest({ place: this.place, path, algorithm: 'quickXorHash', actual: said, expected: actual });
  }

  async remove(path: string, options: CallOptions): Promise<void> {
    const there = await this.stat(path, options);
    if (!there) throw fail.storageNotFound({ place: this.place, path });
    if (there.kind === 'folder')
      for await (const page of this.#children(path, options))
        if (page.length > 0) throw fail.storageFolderNotEmpty({ place: this.place, path });
    await this.removeAll(path, options);
  }

  /** A file, or a folder with all that is in it. */
  async removeAll(path: string, { signal }: CallOptions): Promise<void> {
    const names = namesOf(path);
    if (names.length === 0) throw fail.storagePath({ path, reason: 'the top cannot be deleted' });
    await this.#service.send({ method: 'DELETE', url: this.#item(names), signal, path, once: true });
  }

  async makeFolder(path: string, { signal }: CallOptions): Promise<void> {
    const names = namesOf(path);
    if (names.length === 0 || (await this.#isFolder(path, signal))) return;
    for (const [index, name] of names.entries()) {
      const json = { name, folder: {}, '@microsoft.graph.conflictBehavior': 'fail' };
      const url = this.#item(names.slice(0, index), '/children');
      const answer = await this.#service.send({ method: 'POST', url, json, signal, path, fine: [409] });
      const here = names.slice(0, index + 1).join('/');
      if (answer.status === 409 && !(await this.#isFolder(here, signal)))
        throw fail.storageNotFolder({ place: this.place, path: here });
    }
  }

  async #isFolder(path: string, signal: AbortSignal): Promise<boolean> {
    return (await this.stat(path, { signal }))?.kind === 'folder';
  }

  async close(): Promise<void> {}

  /** The address of what stands at a path: `root:/a/b:` and what is asked of it. */
  #item(names: readonly string[], tail = ''): string {
    if (names.length === 0) return `${this.#base}/root${tail}`;
    if (names.some((name) => UNASKED.test(name)))
      throw fail.storagePath({
        path: names.join('/'),
        reason: 'its names neither begin nor end with a blank, nor end with a dot, nor hold one of " * : < > ? \\ |',
      });
    const path = names.map(strictly).join('/');
    return `${this.#base}/root:/${path}${tail === '' ? '' : `:${tail}`}`;
  }
}

function timeOf(ms: number): object {
  return { lastModifiedDateTime: new Date(ms).toISOString() };
}

function entryOf(path: string, item: JsonObject): Entry {
  const mtime = Date.parse(textIn(objectIn(item, 'fileSystemInfo'), 'lastModifiedDateTime'));
  const [isFolder, isFile] = [item['folder'] !== undefined, item['file'] !== undefined];
  return {
    path,
    name: nameOf(path),
    kind: isFolder ? 'folder' : isFile ? 'file' : 'other',
    ...(!isFolder && storedOf(item)),
    ...(!Number.isNaN(mtime) && !isFolder && { mtime_ms: mtime }),
    id: textIn(item, 'id'),
  };
}

function storedOf(item: JsonObject): Stored {
  const { size } = item;
  const digest = textIn(objectIn(objectIn(item, 'file'), 'hashes'), 'quickXorHash');
  return {
    ...(typeof size === 'number' && { size }),
    ...(digest !== '' && { digest }),
    version: textIn(item, 'cTag') || textIn(item, 'eTag'),
    id: textIn(item, 'id'),
  };
}

function explain(text: string): { readonly code: string; readonly message: string } {
  const error = objectIn(jsonIn(text) ?? {}, 'error');
  return { code: textIn(error, 'code'), message: textIn(error, 'message') };
}

/** Failures that only this service tells. */
function meaning({ status, code, reason, path, place }: RefusalFacts): Failure | undefined {
  const about = { place, path, reason };
  if (code === 'nameAlreadyExists') return fail.storageExists(about);
  if (code === 'quotaLimitReached' || code === 'insufficientStorage') return fail.storageFull(about);
  if (code === 'activityLimitReached') return fail.storageUnavailable({ place, reason });
  return status === 409 || status === 423 ? fail.storageUnavailable({ place, reason }) : undefined;
}

async function* digested(body: AsyncIterable<Uint8Array>, digest: QuickXorHash): AsyncGenerator<Uint8Array, void> {
  for await (const piece of body) {
    digest.update(piece);
    yield piece;
  }
}

async function* compared(
  body: AsyncIterable<Uint8Array>,
  end: (digest: string) => void,
): AsyncGenerator<Uint8Array, void> {
  const digest = new QuickXorHash();
  yield* digested(body, digest);
  end(digest.base64());
}
