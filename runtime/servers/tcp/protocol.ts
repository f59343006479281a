import type { Json, JsonObject } from '#schemas/types/json.ts';

import { askedActions, type ActionsAsked } from '../asked-actions.ts';
import { MOST_BYTES } from '../open-server.ts';
import { Pieces } from '../pieces.ts';

/**
 * One request over TCP: `LEN <bytes>` LF where the reply is to be framed, `AUTH <secret>` LF where the server has one
 * (it may stand there where it has none), then the JSON text of a list of actions, or `quit_server`.
 */
export interface TcpRequest {
  /** The reply comes as `LEN <bytes>` LF and one JSON object. */
  readonly isFramed: boolean;
  /** Argument of the AUTH line. */
  readonly secret: string | undefined;
  readonly asked: ({ readonly kind: 'actions' } & ActionsAsked) | { readonly kind: 'stop' } | Refused;
}

export interface Refused {
  readonly kind: 'refused';
  readonly outcome: 'empty' | 'decode' | 'json' | 'auth' | 'forbidden' | 'execution' | 'busy';
  readonly text: string;
}

/** Stands behind the last line of a reply. */
export const END_MARK = 'Return_Data_Over_JE\n';
const STOP = 'quit_server';
const LF = 10;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Most bytes in which a line in front of a request must end. */
const MOST_LINE = 8192;

/** Finds the end of a request in bytes that arrive piece by piece; looks at each byte of its text once. */
export class RequestEnd {
  readonly #pieces = new Pieces();
  /** Bytes that the length in front promises; undefined: there is none. */
  #length: number | undefined;
  /** State of the scan of the JSON text: depth, and whether it is inside a text or behind a backslash. */
  #scan: { depth: number; inText: boolean; escaped: boolean; begun: boolean } | undefined;

  get size(): number {
    return this.#pieces.size;
  }

  get bytes(): Buffer {
    return this.#pieces.bytes;
  }

  /** Whether the request is there whole. */
  add(chunk: Buffer): boolean {
    this.#pieces.add(chunk);
    // Lines in front first: they are short, and only then it is known where the text begins.
    const fresh = this.#scan ? chunk : this.#begin();
    if (!fresh) return false;
    if (this.#length !== undefined) return this.size >= this.#length;
    return this.#ends(fresh) || (this.size < 64 && this.bytes.toString('latin1').trimEnd().endsWith(STOP));
  }

  /** Bytes behind the lines in front of the text; undefined while these are not there. */
  #begin(): Buffer | undefined {
    const { bytes } = this;
    const isFramed = couldBegin(bytes, 'LEN ');
    let at = 0;
    // Clients with a secret send it to servers without one, too.
    if (isFramed || couldBegin(bytes, 'AUTH ')) {
      const end = bytes.indexOf(LF);
      if (end < 0 && bytes.length < MOST_LINE) return undefined;
      at = end + 1;
      // A line that cannot be read, has no end or promises too much ends the request: it is refused as a whole.
      const promised = isFramed ? (promisedLength(bytes, end) ?? 0) : 0;
      if (isFramed || end < 0) this.#length = at + (promised > MOST_BYTES ? 0 : promised);
    }
    this.#scan = { depth: 0, inText: false, escaped: false, begun: false };
    return bytes.subarray(at);
  }

  #ends(fresh: Buffer): boolean {
    const scan = this.#scan;
    if (!scan) return false;
    for (const byte of fresh) {
      if (scan.inText) {
        if (scan.escaped) scan.escaped = false;
        else if (byte === 0x5c) scan.escaped = true;
        else if (byte === 0x22) scan.inText = false;
      } else if (byte === 0x22) scan.inText = true;
      else if (byte === 0x5b || byte === 0x7b) scan.depth++;
      else if (byte === 0x5d || byte === 0x7d) scan.depth--;
      if (byte > 0x20) scan.begun = true;
      if (scan.begun && scan.depth <= 0 && !scan.inText && (byte === 0x5d || byte === 0x7d || byte === LF)) return true;
    }
    return false;
  }
}

/** The number in the line `LEN <bytes>`; undefined: it is none. */
function promisedLength(bytes: Buffer, end: number): number | undefined {
  const [digits] = /^\d{1,15}$/.exec(bytes.toString('latin1', 4, end).trim()) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Whether bytes begin with a word, as far as they are there. */
function couldBegin(bytes: Buffer, word: string): boolean {
  return word.startsWith(bytes.toString('latin1', 0, word.length));
}

/** Reads the bytes of a request. `secret`: whether an AUTH line is asked for. */
export function readRequest(bytes: Uint8Array, hasSecret: boolean): TcpRequest {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const isFramed = asksForFrame(all);
  const asked = isFramed ? framedBytes(all) : all;
  if (!(asked instanceof Uint8Array)) return { isFramed, secret: secretIn(all) ?? undefined, asked };
  let text: string;
  try {
    text = utf8.decode(asked).trim();
  } catch {
    return { isFramed, secret: undefined, asked: refused('decode', 'decode error: the request is not UTF-8') };
  }
  if (text === '') return { isFramed, secret: undefined, asked: refused('empty', '') };
  let secret: string | undefined;
  if (text.startsWith('AUTH ')) {
    const end = text.indexOf('\n');
    secret = (end < 0 ? text.slice(5) : text.slice(5, end)).trim();
    text = end < 0 ? '' : text.slice(end + 1).trim();
  }
  if (text === '' && hasSecret) return { isFramed, secret: undefined, asked: refused('auth', 'auth error') };
  if (text === STOP) return { isFramed, secret, asked: { kind: 'stop' } };
  try {
    const asked = askedActions(JSON.parse(text) as Json);
    return {
      isFramed,
      secret,
      asked:
        typeof asked === 'string' ? refused('execution', `execution error: ${asked}`) : { kind: 'actions', ...asked },
    };
  } catch (error) {
    const details = error instanceof Error ? error.message : String(error);
    return { isFramed, secret, asked: refused('json', `json error: ${oneLine(details)}`) };
  }
}

/** Whether the reply to a request is to be framed. */
export function asksForFrame(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 4) === 'LEN ';
}

/** As many bytes as the length in front promises: what follows them belongs to no request. */
function framedBytes(all: Buffer): Uint8Array | Refused {
  const end = all.indexOf(LF);
  const promised = promisedLength(all, end < 0 ? all.length : end);
  if (promised === undefined) return refused('decode', 'decode error: LEN has no number of bytes');
  if (promised > MOST_BYTES) return tooLarge;
  const found = end < 0 ? all.subarray(all.length) : all.subarray(end + 1, end + 1 + promised);
  if (found.length === promised) return found;
  return refused('decode', `decode error: the request ended after ${found.length} of ${promised} bytes`);
}

/** The refusal of a request above the limit. */
export const tooLarge: Refused = refused('execution', `execution error: a request has at most ${MOST_BYTES} bytes`);

/**
 * The secret of a request of which only the beginning is there: null while the line that holds it may still come,
 * undefined where there is none.
 */
export function secretIn(bytes: Buffer): string | null | undefined {
  if (couldBegin(bytes, 'LEN ')) {
    const end = bytes.indexOf(LF);
    return end < 0 ? null : secretIn(bytes.subarray(end + 1));
  }
  if (!couldBegin(bytes, 'AUTH ')) return undefined;
  const end = bytes.subarray(0, MOST_LINE).indexOf(LF);
  if (end < 0) return bytes.length < MOST_LINE ? null : undefined;
  return bytes.toString('utf8', 'AUTH '.length, end).trim();
}

export function refused(outcome: Refused['outcome'], text: string): Refused {
  return { kind: 'refused', outcome, text };
}

/** The reply to a list that has run: a line for each result, then the end mark. */
export function resultReply(results: JsonObject, isFramed: boolean): string {
  if (isFramed) return framed({ results });
  return `${Object.entries(results)
    .map(([key, value]) => `${key} -> ${JSON.stringify(value)}\n`)
    .join('')}${END_MARK}`;
}

export function refusalReply({ outcome, text }: Refused, isFramed: boolean): string {
  return isFramed ? framed({ error: { kind: outcome, message: text } }) : `${oneLine(text)}\n${END_MARK}`;
}

/** The one reply without an end mark. */
export function stopReply(isFramed: boolean): string {
  return isFramed ? framed({ stopped: true }) : 'server shutting down\n';
}

function framed(body: JsonObject): string {
  const text = JSON.stringify(body);
  return `LEN ${Buffer.byteLength(text)}\n${text}`;
}

/** A reply is read line by line: what comes from elsewhere makes no lines of its own. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}
