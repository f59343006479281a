import type { Json, JsonObject } from '#schemas/types/json.ts';

import { askedOf, conditionOf, pathOf } from './bruno-asserts.ts';
import { RequestDraft, type Field } from './draft.ts';
import { ImportError, inOrder, linesText, type ImportedFile, type ImportedStep } from './file.ts';
import { readPostmanScript } from './postman-script.ts';
import { Credentials, isSecretName } from './request.ts';
import { fromBruno } from './script-dialects.ts';
import { Variables } from './variables.ts';

/** A file of a collection; `path` with slashes, from the collection's folder. */
export interface BrunoFile {
  readonly path: string;
  readonly text: string;
}

type Pairs = readonly (readonly [key: string, value: string])[];
type Blocks = ReadonlyMap<string, readonly string[]>;

/** Blocks of a request; `http` names its verb. */
const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace', 'connect', 'http'];

/** The requests of a Bruno collection, or of one `.bru` file, as steps in the order of their `seq`. */
export function importBruno(files: readonly BrunoFile[], title = ''): ImportedFile {
  const read = files
    .filter(({ path }) => path.endsWith('.bru'))
    .map(({ path, text }) => ({ path, blocks: blocksOf(text, path) }));
  const known = new Map<string, string>();
  const secret = new Set<string>();
  for (const { path, blocks } of read) {
    const isSetting = /(?:^|\/)(?:collection|folder)\.bru$/.test(path);
    const isEnvironment = /(?:^|\/)environments\/[^/]+$/.test(path);
    for (const [key, value] of isEnvironment
      ? pairs(blocks, 'vars')
      : isSetting
        ? pairs(blocks, 'vars:pre-request')
        : [])
      if (!known.has(key)) known.set(key, value);
    for (const [key] of isEnvironment ? pairs(blocks, 'vars:secret') : []) secret.add(key.replace(/,$/, ''));
  }
  const credentials = new Credentials();
  const variables = new Variables({ known, secret, builtIn }, credentials);
  const lost: string[] = [];
  const folders = new Map(
    read.flatMap(({ path, blocks }) => {
      const folder = /^(?:(.*)\/)?(?:collection|folder)\.bru$/.exec(path);
      return folder ? [[folder[1] ?? '', blocks] as const] : [];
    }),
  );
  for (const [folder, blocks] of folders)
    for (const name of blocks.keys())
      if (/^(?:script:|tests$)/.test(name))
        lost.push(`the block "${name}" of the ${folder === '' ? 'collection' : `folder "${folder}"`}`);
  for (const { path, blocks } of read)
    for (const kind of ['grpc', 'ws']) if (blocks.has(kind)) lost.push(`${path}: a request of the kind ${kind}`);
  const requests = read.filter(({ blocks }) => methods.some((method) => blocks.has(method)));
  if (requests.length === 0) throw new ImportError('it has no request');
  const ordered = requests
    .map((one) => ({ ...one, rank: rankOf(one.path, one.blocks, folders) }))
    .toSorted((a, b) => compareRanks(a.rank, b.rank) || (a.path < b.path ? -1 : 1));
  const steps = ordered.map(({ path, blocks }) => readRequest(path, blocks, folders, { variables, credentials }));
  const inputs = variables.inputs();
  return {
    from: 'Bruno collection',
    meta: {
      ...(title === '' ? {} : { name: title }),
      ...(Object.keys(inputs).length > 0 ? { inputs } : {}),
      defaults: { AT_test_api_method: { allow_redirects: true } },
    },
    steps: inOrder(steps),
    lost,
    secrets: credentials.keys,
  };
}

/** Blocks by name: `name {` to a closing sign at the beginning of a line. */
function blocksOf(text: string, path: string): Blocks {
  const blocks = new Map<string, string[]>();
  let current: string[] | undefined;
  let closing = '}';
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n?|\n/)) {
    const start = current ? undefined : /^([a-z][\w:-]*)\s*([{[])\s*$/.exec(line);
    if (start) {
      current = blocks.get(start[1] ?? '') ?? [];
      blocks.set(start[1] ?? '', current);
      closing = start[2] === '[' ? ']' : '}';
    } else if (current && line.trimEnd() === closing) current = undefined;
    else if (current) current.push(line.replace(/^ {2}/, ''));
    else if (line.trim() !== '')
      throw new ImportError(`${path} has a line outside of its blocks: ${line.trim().slice(0, 60)}`);
  }
  if (current) throw new ImportError(`${path} ends inside of a block`);
  return blocks;
}

/** `key: value` lines; those that begin with `~` are switched off. */
function pairs(blocks: Blocks, name: string): Pairs {
  return entriesOf(blocks.get(name) ?? []).flatMap(({ line, text }): Pairs => {
    if (line === '' || line.startsWith('~') || line.startsWith('//')) return [];
    if (name !== 'vars:secret' && /^@[\w-]+(?:\([^]*\))?$/.test(line)) return [];
    const at = line.startsWith('"') ? line.indexOf('":') + 1 : line.indexOf(':');
    if (at <= 0) return [[line.replace(/^@/, ''), '']];
    const value = text ?? line.slice(at + 1).trim();
    const key = line.slice(0, at);
    return [[key.startsWith('"') ? key.replaceAll(/^"|"$/g, '').replaceAll('\\"', '"') : key, value]];
  });
}

/** Lines; a value between `'''` that stands in several of them is apart. */
function entriesOf(lines: readonly string[]): readonly { readonly line: string; readonly text?: string }[] {
  const entries: { line: string; text?: string }[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = (lines[at] ?? '').trim();
    const end = /[:(]\s*'''$/.test(line) ? lines.findIndex((each, index) => index > at && each.includes("'''")) : -1;
    if (end < 0) {
      entries.push({ line });
      continue;
    }
    const [last = '', behind = ''] = (lines[end] ?? '').split("'''");
    const inner = [...lines.slice(at + 1, end), ...(last.trim() === '' ? [] : [last])];
    const text = `${inner.map((each) => each.replace(/^ {2}/, '')).join('\n')}${behind.trimEnd()}`;
    entries.push(line.startsWith('@') ? { line: '' } : { line: line.slice(0, -3), text });
    at = end;
  }
  return entries;
}

function valueIn(blocks: Blocks | undefined, name: string, key: string): string {
  return (blocks ? pairs(blocks, name) : []).find(([each]) => each === key)?.[1] ?? '';
}

type Rank = readonly (readonly [seq: number, name: string])[];

/** The places of its folders and its own, from the outside in. */
function rankOf(
  path: string,
  blocks: Blocks,
  folders: ReadonlyMap<string, Blocks>,
): readonly (readonly [number, string])[] {
  const pieces = path.split('/').slice(0, -1);
  const outer = pieces.map((piece, index) => {
    const seq = Number(valueIn(folders.get(pieces.slice(0, index + 1).join('/')), 'meta', 'seq'));
    return [seq > 0 ? seq : 0, piece] as const;
  });
  return [...outer, [Number(valueIn(blocks, 'meta', 'seq')) || 0, '']];
}

function compareRanks(a: Rank, b: Rank): number {
  for (const [index, [seq, name]] of a.entries()) {
    const other = b[index];
    if (!other) break;
    if (seq !== other[0]) return seq - other[0];
    if (name !== other[1]) return name < other[1] ? -1 : 1;
  }
  return a.length - b.length;
}

interface Reading {
  readonly variables: Variables;
  readonly credentials: Credentials;
}

function readRequest(
  path: string,
  blocks: Blocks,
  folders: ReadonlyMap<string, Blocks>,
  reading: Reading,
): ImportedStep {
  const method = methods.find((one) => blocks.has(one)) ?? 'get';
  const setting = (key: string): string => valueIn(blocks, 'settings', key);
  const draft = new RequestDraft(reading.variables, reading.credentials);
  const pieces = path.split('/').slice(0, -1);
  const around = ['', ...pieces.map((_, index) => pieces.slice(0, index + 1).join('/'))].flatMap(
    (one) => folders.get(one) ?? [],
  );
  const title = valueIn(blocks, 'meta', 'name') || path.replace(/^.*\/|\.bru$/g, '');
  draft.options['name'] = draft.text([...pieces, title].join(' / '));
  for (const each of [...around, blocks]) for (const [key, value] of pairs(each, 'headers')) draft.header(key, value);
  const wanted = valueIn(blocks, method, 'auth');
  const inherits = wanted === 'inherit' || wanted === '';
  const holder = inherits
    ? around.toReversed().find((each) => !/^(?:inherit)?$/.test(valueIn(each, 'auth', 'mode')))
    : blocks;
  readAuth(inherits ? valueIn(holder, 'auth', 'mode') : wanted, holder, draft);
  readBody(valueIn(blocks, method, 'body'), blocks, draft);
  const inner = new Map(pairs(blocks, 'params:path'));
  const url = valueIn(blocks, method, 'url');
  const query = pairs(blocks, 'params:query');
  for (const [key, value] of query) draft.query(key, value, setting('encodeUrl') === 'false');
  const plain = (query.length > 0 || blocks.has('params:query') ? (url.split('?', 1)[0] ?? '') : url).replace(
    /(?<=\/):([A-Za-z_][\w-]*)/g,
    (_, name: string) => inner.get(name) ?? `{{${name}}}`,
  );
  for (const name of ['script:pre-request', 'vars:pre-request'])
    if (blocks.has(name)) draft.lost.push(`the block "${name}" (${linesText(blocks.get(name)?.length ?? 0)})`);
  const address = draft.text(/^(?:[a-z][a-z0-9+.-]*:\/\/|\{\{)/i.test(plain) ? plain : `http://${plain}`);
  // Variables that an answer gives are there for later requests.
  readAnswer(blocks, draft, reading);
  if (setting('followRedirects') === 'false') draft.params['allow_redirects'] = false;
  if (Number(setting('timeout')) > 0) draft.params['timeout'] = Number(setting('timeout')) / 1000;
  return draft.step(method === 'http' ? valueIn(blocks, method, 'method') : method, address);
}

function readAuth(mode: string, blocks: Blocks | undefined, draft: RequestDraft): void {
  const value = (key: string): string => valueIn(blocks, `auth:${mode}`, key);
  if (mode === '' || mode === 'none') return;
  if (mode === 'basic') draft.basic(value('username'), value('password'));
  else if (mode === 'digest') draft.digest(value('username'), value('password'));
  else if (mode === 'bearer') draft.bearer(value('token'));
  else if (mode !== 'apikey') draft.lost.push(`the authentication "${mode}"`);
  else if (/query/.test(value('placement'))) draft.query(value('key'), value('value'));
  else draft.header(value('key'), value('value'));
}

function readBody(mode: string, blocks: Blocks, draft: RequestDraft): void {
  const text = (name: string): string => (blocks.get(name) ?? []).join('\n').trim();
  const fields = (name: string): readonly Field[] =>
    pairs(blocks, name).map(([key, value]) => {
      const [, written = value, type] = /^(.*)(?:@contentType\(|\(Content-Type=)([^()]*)\)$/s.exec(value) ?? [];
      const plain = type === undefined ? value : written.trimEnd();
      const file = /^@file\((.*)\)$/s.exec(plain)?.[1];
      return {
        name: key,
        ...(file === undefined ? { value: plain } : { file }),
        ...(type === undefined ? {} : { type }),
      };
    });
  switch (mode) {
    case '':
    case 'none':
      return;
    case 'json':
      return draft.body(text('body:json') || text('body'), 'application/json');
    case 'text':
      return draft.body(text('body:text'), 'text/plain');
    case 'xml':
      return draft.body(text('body:xml'), 'application/xml');
    case 'formUrlEncoded':
    case 'form-urlencoded':
      return draft.form(fields('body:form-urlencoded'));
    case 'multipartForm':
    case 'multipart-form':
      return draft.multipart(fields('body:multipart-form'));
    case 'graphql':
      return draft.graphql(text('body:graphql'), text('body:graphql:vars'));
    case 'file': {
      const [, ...words] = text('body:file').split('@file(');
      const named = words.join('@file(');
      const [, path, type] = /^(.*)\)\s*@contentType\(([^()]*)\)/s.exec(named) ?? /^(.*)\)/s.exec(named) ?? [];
      if (path === undefined) draft.lost.push('the body stands in a file that is not named');
      else draft.file(path, type);
      return;
    }
    default:
      draft.lost.push(`the body of the kind "${mode}"`);
  }
}

/** Conditions and variables of the assertions, and of the lines of scripts that mean one. */
function readAnswer(blocks: Blocks, draft: RequestDraft, { variables }: Reading): void {
  const expect: string[] = [];
  for (const [subject, check] of pairs(blocks, 'assert')) {
    const asked = askedOf(subject, check);
    const condition = conditionOf(subject, check);
    if (asked) draft.checks.schema(asked.path, asked.schema);
    else if (condition === undefined) draft.lost.push(`the assertion "${subject}: ${check}"`);
    else expect.push(condition);
  }
  const saved: Json[] = [];
  for (const [name, expression] of pairs(blocks, 'vars:post-response')) {
    const path = pathOf(expression);
    if (path?.startsWith('result.')) saved.push(stored(name, path.replace(/^result\./, ''), variables));
    else draft.lost.push(`the variable "${name}" from ${expression}`);
  }
  for (const name of ['script:post-response', 'tests']) {
    const script = readPostmanScript(blocks.get(name) ?? [], fromBruno);
    expect.push(...script.expect);
    for (const { path, schema } of script.types) draft.checks.schema(path, schema);
    for (const { name: own, path } of script.captures) saved.push(stored(own, path, variables));
    if (script.rest.length > 0)
      draft.lost.push(`${linesText(script.rest.length)} of the block "${name}", from: ${script.rest[0]}`);
  }
  const [first, ...others] = new Set(expect);
  if (first !== undefined) draft.options['expect'] = others.length === 0 ? first : [first, ...others];
  if (saved.length > 0) draft.options['save_as'] = saved;
}

function stored(name: string, path: string, variables: Variables): JsonObject {
  return { name: variables.capture(name), path, ...(isSecretName(name) ? { secret: true } : {}) };
}

function builtIn(name: string): string | null | undefined {
  const variable = /^process\.env\.(\w+)$/.exec(name);
  if (variable) return `\${ENV.${variable[1]}}`;
  if (!name.startsWith('$')) return undefined;
  if (name === '$guid' || name === '$randomUUID') return '${uuid:v4}';
  if (name === '$isoTimestamp') return '${date:!%Y-%m-%dT%H:%M:%S.%LZ}';
  return name === '$timestamp' ? '${date:%s}' : null;
}
