import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { printLiteral } from '../reference/print.ts';
import { formBody, withLists, type FormField } from './form-body.ts';
import { bodyParams, Credentials } from './request.ts';
import type { ImportedAction, ImportedParams } from './request.ts';

const verbs = new Set(['get', 'put', 'patch', 'post', 'head', 'delete', 'options']);
/** Headers that a connection or a client sets by itself. */
const ofConnection = new Set([
  'host',
  'content-length',
  'connection',
  'keep-alive',
  'accept-encoding',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
  'proxy-connection',
]);

/** The requests of a HAR file of browser traffic as test actions, in order; entries without an address are left out. */
export function importHar(har: Json): ImportedAction[] {
  const log = isObject(har) && isObject(har['log'] ?? null) ? (har['log'] as JsonObject) : {};
  const entries = Array.isArray(log['entries']) ? (log['entries'] as readonly Json[]) : [];
  return entries.flatMap((entry) => {
    const request =
      isObject(entry) && isObject(entry['request'] ?? null) ? (entry['request'] as JsonObject) : undefined;
    const url = request?.['url'];
    if (!request || typeof url !== 'string' || url === '') return [];
    return [importEntry(entry as JsonObject, request, url)];
  });
}

function importEntry({ response }: JsonObject, request: JsonObject, url: string): ImportedAction {
  const lost: string[] = [];
  const credentials = new Credentials();
  const method = typeof request['method'] === 'string' ? request['method'].toLowerCase() : 'get';
  if (!verbs.has(method)) lost.push(`the verb ${method.toUpperCase()} has no counterpart`);
  if (!/^https?:/i.test(url)) lost.push(`the scheme of ${url.slice(0, 80)} has no counterpart`);
  const headers = readHeaders(request['headers'], credentials);
  const isForm = /^multipart\/form-data/i.test(headers.get('content-type')?.[1] ?? '');
  const body = isForm
    ? readForm(request['postData'], headers, { credentials, lost })
    : readBody(request['postData'], credentials, lost);
  const isOwnType = /^application\/json\s*(?:;|$)/i.test(headers.get('content-type')?.[1] ?? '');
  if (body['json'] !== undefined && isOwnType) headers.delete('content-type');
  const { address, params: login } = credentials.login(printLiteral(url));
  const status = isObject(response ?? null) ? (response as JsonObject)['status'] : undefined;
  const params = {
    http_method: verbs.has(method) ? method : 'get',
    test_url: credentials.url(address),
    ...(headers.size > 0 ? { headers: Object.fromEntries(headers.values()) } : {}),
    ...body,
    ...(headers.has('authorization') ? {} : login),
    ...(typeof status === 'number' && status >= 100 && status <= 599
      ? { result_check_dict: { status_code: status } }
      : {}),
  };
  return {
    action: ['AT_test_api_method', credentials.plain(params) as ImportedParams],
    lost,
    secrets: credentials.keys,
  };
}

/** Headers by name in lower case; of a repeated name the last value. */
function readHeaders(list: Json | undefined, credentials: Credentials): Map<string, readonly [string, string]> {
  const headers = new Map<string, readonly [string, string]>();
  for (const header of Array.isArray(list) ? (list as readonly Json[]) : []) {
    if (!isObject(header)) continue;
    const { name, value } = header;
    if (typeof name !== 'string' || typeof value !== 'string' || name === '' || name.startsWith(':')) continue;
    if (ofConnection.has(name.toLowerCase())) continue;
    headers.set(name.toLowerCase(), [name, credentials.header(name, printLiteral(value))]);
  }
  return headers;
}

/** A form of several parts, whose media type has to name the boundary that its parts are written with. */
function readForm(
  postData: Json | undefined,
  headers: Map<string, readonly [string, string]>,
  { credentials, lost }: { readonly credentials: Credentials; readonly lost: string[] },
): JsonObject {
  const { params, text } = isObject(postData ?? null) ? (postData as JsonObject) : {};
  if (!Array.isArray(params) || params.length === 0 || (typeof text === 'string' && text !== ''))
    return readBody(postData, credentials, lost);
  const fields = (params as readonly Json[]).flatMap((field): FormField[] => {
    if (!isObject(field) || typeof field['name'] !== 'string') return [];
    const { name, value, fileName: file, contentType: type } = field;
    if (typeof file === 'string') {
      lost.push(`the field "${name}" stands in a file, whose folder the browser does not tell: ${file}`);
      return [{ name, file: printLiteral(file), ...(typeof type === 'string' && type !== '' && { type }) }];
    }
    const given = credentials.json({ [name]: typeof value === 'string' ? printLiteral(value) : '' }) as JsonObject;
    return [{ name, value: String(given[name]), ...(typeof type === 'string' && type !== '' && { type }) }];
  });
  const form = formBody(fields);
  headers.delete('content-type');
  if (form.type !== undefined) headers.set('content-type', ['Content-Type', form.type]);
  return form.params;
}

function readBody(postData: Json | undefined, credentials: Credentials, lost: string[]): JsonObject {
  if (!isObject(postData ?? null)) return {};
  const { text, params, encoding } = postData as JsonObject;
  if (encoding === 'base64') {
    lost.push('the body is no text');
    return {};
  }
  if (typeof text === 'string' && text !== '') return bodyParams(printLiteral(text), credentials);
  if (!Array.isArray(params) || params.length === 0) return {};
  const fields: (readonly [name: string, value: string])[] = [];
  for (const field of params as readonly Json[]) {
    if (!isObject(field) || typeof field['name'] !== 'string') continue;
    if (field['fileName'] !== undefined) lost.push(`the field "${field['name']}" stands in a file`);
    else fields.push([field['name'], typeof field['value'] === 'string' ? printLiteral(field['value']) : '']);
  }
  return { data: credentials.json(withLists(fields)) };
}
