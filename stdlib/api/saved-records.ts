import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { addAll } from '#grammar/source/add-all.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { parseJson } from '#stdlib/http/parse-json.ts';

/** A recorded request that passed, with the fields that tools read: from this run, or from a saved report. */
export type RecordedRequest = JsonObject;

type RecordContext = Base & Pick<Ports, 'files' | 'requestLog'>;

/** The HTTP requests of this run that passed, then those of saved reports, in order. */
export async function collectRecords(
  reports: readonly string[] | null,
  ctx: RecordContext,
): Promise<readonly RecordedRequest[]> {
  const current = ctx.requestLog
    .exchanges(ctx.step)
    .passed.filter((record) => typeof record['request_url'] === 'string');
  const saved: RecordedRequest[] = [];
  for (const path of reports ?? []) addAll(saved, await readSavedReport(path, ctx));
  return [...current, ...saved];
}

/** The requests of a saved success report: an object by name, one with a list `successes`, or a list. */
export async function readSavedReport(path: string, { files }: Pick<Ports, 'files'>): Promise<RecordedRequest[]> {
  if (!(await files.find(path))) throw fail.savedReport({ path, reason: 'there is no such file' });
  const parsed = parseJson(new TextDecoder().decode(await files.read(path)));
  if ('error' in parsed) throw fail.savedReport({ path, reason: parsed.error });
  return entriesOf(parsed.json, path).flatMap(([name, entry]) => {
    if (!isObject(entry)) throw fail.savedReport({ path, reason: `"${name}" is no object` });
    const record = Object.fromEntries(
      Object.entries(entry).map(([field, value]) => [field, readValue(field, value ?? null)]),
    );
    if (typeof record['request_url'] === 'string') return [record];
    // Frames and events have an address of their own, and play no part here.
    if (typeof record['url'] === 'string') return [];
    throw fail.savedReport({ path, reason: `"${name}" has no request_url` });
  });
}

function entriesOf(value: Json, path: string): readonly (readonly [string, Json])[] {
  const list = isObject(value) && Array.isArray(value['successes']) ? value['successes'] : value;
  if (Array.isArray(list)) return (list as readonly Json[]).map((entry, index) => [String(index), entry]);
  if (isObject(list)) return Object.entries(list);
  throw fail.savedReport({ path, reason: 'it is neither a list nor an object' });
}

const structured = new Set(['headers', 'cookies', 'history', 'request_headers', 'json', 'timings_ms']);

/** A saved field is text: `None` is nothing, `b'…'` the bytes that it shows, structures are JSON. */
function readValue(field: string, value: Json): Json {
  if (typeof value !== 'string') return value;
  if (value === 'None') return null;
  if (/^b(['"]).*\1$/s.test(value)) return shownBytes(value.slice(2, -1));
  if (!structured.has(field)) return value;
  const parsed = parseJson(value);
  return 'json' in parsed ? parsed.json : null;
}

/** The text of bytes as other programs print them: `\n`, `\xc3` and the like. */
function shownBytes(text: string): string {
  const plain: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\\': '\\', "'": "'", '"': '"' };
  const bytes = text.replace(/\\(?:x([0-9a-fA-F]{2})|(.))/gs, (_, hex: string | undefined, sign: string) =>
    hex === undefined ? (plain[sign] ?? `\\${sign}`) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return [...bytes].every((sign) => sign.charCodeAt(0) < 256) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes;
}
