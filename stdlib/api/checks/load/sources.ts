import type { Base, Ports } from '#runtime/kernel/ports.ts';
import { readDocument } from '#grammar/document/read.ts';
import { Credentials } from '#grammar/import/request.ts';
import { scanText } from '#grammar/reference/scan.ts';
import * as fail from '#schemas/generated/failures.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import type { Ref } from '#schemas/types/reference.ts';
import { isSecretKey } from '#schemas/types/secret-key.ts';
import { counted } from '#grammar/source/counted.ts';

import { parseJson } from '#stdlib/http/parse-json.ts';
import { collectRecords } from '../../saved-records.ts';

/** One request of a load test, as the request commands name its parts. */
export interface LoadRequest {
  readonly method: string;
  readonly request_url: string;
  readonly name: string;
  readonly params?: Json;
  readonly headers?: Json;
  readonly cookies?: Json;
  readonly json?: Json;
  readonly data?: Json;
  /** User and password. */
  readonly auth?: Json;
  readonly auth_scheme?: Json;
  /** Local files by field; the body is a form of several parts. */
  readonly files?: Json;
  /** Path of a local file that is the body. */
  readonly body_file?: Json;
  /** The bytes of that form with its media type, or of that file. */
  readonly form?: { readonly type?: string; readonly base64: string };
  readonly timeout?: Json;
  readonly allow_redirects?: Json;
  readonly verify?: Json;
  readonly assertions?: readonly { readonly type: 'status_code'; readonly value: number }[];
  readonly weight?: number;
}

export interface Collected {
  readonly requests: readonly LoadRequest[];
  /** Things that were left out, with the reason. */
  readonly skipped: readonly string[];
}

type SourceContext = Base & Pick<Ports, 'files' | 'references' | 'requestLog'>;

/**
 * Requests of an action file; without one those that were recorded, in this run and in saved reports. `open`:
 * references to what is secret stay as `${ENV.NAME}`.
 */
export async function collectRequests(
  {
    action_file: path,
    report_paths: reports,
  }: { readonly action_file: string | null; readonly report_paths: readonly string[] | null },
  ctx: SourceContext,
  secrets: 'filled' | 'open' = 'filled',
): Promise<Collected> {
  const fillText = textFiller(ctx, secrets);
  const found =
    path === null ? requestsOfRecords(await collectRecords(reports, ctx)) : await ofFile(path, fillText, ctx);
  if (found.requests.length > 0) return found;
  throw fail.loadNothing({
    reason: found.skipped.length === 0 ? 'no request was found.' : found.skipped.slice(0, 5).join('; '),
  });
}

const names: ReadonlySet<string> = new Set(['AT_test_api_method', 'AT_test_api_method_httpx']);
const carried = [
  'params',
  'headers',
  'cookies',
  'json',
  'data',
  'auth',
  'auth_scheme',
  'files',
  'body_file',
  'timeout',
  'allow_redirects',
  'verify',
] as const;

async function ofFile(path: string, fillText: FillText, ctx: SourceContext): Promise<Collected> {
  if (!(await ctx.files.find(path))) throw fail.loadSource({ path, reason: 'there is no such file' });
  const { document, diagnostics } = await readDocument(await ctx.files.read(path), { source: path });
  const broken = diagnostics.find(({ severity }) => severity === 'error');
  if (!document || broken) throw fail.loadSource({ path, reason: broken?.message ?? 'it is empty' });
  return await requestsOfActions(document.value, fillText);
}

/** Requests of a list of actions, or of an object that holds one. */
export async function requestsOfActions(actions: Json, fillText: FillText): Promise<Collected> {
  const requests: LoadRequest[] = [];
  const skipped: string[] = [];
  for (const [index, action] of actionsOf(actions).entries()) {
    const found = await ofAction(action, fillText);
    if (typeof found === 'string') skipped.push(`action ${index} ${found}`);
    else requests.push(found);
  }
  return { requests, skipped };
}

function actionsOf(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value as readonly Json[];
  if (!isObject(value)) return [];
  const held = Object.entries(value).find(
    ([key, list]) => /^(?:actions|webdriver_wrapper|svc\w*)$/.test(key) && Array.isArray(list),
  );
  return (held?.[1] as readonly Json[] | undefined) ?? [];
}

async function ofAction(action: Json, fillText: FillText): Promise<LoadRequest | string> {
  const [name, params] = Array.isArray(action)
    ? (action as readonly Json[])
    : isObject(action)
      ? (Object.entries(action).find(([key]) => /^(?:WR|AT|FA)_/.test(key)) ?? [])
      : [action];
  if (typeof name !== 'string' || !names.has(name))
    return `is ${String(name ?? 'no command')}, which sends no single request`;
  if (!isObject(params)) return 'has no keyword parameters';
  const filled = await fill(params, fillText).catch((error: unknown) =>
    error instanceof Error ? error.message : String(error),
  );
  return typeof filled === 'string' ? filled : request(filled as JsonObject);
}

function request(params: JsonObject): LoadRequest | string {
  const { http_method: verb, test_url: address, result_check_dict: checks } = params;
  if (typeof verb !== 'string' || typeof address !== 'string') return 'has no http_method or no test_url';
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol))
    return `has the address "${address}", which is not absolute http or https`;
  const method = verb.toLowerCase().replace(/^session_/, '');
  const status = isObject(checks) ? checks['status_code'] : undefined;
  return {
    method,
    request_url: address,
    name: `${method.toUpperCase()} ${decode(url.pathname)}`,
    ...Object.fromEntries(
      carried.flatMap((key) => (params[key] === undefined || params[key] === null ? [] : [[key, params[key]]])),
    ),
    ...(typeof status === 'number' ? { assertions: [{ type: 'status_code', value: status }] } : {}),
  };
}

/** Path as a person reads it; `{{row.id}}` in a path stays what it is. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Requests of records: verb, address, body, and the status that is expected again. */
export function requestsOfRecords(records: readonly JsonObject[]): Collected {
  const requests = records.flatMap((record): LoadRequest[] => {
    const { request_url: address, request_method: verb, request_body: body, status_code: status } = record;
    const url = typeof address === 'string' ? URL.parse(address) : null;
    if (!url || !/^https?:$/.test(url.protocol)) return [];
    const method = typeof verb === 'string' ? verb.toLowerCase() : 'get';
    return [
      {
        method,
        request_url: url.href,
        name: `${method.toUpperCase()} ${decode(url.pathname)}`,
        ...(typeof body === 'string' && body !== '' ? { data: body, ...typeOf(body, record['request_headers']) } : {}),
        ...(Number.isInteger(Number(status)) ? { assertions: [{ type: 'status_code', value: Number(status) }] } : {}),
      },
    ];
  });
  const left = records.length - requests.length;
  return {
    requests,
    skipped: left > 0 ? [`${counted(left, 'record has', 'records have')} no absolute http or https address`] : [],
  };
}

/** Header with the media type of a recorded body. A saved report does not know it, and JSON shows itself. */
function typeOf(body: string, sent: Json | undefined): Pick<LoadRequest, 'headers'> {
  const said = isObject(sent ?? null) ? (sent as JsonObject)['content-type'] : undefined;
  if (typeof said === 'string') return { headers: { 'content-type': said } };
  const parsed = parseJson(body);
  return 'json' in parsed && typeof parsed.json === 'object' ? { headers: { 'content-type': 'application/json' } } : {};
}

type FillText = (text: string) => Promise<Json>;

/** References filled with what they mean now; a column of a row stays open, as `{{row.NAME}}`. */
async function fill(value: Json, fillText: FillText): Promise<Json> {
  if (typeof value === 'string') return await fillText(value);
  if (Array.isArray(value)) return await Promise.all((value as readonly Json[]).map((item) => fill(item, fillText)));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    await Promise.all(Object.entries(value).map(async ([key, item]) => [key, await fill(item, fillText)] as const)),
  );
}

function textFiller({ references }: Pick<Ports, 'references'>, secrets: 'filled' | 'open'): FillText {
  return async (text) => {
    const scanned = scanText(text);
    if (!scanned) throw new Error(`holds the broken reference "${text}"`);
    const values = await Promise.all(
      scanned.parts.map(async (part): Promise<Json> => {
        if (typeof part === 'string') return part;
        if (part.ns === 'ROW') return `{{row.${part.name}}}`;
        return (secrets === 'open' ? placeholderOf(part) : undefined) ?? (await references.value(part));
      }),
    );
    const [first] = values;
    if (values.length === 1 && first !== undefined) return first;
    return values.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('');
  };
}

/** The placeholder of what is secret by where it comes from; undefined: it is no secret. */
function placeholderOf({ ns, name }: Ref): string | undefined {
  if (ns === 'file') return new Credentials().reference(`FILE_${name.replace(/^.*[/\\]/, '')}`);
  return (ns === 'ENV' || ns === 'env') && isSecretKey(name) ? `\${ENV.${name}}` : undefined;
}
