import type { FormFiles, FormPart } from '#grammar/http/multipart.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { typeByEnding } from './curl-body.ts';
import type { FormField } from './form-body.ts';

/** A request as it is written as a command line. References stand in it as action files have them. */
export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Path of a file that is the body. */
  readonly file?: string;
  /** Fields of a form of several parts. */
  readonly form?: readonly FormField[];
  readonly login?: readonly string[];
  readonly isDigest?: boolean;
  readonly socket?: string;
  readonly verify?: boolean | string;
  readonly follow?: boolean;
  readonly timeout?: number;
  /** Time limit (s) of connecting. */
  readonly connecting?: number;
  readonly cert?: readonly [certificate: string, key?: string];
  readonly proxy?: string;
}

/**
 * The cURL command line of a request, for a POSIX shell. References to the environment and to variables become
 * variables of the shell (`$NAME`), so that no secret stands in it.
 */
export function printCurl({
  method,
  url,
  headers = {},
  cookies = {},
  body,
  file,
  login,
  isDigest,
  socket,
  verify,
  follow,
  timeout,
  ...more
}: CurlRequest): string {
  const words = ['curl'];
  const verb = method.toUpperCase();
  if (verb === 'HEAD') words.push('--head');
  else if (verb !== usualVerb(url, file, body !== undefined || more.form !== undefined)) words.push('-X', verb);
  words.push(shellWord(url));
  for (const [name, value] of Object.entries(headers))
    words.push('-H', shellWord(value === '' ? `${name};` : `${name}: ${value}`));
  const pairs = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
  if (pairs.length > 0) words.push('-b', shellWord(pairs.join('; ')));
  if (login) words.push(...(isDigest ? ['--digest'] : []), '-u', shellWord(login.join(':')));
  if (socket !== undefined) words.push('--unix-socket', shellWord(socket));
  if (follow === true) words.push('-L');
  if (verify === false) words.push('-k');
  else if (typeof verify === 'string') words.push('--cacert', shellWord(verify));
  if (timeout !== undefined) words.push('--max-time', String(timeout));
  words.push(...furtherWords(more));
  if (file !== undefined && isFolder(url)) {
    const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
    words.push(...(isTyped ? [] : ['-H', 'Content-Type:']), '--data-binary', shellWord(`@${file}`));
  } else if (file !== undefined) words.push('-T', shellWord(file));
  else if (body !== undefined) words.push('--data-raw', shellWord(body));
  return words.join(' ');
}

/** The verb that curl would use for a request. */
function usualVerb(url: string, file: string | undefined, hasBody: boolean): string {
  if (file !== undefined) return isFolder(url) ? 'POST' : 'PUT';
  return hasBody ? 'POST' : 'GET';
}

/** Whether an address is one below which `curl -T` would put a file by its name. */
function isFolder(url: string): boolean {
  return /^[^?#]*\/(?:[?#]|$)/.test(url);
}

function furtherWords({
  connecting,
  cert,
  proxy,
  form: fields = [],
}: Pick<CurlRequest, 'connecting' | 'cert' | 'proxy' | 'form'>): string[] {
  return [
    ...(connecting === undefined ? [] : ['--connect-timeout', String(connecting)]),
    ...(cert ? ['--cert', shellWord(cert[0]), ...(cert[1] === undefined ? [] : ['--key', shellWord(cert[1])])] : []),
    ...(proxy === undefined ? [] : ['--proxy', shellWord(proxy)]),
    ...fields.flatMap(formWords),
  ];
}

function formWords({ name, value = '', file, type, filename }: FormField): string[] {
  if (file === undefined && type === undefined && typeof filename !== 'string')
    return ['--form-string', shellWord(`${name}=${value}`)];
  const quotes = (text: string): string => (/[,;"]/.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : text);
  const said = `${type === undefined ? '' : `;type=${type}`}${typeof filename === 'string' ? `;filename=${quotes(filename)}` : ''}`;
  const content = file === undefined ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : quotes(file);
  return ['-F', shellWord(`${name}=${file === undefined ? '' : filename === null ? '<' : '@'}${content}${said}`)];
}

/** The request of a step of `AT_test_api_method` by its parameters. */
export function requestOfParams(params: JsonObject): CurlRequest {
  const {
    http_method: method,
    test_url: url,
    headers,
    cookies,
    json,
    data,
    auth,
    auth_scheme: scheme,
    unix_socket: socket,
    verify,
    allow_redirects: follow,
    timeout,
    phase_timeouts: limits,
    cert,
    proxies,
    files,
    body_file: file,
    params: query,
  } = params;
  const given = texts(headers);
  const isFile = typeof file === 'string';
  const { body, type, form: fields } = isFile ? {} : bodyOf(files ?? null, data ?? null, json);
  const named = Object.keys(given).some((name) => name.toLowerCase() === 'content-type');
  return {
    method: String(method ?? 'get').replace(/^session_/i, ''),
    url: withQuery(String(url ?? ''), query ?? null),
    // curl would call a text a form.
    headers: { ...given, ...(type === undefined || named ? {} : { 'Content-Type': type }) },
    cookies: texts(cookies),
    ...(body === undefined ? {} : { body }),
    ...(isFile ? { file } : {}),
    ...(Array.isArray(auth) ? { login: (auth as readonly Json[]).map(String) } : {}),
    ...(scheme === 'digest' ? { isDigest: true } : {}),
    ...(typeof socket === 'string' ? { socket } : {}),
    ...(verify === undefined || verify === true ? {} : { verify: verify as boolean | string }),
    ...(follow === true ? { follow } : {}),
    ...(typeof timeout === 'number' ? { timeout } : {}),
    ...(fields ? { form: fields } : {}),
    ...connectionOf(limits ?? null, cert ?? null, proxies ?? null),
  };
}

/** The body, with the media type that curl would not set by itself; empty: none. */
function bodyOf(
  files: Json,
  data: Json,
  json: Json | undefined,
): Pick<CurlRequest, 'body' | 'form'> & { readonly type?: string } {
  if (isObject(files)) return { form: formFields(files, data) };
  if (typeof data === 'string') return { body: data, type: '' };
  if (isObject(data)) return { body: form(data), type: 'application/x-www-form-urlencoded' };
  return json === undefined ? {} : { body: JSON.stringify(json), type: 'application/json' };
}

function formFields(files: JsonObject, data: Json): NonNullable<CurlRequest['form']> {
  const given = isObject(data) ? form(data) : typeof data === 'string' ? data : '';
  return [
    ...[...new URLSearchParams(given)].map(([name, value]) => ({ name, value })),
    ...Object.entries(files as unknown as FormFiles).flatMap(([name, parts]) =>
      [parts].flat().map((part) => fieldOf(name, part)),
    ),
  ];
}

/** A part as curl would send it: of a file whose ending it knows it would say another media type. */
function fieldOf(name: string, part: FormPart): FormField {
  if (typeof part === 'string') return fieldOf(name, { path: part });
  const { path, text, type, name: filename } = part;
  if (path === undefined) return { name, value: text ?? '', type, filename };
  const own = filename === null || typeByEnding(path) === undefined ? undefined : 'application/octet-stream';
  return { name, file: path, type: type ?? own, filename };
}

function connectionOf(limits: Json, cert: Json, proxies: Json): Pick<CurlRequest, 'connecting' | 'cert' | 'proxy'> {
  const { connect } = isObject(limits) ? limits : {};
  const [certificate, key] = [cert].flat().map(String);
  const { all } = isObject(proxies) ? proxies : {};
  return {
    ...(typeof connect === 'number' ? { connecting: connect } : {}),
    ...(cert === null || certificate === undefined
      ? {}
      : { cert: key === undefined ? [certificate] : [certificate, key] }),
    ...(typeof all === 'string' ? { proxy: all } : {}),
  };
}

/** The request of a recorded answer. */
export function requestOfRecord(record: JsonObject): CurlRequest | undefined {
  const { request_method: method, request_url: url, request_headers: headers, request_body: body } = record;
  if (typeof url !== 'string' || typeof method !== 'string') return undefined;
  const own = /^(?:host|content-length|connection|accept-encoding|user-agent)$/i;
  const shown = Object.entries(texts(typeof headers === 'string' ? readObject(headers) : headers)).filter(
    ([name]) => !own.test(name),
  );
  return {
    method,
    url,
    headers: Object.fromEntries(
      shown.map(([name, value]) => [name, value === '***' ? `\${env:${shellName(name)}}` : value]),
    ),
    ...(typeof body === 'string' && body !== '' && body !== 'None' ? { body } : {}),
  };
}

function readObject(text: string): JsonObject {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function texts(value: Json | undefined): Record<string, string> {
  if (!isObject(value ?? null)) return {};
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([name, one]) => [
      name,
      typeof one === 'string' ? one : JSON.stringify(one),
    ]),
  );
}

function withQuery(url: string, query: Json): string {
  const added = typeof query === 'string' ? query.replace(/^\?/, '') : isObject(query) ? form(query) : '';
  return added === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${added}`;
}

function form(fields: JsonObject): string {
  return Object.entries(fields)
    .flatMap(([name, value]) =>
      (Array.isArray(value) ? (value as readonly Json[]) : [value ?? null]).flatMap((one) =>
        one === null ? [] : [[name, one] as const],
      ),
    )
    .map(
      ([name, value]) =>
        `${encodeURIComponent(name)}=${encodedText(typeof value === 'string' ? value : JSON.stringify(value))}`,
    )
    .join('&');
}

const reference = /(?<![$\\])(\$\{[^{}]*\}|\{\{[^{}]*\}\})/;

/** References stay as they are, all else is percent-encoded. */
function encodedText(text: string): string {
  return text
    .split(reference)
    .map((part, index) => (index % 2 === 1 ? part : encodeURIComponent(part)))
    .join('');
}

/** A word for a POSIX shell: in single quotes, its references as variables in double quotes. */
function shellWord(text: string): string {
  const parts = text.split(reference).flatMap((part, index) => {
    if (part === '') return [];
    if (index % 2 === 1) return [`"$\{${shellName(part)}}"`];
    const plain = part.replaceAll('$${', () => '${').replaceAll('\\{{', '{{');
    return [/^[\w@%+=:,./-]+$/.test(plain) ? plain : `'${plain.replaceAll("'", `'\\''`)}'`];
  });
  return parts.length === 0 ? "''" : parts.join('');
}

/** The variable of the shell that stands for a reference: `${ENV.TOKEN}` is `TOKEN`, `{{user.id}}` is `user_id`. */
function shellName(written: string): string {
  const inner = written
    .replace(/^\$\{(?:ENV\.|env:|ROW\.|MATRIX\.)?|^\{\{\s*|\}\}?$/g, '')
    .replace(/:.*$/s, '')
    .trim();
  const name = inner.replace(/[^A-Za-z0-9_]+/g, '_').replace(/^_+|_+$/g, '');
  return /^[A-Za-z_]/.test(name) ? name : `v_${name}`;
}
