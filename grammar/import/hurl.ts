import type { Json } from '#schemas/types/json.ts';

import { literal, resultPath } from './condition.ts';
import { typeByEnding } from './curl-body.ts';
import { RequestDraft, type Field } from './draft.ts';
import { ImportError, inOrder, type ImportedFile, type ImportedStep } from './file.ts';
import { capturedPart, readAssert } from './hurl-asserts.ts';
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
    steps: inOrder(steps),
    lost: [],
    secrets: credentials.keys,
  };
}

function readEntry(entry: HurlEntry, variables: Variables, credentials: Credentials): ImportedStep {
  const draft = new RequestDraft(variables, credentials);
  const section = (...names: string[]): readonly HurlPair[] => names.flatMap((name) => entry.sections.get(name) ?? []);
  for (const { name, value } of entry.headers) draft.header(name, value, true);
  for (const { name, value } of section('QueryStringParams', 'Query')) draft.query(name, value);
  for (const { name, value } of section('Cookies')) draft.header('Cookie', `${name}=${value}`);
  for (const { name, value } of section('BasicAuth')) draft.basic(name, value);
  const form = section('FormParams', 'Form');
  const parts = section('MultipartFormData', 'Multipart');
  if (form.length > 0) draft.form(form);
  if (parts.length > 0) draft.multipart(parts.map(partOf));
  readBody(entry, draft);
  readOptions(section('Options'), draft);
  const captures = section('Captures');
  const conditions = expectations(entry, draft, new Set(captures.map(({ name }) => name)));
  draft.options['expect'] = conditions.length === 1 ? (conditions[0] ?? '') : conditions;
  expectedBody(entry, draft, variables);
  if (draft.checks.count > 0 && draft.options['retry'] !== undefined)
    draft.lost.push('what the steps behind it check is not asked again by `retry`');
  const step = draft.step(entry.method, draft.text(entry.url));
  const saved: Json[] = [];
  const lost: string[] = [];
  for (const { name, value } of captures) {
    const [, query = value, redacted] = /^(.*\S)\s+(redact)$/s.exec(value) ?? [];
    const path = capturedPart(query);
    const isSecret = redacted !== undefined || isSecretName(name);
    if (path === undefined) lost.push(`the capture "${name}" from ${value}`);
    else saved.push({ name: variables.capture(name), ...path, ...(isSecret ? { secret: true } : {}) });
  }
  const options = { ...step.options, ...(saved.length > 0 ? { save_as: saved } : {}) };
  return { ...step, options, lost: [...step.lost, ...lost] };
}

function partOf({ name, value }: HurlPair): Field {
  const [, file, type] = /^file,([^;]*);\s*([^]*)$/.exec(value) ?? [];
  // Hurl knows the endings that curl knows.
  return file === undefined ? { name, value } : { name, file, type: type === '' ? typeByEnding(file) : type };
}

/** Place of the line `variables {` of a GraphQL body; the end of the text without it. */
function variablesBegin(text: string): number {
  for (const { 1: blank = '', index } of text.matchAll(/(?<!\s)(\s+)variables\s*(?=\{)/g))
    if (blank.includes('\n')) return index;
  return text.length;
}

function readBody({ body }: HurlEntry, draft: RequestDraft): void {
  if (!body) return;
  if (body.kind === 'text') draft.body(body.text);
  else if (body.kind === 'value') draft.body(body.text, 'application/json');
  else if (body.kind === 'graphql') {
    const at = variablesBegin(body.text);
    draft.graphql(body.text.slice(0, at), body.text.slice(at).replace(/^\s*variables/, ''));
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
    else if (name === 'digest' && isOn(value)) draft.params['auth_scheme'] = 'digest';
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

/** `captured`: names that this answer gives, which are there for later steps only. */
function expectations({ answer }: HurlEntry, draft: RequestDraft, captured: ReadonlySet<string>): readonly string[] {
  if (!answer) return ['result.status_code < 400'];
  const found = new Set<string>();
  if (answer.status !== undefined) found.add(`result.status_code == ${answer.status}`);
  for (const { name, value } of answer.headers) {
    const wanted = literal(value);
    const path = resultPath('result.headers', [name.toLowerCase()]);
    // Several headers of one name are one text here.
    const isSeveral = answer.headers.filter((one) => one.name.toLowerCase() === name.toLowerCase()).length > 1;
    if (wanted === undefined || value.includes('{{')) draft.lost.push(`the expected header "${name}"`);
    else found.add(isSeveral || /^set-cookie$/i.test(name) ? `contains(${path}, ${wanted})` : `${path} == ${wanted}`);
  }
  for (const line of answer.asserts) {
    const isEarly = [...line.matchAll(/\{\{([^{}]*)\}\}/g)].some(([, name = '']) => captured.has(name.trim()));
    const condition = !isEarly && readAssert(line, draft.checks, (text) => draft.text(text));
    if (condition === false) draft.lost.push(`the assert "${line}"`);
    else if (condition !== true) found.add(condition);
  }
  return found.size > 0 ? [...found] : ['result.status_code >= 100'];
}

/** Asks for the body that stands behind the answer: JSON as a value, text as it is. */
function expectedBody({ answer }: HurlEntry, draft: RequestDraft, variables: Variables): void {
  const body = answer?.body;
  if (!body) return;
  const json = body.kind === 'text' ? variables.json(body.text, draft.lost) : undefined;
  const isText = body.kind === 'text' || body.kind === 'value';
  const text = isText && !body.text.includes('{{') ? literal(body.text) : undefined;
  if (json !== undefined) draft.checks.body(json);
  else if (text === undefined) draft.lost.push('the expected body');
  else draft.options['expect'] = [draft.options['expect'] ?? [], `result.text == ${text}`].flat();
}

function builtIn(name: string): string | null | undefined {
  if (name === 'newUuid') return '${uuid:v4}';
  return name === 'newDate' ? '${date:!%Y-%m-%dT%H:%M:%S.%fZ}' : undefined;
}
