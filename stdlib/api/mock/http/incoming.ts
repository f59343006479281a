import type { IncomingMessage } from 'node:http';

import type { Json } from '#schemas/types/json.ts';

import { parseJson } from '#stdlib/http/parse-json.ts';
import type { MockRequest } from './port.ts';

/** Error for bytes that cannot be read as a request, with the status that says so. */
export class BadRequest extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`status ${status}`);
    this.status = status;
  }
}

/** A request without the parameters of its rule, which the router knows. */
export type Incoming = Omit<MockRequest, 'params' | 'encodedParams'>;

/** Reads a request whole; a body above the limit is refused before more of it is held. */
export function readIncoming(message: IncomingMessage, limit: number): Incoming | Promise<Incoming> {
  const head = { method: message.method ?? 'GET', ...readTarget(message.url ?? '/'), headers: joined(message) };
  return hasBody(message) ? withBody(message, head, limit) : { ...head, ...nothing };
}

const nothing = { json: null, form: {}, files: [], data: '', bytes: new Uint8Array() };

async function withBody(
  message: IncomingMessage,
  head: Omit<Incoming, keyof typeof nothing>,
  limit: number,
): Promise<Incoming> {
  const body = await readBody(message, limit);
  const type = head.headers['content-type'] ?? '';
  const { form, files } = /form/i.test(type) ? await readForm(body, type) : nothing;
  const data = body.toString('utf8');
  return { ...head, json: files.length > 0 ? null : readJson(data), form, files, data, bytes: body };
}

/** Whether a body follows the head (RFC 9112 section 6.3): reading what is not there costs as much as the rest. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Path and query of a target. Most paths hold nothing that must be decoded, and no dots that lead elsewhere. */
function readTarget(target: string): Pick<Incoming, 'path' | 'encodedPath' | 'query'> {
  const plain = /^(\/[\w/~-]*)(?:\?([^#]*))?$/.exec(target);
  if (plain && !target.startsWith('//'))
    return { path: plain[1] ?? '/', query: plain[2] ? allValues(new URLSearchParams(plain[2])) : {} };
  const url = parseTarget(target);
  return {
    path: decodePath(url.pathname),
    ...(/%2f/i.test(url.pathname) ? { encodedPath: url.pathname } : {}),
    query: url.search === '' ? {} : allValues(url.searchParams),
  };
}

function parseTarget(target: string): URL {
  const text = target.startsWith('/') ? `http://mock${target}` : target;
  const url = URL.parse(text);
  if (!url) throw new BadRequest(400);
  return url;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new BadRequest(400);
  }
}

async function readBody(message: IncomingMessage, limit: number): Promise<Buffer> {
  if (Number(message.headers['content-length'] ?? 0) > limit) throw new BadRequest(413);
  const chunks: Buffer[] = [];
  let size = 0;
  return await new Promise((resolve, reject) => {
    message.on('data', (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= limit) return;
      message.pause();
      reject(new BadRequest(413));
    });
    message.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    message.on('error', reject);
  });
}

function joined({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  // Of all headers of a request this one alone can be a list.
  if (headers['set-cookie'] === undefined) return headers as Readonly<Record<string, string>>;
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    found[name] = Array.isArray(value) ? value.join(', ') : (value ?? '');
  return found;
}

function readJson(data: string): Json {
  const parsed = /^\s*[[{"\d\-tfn]/.test(data) ? parseJson(data) : undefined;
  return parsed && 'json' in parsed ? parsed.json : null;
}

/** Fields of a form that a browser or `curl -F` sent; other bodies have none. */
async function readForm(body: Buffer, type: string): Promise<Pick<Incoming, 'form' | 'files'>> {
  const media = type.split(';', 1)[0]?.trim().toLowerCase();
  if (media === 'application/x-www-form-urlencoded')
    return { form: firstValues(new URLSearchParams(body.toString('utf8'))), files: [] };
  if (media !== 'multipart/form-data') return { form: {}, files: [] };
  const fields = await new Response(new Uint8Array(body), { headers: { 'content-type': type } })
    .formData()
    .catch(() => {
      throw new BadRequest(400);
    });
  const texts: [string, string][] = [];
  const files: Incoming['files'][number][] = [];
  for (const [name, value] of fields) {
    if (typeof value === 'string') texts.push([name, value]);
    else files.push({ field: name, name: value.name, type: value.type, size: value.size });
  }
  return { form: firstValues(texts), files };
}

function firstValues(pairs: Iterable<readonly [string, string]>): Record<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of pairs) if (!found.has(name)) found.set(name, value);
  return Object.fromEntries(found);
}

/** A name that stands once has its value, one that stands more often the list of all its values in order. */
function allValues(pairs: Iterable<readonly [string, string]>): Record<string, string | readonly string[]> {
  const found = new Map<string, string | string[]>();
  for (const [name, value] of pairs) {
    const before = found.get(name);
    if (Array.isArray(before)) before.push(value);
    else found.set(name, before === undefined ? value : [before, value]);
  }
  return Object.fromEntries(found);
}
