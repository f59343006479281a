import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { isObject } from '#schemas/types/json.ts';
import { isSecretHeader } from '#schemas/types/secret-key.ts';

import { parseJson } from '#stdlib/http/parse-json.ts';

type TapeContext = Base & Pick<Ports, 'files'>;
/** Context of whoever changes a tape. */
export type TapeWriter = TapeContext & Pick<Ports, 'fileLocks' | 'clock'>;

/** Poll interval (ms) while another writer has the tape, and longest wait (s) for it. */
const POLL_MS = 10;
const LONGEST_WAIT_S = 30;

/** One request with its answer, as tape files hold it. */
export interface TapeEntry {
  readonly method: string;
  readonly url: string;
  readonly request_body: string;
  readonly response_status: number;
  readonly response_body: string;
  readonly response_headers: Readonly<Record<string, string>>;
  /** Absent: the body is text. */
  readonly response_encoding?: 'base64';
}

/** The entries of a tape file in the order of their first recording; a missing file is an empty tape. */
export async function readTape(path: string, { files }: TapeContext): Promise<TapeEntry[]> {
  if (!(await files.find(path))) return [];
  const parsed = parseJson(new TextDecoder().decode(await files.read(path)));
  if ('error' in parsed) throw fail.cassetteUnreadable({ path, reason: parsed.error });
  if (!Array.isArray(parsed.json)) throw fail.cassetteUnreadable({ path, reason: 'it is not a list' });
  return (parsed.json as readonly unknown[]).map((entry, index) => {
    const read = readEntry(entry);
    if (typeof read === 'string') throw fail.cassetteUnreadable({ path, reason: `entry ${index} ${read}` });
    return read;
  });
}

/** The place of the entry that answers a request: verb, address and body must be equal. -1: there is none. */
export function findEntry(
  tape: readonly TapeEntry[],
  wanted: Pick<TapeEntry, 'method' | 'url' | 'request_body'>,
): number {
  const method = wanted.method.toUpperCase();
  return tape.findIndex(
    (entry) =>
      entry.method.toUpperCase() === method && entry.url === wanted.url && entry.request_body === wanted.request_body,
  );
}

/**
 * Puts an entry on a tape file: in the place of one for the same request, else at the end. Logins in headers become
 * `***`.
 */
export async function recordEntry(path: string, entry: TapeEntry, ctx: TapeWriter): Promise<void> {
  const shown = {
    ...entry,
    method: entry.method.toUpperCase(),
    response_headers: Object.fromEntries(
      Object.entries(entry.response_headers).map(([name, value]) => [name, isSecretHeader(name) ? '***' : value]),
    ),
  };
  await changeTape(path, ctx, (tape) => {
    const at = findEntry(tape, entry);
    if (at < 0) tape.push(shown);
    else tape[at] = shown;
  });
}

/** Puts entries on a tape file whose requests are not on it yet. */
export async function addEntries(path: string, entries: readonly TapeEntry[], ctx: TapeWriter): Promise<void> {
  await changeTape(path, ctx, (tape) => {
    for (const entry of entries) if (findEntry(tape, entry) < 0) tape.push(entry);
  });
}

/** Replaces a tape file whole. Of several writers one reads and writes at a time: none loses what another recorded. */
async function changeTape(path: string, ctx: TapeWriter, change: (tape: TapeEntry[]) => void): Promise<void> {
  const lock = await locked(path, ctx);
  try {
    const tape = await readTape(path, ctx);
    change(tape);
    await ctx.files.write(path, `${JSON.stringify(tape.map(inOrder), null, 2)}\n`, {
      parents: true,
      durable: ctx.durable,
      signal: ctx.signal,
    });
  } finally {
    await lock.release();
  }
}

async function locked(path: string, { fileLocks, clock, signal }: TapeWriter): Promise<{ release(): Promise<void> }> {
  const end = clock.monotonic() + LONGEST_WAIT_S * 1000;
  for (;;) {
    const taken = await fileLocks.take(path, signal);
    if ('release' in taken) return taken;
    if (clock.monotonic() >= end)
      throw fail.lockTimedOut({ name: path, seconds: LONGEST_WAIT_S, holder: taken.holder });
    await clock.sleep(POLL_MS, signal);
  }
}

/** Keys in one order, whoever made the entry: a tape that is written again differs in nothing but what was recorded. */
function inOrder({ method, url, request_body, response_status, response_body, ...rest }: TapeEntry): TapeEntry {
  const { response_headers, response_encoding: encoding } = rest;
  return {
    ...{ method, url, request_body, response_status, response_body, response_headers },
    ...(encoding === undefined ? {} : { response_encoding: encoding }),
  };
}

/** An entry, or what is wrong with it: a tape that held it could not be read any more. */
export function readEntry(value: unknown): TapeEntry | string {
  if (!isObject(value)) return 'is not an object';
  const { method, url, request_body, response_status, response_body, response_headers = {}, response_encoding } = value;
  const texts = { method, url, request_body, response_body };
  for (const [name, text] of Object.entries(texts)) if (typeof text !== 'string') return `has no text "${name}"`;
  if (typeof response_status !== 'number' || !Number.isInteger(response_status))
    return 'has no whole number "response_status"';
  if (!isObject(response_headers) || Object.values(response_headers).some((text) => typeof text !== 'string'))
    return 'has "response_headers" that are not texts by name';
  if (response_encoding !== undefined && response_encoding !== 'base64') return 'has an unknown "response_encoding"';
  const encoding = response_encoding === undefined ? {} : { response_encoding };
  return {
    ...(texts as Record<keyof typeof texts, string>),
    response_status,
    response_headers,
    ...encoding,
  } as TapeEntry;
}
