import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { RequestDraft, type Field } from './draft.ts';
import { ImportError, inOrder, linesText, type ImportedFile, type ImportedStep } from './file.ts';
import { readPostmanScript } from './postman-script.ts';
import { Credentials, isSecretName } from './request.ts';
import { Variables } from './variables.ts';

/** Folders inside of folders. */
const DEEPEST = 64;

/** The requests of a Postman collection of version 2.0 or 2.1 as steps, in the order of its folders. */
export function importPostman(json: Json): ImportedFile {
  const collection = objectOf(isObject(json) && isObject(json['collection'] ?? null) ? json['collection'] : json);
  const info = objectOf(collection['info']);
  if (!Array.isArray(collection['item']))
    throw new ImportError('it has no list "item": it is no collection of version 2');
  const credentials = new Credentials();
  const listed = objectsOf(collection['variable']);
  const variables = new Variables(
    {
      known: new Map(listed.flatMap(({ key, id, value }) => known(key ?? id, value))),
      secret: new Set(listed.filter(({ type }) => type === 'secret').map(({ key, id }) => textOf(key ?? id))),
      builtIn,
    },
    credentials,
  );
  const lost: string[] = [];
  const reading: Reading = { variables, credentials, lost };
  const steps = readItems(collection['item'], { auth: collection['auth'], path: [], depth: 0 }, reading);
  if (steps.length === 0) throw new ImportError(['it has no request', ...lost].join('; '));
  for (const event of scriptsOf(collection))
    lost.push(`the ${event.listen} script of the collection (${linesText(event.lines.length)})`);
  const inputs = variables.inputs();
  return {
    from: `Postman collection ${/v2\.\d/.exec(textOf(info['schema']))?.[0].slice(1) ?? '2.1'}`,
    meta: {
      ...(textOf(info['name']).trim() === '' ? {} : { name: textOf(info['name']).trim() }),
      ...(Object.keys(inputs).length > 0 ? { inputs } : {}),
      // Postman follows redirects unless a request says otherwise.
      defaults: { AT_test_api_method: { allow_redirects: true } },
    },
    steps: inOrder(steps),
    lost,
    secrets: credentials.keys,
  };
}

interface Reading {
  readonly variables: Variables;
  readonly credentials: Credentials;
  readonly lost: string[];
}

interface Around {
  readonly auth: Json | undefined;
  readonly path: readonly string[];
  readonly depth: number;
}

function readItems(items: Json | undefined, around: Around, reading: Reading): readonly ImportedStep[] {
  return objectsOf(items).flatMap((item) => {
    const name = textOf(item['name']).trim();
    const path = name === '' ? around.path : [...around.path, name];
    const auth = item['auth'] ?? around.auth;
    if (Array.isArray(item['item'])) {
      if (around.depth >= DEEPEST) {
        reading.lost.push(`the folder "${path.join(' / ')}" is nested too deep`);
        return [];
      }
      for (const event of scriptsOf(item))
        reading.lost.push(`the ${event.listen} script of the folder "${name}" (${linesText(event.lines.length)})`);
      return readItems(item['item'], { auth, path, depth: around.depth + 1 }, reading);
    }
    const given = item['request'];
    const request = typeof given === 'string' ? { url: given } : objectOf(given);
    if (addressOf(request['url']).trim() === '') {
      if (given !== undefined) reading.lost.push(`the request "${path.join(' / ')}" has no address`);
      return [];
    }
    return [readRequest(request, item, { ...around, auth, path }, reading)];
  });
}

function readRequest(request: JsonObject, item: JsonObject, { auth, path }: Around, reading: Reading): ImportedStep {
  const draft = new RequestDraft(reading.variables, reading.credentials);
  if (path.length > 0) draft.options['name'] = draft.text(path.join(' / '));
  for (const { key, value, disabled } of headersOf(request['header']))
    if (disabled !== true) draft.header(textOf(key), textOf(value), true);
  readAuth(request['auth'] ?? auth, draft);
  const method = textOf(request['method']) || 'GET';
  const behaviour = objectOf(item['protocolProfileBehavior']);
  // Postman sends no body with these verbs unless it is told to.
  if (!/^(?:get|head|copy|purge|unlock)$/i.test(method) || behaviour['disableBodyPruning'] === true)
    readBody(objectOf(request['body']), draft);
  const address = readUrl(request['url'], draft);
  if (behaviour['followRedirects'] === false) draft.params['allow_redirects'] = false;
  if (behaviour['strictSSL'] === false) draft.params['verify'] = false;
  readScripts(item, draft, reading);
  return draft.step(method, address);
}

/** Headers of a request, which old collections write as text. */
function headersOf(given: Json | undefined): readonly JsonObject[] {
  if (typeof given !== 'string') return objectsOf(given);
  return given.split(/\r?\n/).flatMap((line): JsonObject[] => {
    const at = line.indexOf(':');
    return at > 0 ? [{ key: line.slice(0, at), value: line.slice(at + 1).trim() }] : [];
  });
}

/** The address as text; one whose pieces stand alone is put together. */
function addressOf(url: Json | undefined): string {
  if (!isObject(url ?? null)) return textOf(url);
  const { raw, protocol, host, port, path } = url as JsonObject;
  const joined = (value: Json | undefined, between: string): string =>
    Array.isArray(value)
      ? (value as readonly Json[]).map((one) => textOf(isObject(one) ? one['value'] : one)).join(between)
      : textOf(value);
  const place = joined(host, '.');
  if (textOf(raw) !== '' || place === '') return textOf(raw);
  const scheme = textOf(protocol).replace(/:?\/*$/, '');
  const inner = path === undefined ? '' : `/${joined(path, '/').replace(/^\//, '')}`;
  return `${scheme === '' ? '' : `${scheme}://`}${place}${textOf(port) === '' ? '' : `:${textOf(port)}`}${inner}`;
}

function readUrl(url: Json | undefined, draft: RequestDraft): string {
  if (!isObject(url ?? null)) return draft.text(withScheme(textOf(url)));
  const parts = url as JsonObject;
  const query = objectsOf(parts['query']);
  const raw = addressOf(parts);
  const [path = ''] = query.length > 0 || raw.includes('?') ? raw.split('?', 1) : [raw];
  const given =
    query.length > 0 ? query : [...new URLSearchParams(raw.slice(path.length))].map(([key, value]) => ({ key, value }));
  for (const each of given as readonly JsonObject[])
    if (each['disabled'] !== true && each['key'] !== undefined && each['key'] !== null)
      draft.query(textOf(each['key']), textOf(each['value']), query.length > 0);
  const values = new Map(objectsOf(parts['variable']).map(({ key, id, value }) => [textOf(key ?? id), textOf(value)]));
  return draft.text(
    withScheme(path).replace(/(?<=\/):([A-Za-z_][\w-]*)/g, (_, name: string) => {
      const value = values.get(name);
      return value === undefined || value === ''
        ? `{{${name}}}`
        : value.includes('{{')
          ? value
          : encodeURIComponent(value);
    }),
  );
}

function withScheme(address: string): string {
  const plain = address.trim();
  return /^(?:[a-z][a-z0-9+.-]*:\/\/|\{\{)/i.test(plain) ? plain : `http://${plain}`;
}

function readAuth(given: Json | undefined, draft: RequestDraft): void {
  const auth = objectOf(given);
  const type = textOf(auth['type']);
  const value = (key: string): string => {
    const fields = auth[type];
    if (Array.isArray(fields)) return textOf(objectsOf(fields).find((field) => field['key'] === key)?.['value']);
    return textOf(objectOf(fields)[key]);
  };
  switch (type) {
    case '':
    case 'noauth':
      return;
    case 'basic':
      return draft.basic(value('username'), value('password'));
    case 'digest':
      return draft.digest(value('username'), value('password'));
    case 'bearer':
      return draft.bearer(value('token'));
    case 'apikey':
      if (value('in') === 'query') draft.query(value('key'), value('value'));
      else draft.header(value('key') || 'X-API-Key', value('value'));
      return;
    default:
      draft.lost.push(`the authentication "${type}"`);
  }
}

function readBody(body: JsonObject, draft: RequestDraft): void {
  const fields = (list: Json | undefined): readonly Field[] =>
    objectsOf(list)
      .filter(({ disabled }) => disabled !== true)
      .flatMap(({ key, value, type, src, contentType }) => {
        const paths = [src ?? []].flat().flatMap((path) => textOf(path) || []);
        if (type === 'file' && paths.length === 0)
          draft.lost.push(`the field "${textOf(key)}" is a file that is not named`);
        const given = type === 'file' ? paths.map((file) => ({ file })) : [{ value: textOf(value) }];
        const named = { name: textOf(key), ...(contentType === undefined ? {} : { type: textOf(contentType) }) };
        return given.map((one) => ({ ...named, ...one }));
      });
  if (body['disabled'] === true) return;
  switch (body['mode']) {
    case 'raw': {
      const language = textOf(objectOf(objectOf(body['options'])['raw'])['language']);
      const types: Readonly<Record<string, string>> = {
        json: 'application/json',
        xml: 'application/xml',
        html: 'text/html',
        javascript: 'application/javascript',
      };
      if (textOf(body['raw']) !== '') draft.body(textOf(body['raw']), types[language]);
      return;
    }
    case 'urlencoded':
      return draft.form(fields(body['urlencoded']));
    case 'formdata':
      return draft.multipart(fields(body['formdata']));
    case 'graphql':
      return draft.graphql(textOf(objectOf(body['graphql'])['query']), textOf(objectOf(body['graphql'])['variables']));
    case 'file': {
      const path = textOf(objectOf(body['file'])['src']);
      if (path === '') draft.lost.push('the body stands in a file that is not named');
      else draft.file(path);
      return;
    }
    default:
  }
}

function readScripts(item: JsonObject, draft: RequestDraft, { variables }: Reading): void {
  const expect: string[] = [];
  const saved: Json[] = [];
  for (const { listen, lines } of scriptsOf(item)) {
    if (listen !== 'test') {
      draft.lost.push(`the ${listen} script (${linesText(lines.length)})`);
      continue;
    }
    const script = readPostmanScript(lines);
    expect.push(...script.expect);
    for (const { path, schema } of script.types) draft.checks.schema(path, schema);
    for (const { name, path } of script.captures)
      saved.push({ name: variables.capture(name), path, ...(isSecretName(name) ? { secret: true } : {}) });
    if (script.rest.length > 0)
      draft.lost.push(`${linesText(script.rest.length)} of the test script, from: ${script.rest[0]}`);
  }
  if (expect.length > 0) draft.options['expect'] = expect.length === 1 ? (expect[0] ?? '') : expect;
  if (saved.length > 0) draft.options['save_as'] = saved;
}

function scriptsOf(item: JsonObject): readonly { readonly listen: string; readonly lines: readonly string[] }[] {
  return objectsOf(item['event']).flatMap(({ listen, script, disabled }) => {
    const { exec } = objectOf(script);
    const lines = (Array.isArray(exec) ? exec.map(textOf) : textOf(exec).split('\n')).filter(
      (line) => line.trim() !== '',
    );
    return disabled === true || lines.length === 0 ? [] : [{ listen: textOf(listen), lines }];
  });
}

function builtIn(name: string): string | null | undefined {
  if (!name.startsWith('$')) return undefined;
  if (name === '$guid' || name === '$randomUUID') return '${uuid:v4}';
  if (name === '$isoTimestamp') return '${date:!%Y-%m-%dT%H:%M:%S.%LZ}';
  return name === '$timestamp' ? '${date:%s}' : null;
}

function known(key: Json | undefined, value: Json | undefined): readonly (readonly [string, string])[] {
  return value === undefined || value === null || value === '' ? [] : [[textOf(key), textOf(value)]];
}

function textOf(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value ?? null) ? (value as JsonObject) : {};
}

function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter((item) => isObject(item)) : [];
}
