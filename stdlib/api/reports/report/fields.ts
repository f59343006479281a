import type { Ports } from '#runtime/kernel/ports.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

export type Exchanges = ReturnType<Ports['requestLog']['exchanges']>;
export type FailedCall = Exchanges['failed'][number];

/** The fields of a passed request that every report shows. */
const successFields = [
  'status_code',
  'text',
  'content',
  'headers',
  'history',
  'encoding',
  'cookies',
  'elapsed',
  'request_time_sec',
  'request_method',
  'request_url',
  'request_body',
  'start_time',
  'end_time',
] as const;

/** The fields of a failed call that every report shows, but for the error. */
const callFields = [
  'http_method',
  'test_url',
  'soap',
  'record_request_info',
  'clean_record',
  'result_check_dict',
] as const;

export type Row = readonly [name: string, text: string];

/** A passed request as names and texts: what reports show, then what only its protocol has (frames, events). */
export function successRows(record: JsonObject): readonly Row[] {
  const known = successFields.map((name): Row => [
    name,
    name === 'content' ? contentText(record) : asText(record[name]),
  ]);
  if (record['request_url'] !== undefined) return known;
  const own = Object.keys(record).filter((name) => !(successFields as readonly string[]).includes(name));
  return [...known, ...own.map((name): Row => [name, asText(record[name])])];
}

/** Verb and address of a failed call as they were sent, named as in a passed one; empty: nothing was sent. */
export function sentFields({ sent }: FailedCall): Record<string, string> {
  return sent ? { request_method: sent.method, request_url: sent.url } : {};
}

/** A failed call as names and texts; those that are no request over HTTP have an address of their own. */
export function failureRows({ call, error }: FailedCall): readonly Row[] {
  const own: readonly Row[] = typeof call['url'] === 'string' ? [['url', call['url']]] : [];
  return [...callFields.map((name): Row => [name, asText(call[name])]), ['error', error], ...own];
}

/**
 * A value as reports write it: texts as they are, all else as JSON, what is unknown as `None`, which readers rely on.
 */
export function asText(value: Json | undefined): string {
  if (value === undefined || value === null) return 'None';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The bytes of a body, with replacement characters where they are no UTF-8. */
function contentText({ content }: JsonObject): string {
  return typeof content === 'string' ? Buffer.from(content, 'base64').toString('utf8') : 'None';
}

/** `METHOD url` of a record or a call: how reports name a request. */
export function requestName(fields: JsonObject): string {
  const method = String(fields['request_method'] ?? fields['http_method'] ?? '').replace(/^session_/i, '');
  const url = fields['request_url'] ?? fields['test_url'] ?? fields['url'] ?? '?';
  return `${method.toUpperCase() || '?'} ${asText(url)}`;
}

/**
 * `METHOD url` by which a request is known in every run, whether it passes or fails: as it was asked for, with its
 * query and before any redirect. Undefined: the fields name no address.
 */
export function requestIdentity(fields: JsonObject): string | undefined {
  const [first] = Array.isArray(fields['history']) ? (fields['history'] as readonly Json[]) : [];
  const asked = isObject(first ?? null) ? { ...fields, ...(first as JsonObject) } : fields;
  const url = [asked['request_url'], asked['test_url'], asked['url']].find((one) => typeof one === 'string');
  if (url === undefined) return undefined;
  const address = URL.parse(url);
  if (address) address.hash = '';
  return requestName({ ...asked, request_url: address?.href ?? url });
}
