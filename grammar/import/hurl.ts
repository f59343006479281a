import type { Json } from '#schemas/types/json.ts';

import { literal, resultPath, simplePath, valueOf } from './condition.ts';
import { RequestDraft, type Field } from './draft.ts';
import { ImportError, type ImportedFile, type ImportedStep } from './file.ts';
import { readHurl, type HurlEntry, type HurlPair } from './hurl-entries.ts';
import { Credentials, isSecretName } from './request.ts';
import { Variables } from './variables.ts';

/** The entries of a Hurl file as steps: asserts become expectations, captures are saved. */
export function importHurl(text: string): ImportedFile {
  const entries = readHurl(text);
  if (entries.length === 0) throw new ImportError('it has no request');
  const credentials = new Credentials();
  const given = entries
    .flatMap(({ sections }) => sections.get('Options') ?? [])
    .filter(({ name }) => name === 'variable');
  const known = new Map(
    given.map(({ value }) => [value.split('=', 1)[0]?.trim() ?? '', value.slice(value.indexOf('=') + 1).trim()]),
  );
  const variables = new Variables({ known, builtIn }, credentials);
  const steps = entries.map((entry) => readEntry(entry, variables, credentials));
  const inputs = variables.inputs();
  return {
    from: 'Hurl file',
    meta: Object.keys(inputs).length > 0 ? { inputs } : {},
    steps,
    lost: [],
    secrets: credentials.keys,
  };
}

function readEntry(entry: HurlEntry, variables: Variables, credentials: Credentials): ImportedStep {
  const draft = new RequestDraft(variables, credentials);
  const section = (...names: string[]): readonly HurlPair[] => names.flatMap((name) => entry.sections.get(name) ?? []);
  for (const { name, value } of entry.headers) draft.header(name, value);
  for (const { name, value } of section('QueryStringParams', 'Query')) draft.query(name, value);
  for (const { name, value } of section('Cookies')) draft.header('Cookie', `${name}=${value}`);
  for (const { name, value } of section('BasicAuth')) draft.basic(name, value);
  const form = section('FormParams', 'Form');
  const parts = section('MultipartFormData', 'Multipart');
  if (form.length > 0) draft.form(form);
  if (parts.length > 0) draft.multipart(parts.map(partOf));
  readBody(entry, draft);
  readOptions(section('Options'), draft);
  const conditions = expectations(entry, draft);
  draft.options['expect'] = conditions.length === 1 ? (conditions[0] ?? '') : conditions;
  const step = draft.step(entry.method, draft.text(entry.url));
  const saved: Json[] = [];
  const lost: string[] = [];
  for (const { name, value } of section('Captures')) {
    const path = pathOf(value);
    if (path === undefined) lost.push(`the capture "${name}" from ${value}`);
    else saved.push({ name: variables.capture(name), ...path, ...(isSecretName(name) ? { secret: true } : {}) });
  }
  return {
    ...step,
    options: { ...step.options, ...(saved.length > 0 ? { save_as: saved } : {}) },
    lost: [...step.lost, ...lost],
  };
}

function partOf({ name, value }: HurlPair): Field {
  const file = /^file,([^;]*);/.exec(value)?.[1];
  return file === undefined ? { name, value } : { name, file };
}

function readBody({ body }: HurlEntry, draft: RequestDraft): void {
  if (!body) return;
  if (body.kind === 'text') draft.body(body.text);
  else if (body.kind === 'graphql') {
    const at = /\n\s*variables\s*(?=\{)/.exec(body.text);
    draft.graphql(
      at ? body.text.slice(0, at.index) : body.text,
      at ? body.text.slice(at.index).replace(/^\s*variables/, '') : '',
    );
  } else if (body.kind === 'file') draft.file(body.text);
  else draft.lost.push(`the body, which is given as ${body.kind}`);
}

function readOptions(options: readonly HurlPair[], draft: RequestDraft): void {
  const isOn = (value: string): boolean => value.trim() === 'true';
  let retry: Record<string, Json> | undefined;
  for (const { name, value } of options) {
    const seconds = secondsOf(value);
    if (name === 'location' && isOn(value)) draft.params['allow_redirects'] = true;
    else if (name === 'insecure' && isOn(value)) draft.params['verify'] = false;
    else if (name === 'max-time' && seconds !== undefined) draft.params['timeout'] = seconds;
    else if (name === 'retry' && /^-?\d+$/.test(value) && value !== '0')
      retry = { ...retry, max_attempts: value.startsWith('-') ? 100 : Number(value) + 1 };
    else if (name === 'retry-interval' && seconds !== undefined) retry = { ...retry, interval_s: seconds };
    else if (name === 'user') draft.basic(value.split(':', 1)[0] ?? '', value.slice(value.indexOf(':') + 1));
    else if (name === 'cacert') draft.params['verify'] = draft.text(value);
    else if (!/^(?:variable|verbose|very-verbose|compressed|http1\.1|ipv4|ipv6)$/.test(name) && value !== 'false')
      draft.lost.push(`the option "${name}: ${value}"`);
  }
  if (retry) draft.options['retry'] = { interval_s: 1, ...retry };
}

/** Seconds of `10s`, `500ms`, `1m` or a number alone, which are milliseconds. */
function secondsOf(text: string): number | undefined {
  const match = /^(\d+)\s*(ms|s|m|h)?$/.exec(text.trim());
  if (!match) return undefined;
  const unit = { ms: 0.001, s: 1, m: 60, h: 3600 }[match[2] ?? 'ms'] ?? 0.001;
  return Number(match[1]) * unit;
}

function expectations({ answer }: HurlEntry, draft: RequestDraft): readonly string[] {
  if (!answer) return ['result.status_code < 400'];
  const found: string[] = answer.status === undefined ? [] : [`result.status_code == ${answer.status}`];
  for (const { name, value } of answer.headers) {
    const wanted = literal(value);
    if (wanted === undefined || value.includes('{{')) draft.lost.push(`the expected header "${name}"`);
    else found.push(`${resultPath('result.headers', [name.toLowerCase()])} == ${wanted}`);
  }
  for (const line of answer.asserts) {
    const condition = conditionOf(line);
    if (condition === undefined) draft.lost.push(`the assert "${line}"`);
    else found.push(condition);
  }
  if (answer.hasBody) draft.lost.push('the expected body');
  return found.length > 0 ? found : ['result.status_code >= 100'];
}

/** `QUERY [count] [not] PREDICATE [VALUE]`. */
function conditionOf(line: string): string | undefined {
  const query =
    /^(status|body|duration|url|(?:jsonpath|header|cookie|variable)\s+"(?:[^"\\]|\\.)*")\s+(count\s+)?(not\s+)?(\S+)\s*(.*)$/s.exec(
      line,
    );
  if (!query) return undefined;
  const [, asked = '', count, not, predicate = '', rest = ''] = query;
  const found = pathOf(asked);
  const path =
    asked === 'duration'
      ? 'result.elapsed_ms'
      : asked.startsWith('variable')
        ? undefined
        : found && `result.${found.path}`;
  if (path === undefined || found?.match !== undefined) return undefined;
  const subject = count === undefined ? path : `len(${path})`;
  const condition = judged(subject, predicate, rest.trim());
  return condition === undefined ? undefined : not === undefined ? condition : `!(${condition})`;
}

function judged(subject: string, predicate: string, rest: string): string | undefined {
  const pattern = /^\/(.*)\/$/s.exec(rest)?.[1];
  const value = rest === '' || rest.includes('{{') ? undefined : literal(valueOf(rest));
  switch (predicate) {
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return value === undefined ? undefined : `${subject} ${predicate} ${value}`;
    case 'contains':
    case 'includes':
      return value === undefined ? undefined : `contains(${subject}, ${value})`;
    case 'matches': {
      const source = pattern ?? (/^"(.*)"$/s.exec(rest)?.[1] ?? '').replaceAll('\\\\', '\\');
      return source === '' ? undefined : `matches(${subject}, /${source.replaceAll(/(?<!\\)\//g, '\\/')}/)`;
    }
    case 'exists':
      return `exists(${subject})`;
    case 'isEmpty':
      return `len(${subject}) == 0`;
    default:
      return undefined;
  }
}

/** Path in the result that a query reads; `match`: the part of the text there. */
function pathOf(query: string): { readonly path: string; readonly match?: string } | undefined {
  const [, kind = '', quoted, filter] =
    /^(status|body|duration|url|jsonpath|header|cookie)(?:\s+"((?:[^"\\]|\\.)*)")?(?:\s+regex\s+(?:\/(.*)\/|"(?:.*)"))?$/s.exec(
      query.trim(),
    ) ?? [];
  const match = filter === undefined ? {} : { match: filter };
  const name = (quoted ?? '').replaceAll('\\"', '"');
  switch (kind) {
    case 'status':
      return { path: 'status_code' };
    case 'body':
      return { path: 'text', ...match };
    case 'url':
      return { path: 'request_url', ...match };
    case 'duration':
      return { path: 'elapsed_ms' };
    case 'header':
      return { path: resultPath('headers', [name.toLowerCase()]), ...match };
    case 'cookie':
      return /\[/.test(name) ? undefined : { path: resultPath('cookies', [name]) };
    case 'jsonpath': {
      const pieces = simplePath(name);
      return pieces && { path: resultPath('json', pieces), ...match };
    }
    default:
      return undefined;
  }
}

function builtIn(name: string): string | null | undefined {
  if (name === 'newUuid') return '${uuid}';
  return name === 'newDate' ? '${date}' : undefined;
}
