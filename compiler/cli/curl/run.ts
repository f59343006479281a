import { printCurl, requestOfParams, requestOfRecord, type CurlRequest } from '#grammar/import/print-curl.ts';
import { readJsonOrYaml } from '#grammar/openapi/read.ts';
import { printableBlock } from '#grammar/source/printable.ts';
import { catalogue } from '#compiler/catalogue.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';
import { isObject, type Json, type JsonObject } from '#schemas/types/json.ts';

import { answer } from '../answer.ts';
import { readNamed } from '../read-named.ts';
import { openWorkspace } from '../workspace.ts';

import { wholeAddress } from './whole-address.ts';

interface Found {
  /** Names by which it can be asked for. */
  readonly names: readonly string[];
  readonly request: CurlRequest;
}

export async function run(args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  const [path = '', step] = args.positional;
  const { files } = (await openWorkspace(args, terminal)).host;
  const text = await readNamed(path, { files, cwd: terminal.cwd });
  await catalogue.prepare(catalogue.allNames);
  const found = /\.jsonl$/i.test(path) ? ofLines(text) : await ofDocument(text, path);
  const chosen = found.filter(
    ({ names }, index) => step === undefined || names.includes(step) || String(index + 1) === step,
  );
  if (chosen.length === 0) throw fail.curlNothing({ path, step: step ?? 'any' });
  const lines = chosen.map(({ request }) => printCurl(request));
  answer(lines, () => lines.map((line) => `${printableBlock(line, '')}\n`).join(''), args, terminal);
  return 0;
}

function ofLines(text: string): readonly Found[] {
  return text.split('\n').flatMap((line) => {
    if (line.trim() === '') return [];
    const record = parsed(line);
    const { result, id, name } = isObject(record) ? record : ({} as JsonObject);
    const request = isObject(result) ? requestOfRecord(result) : undefined;
    return request ? [{ names: [id, name].flatMap(namesOf), request }] : [];
  });
}

async function ofDocument(text: string, path: string): Promise<readonly Found[]> {
  const read = await readJsonOrYaml(text);
  if ('error' in read) throw fail.importUnreadable({ path, reason: read.error });
  const { json } = read;
  if (!isObject(json)) return [...stepsIn(json, {})];
  const { meta, ...rest } = json;
  return [...stepsIn(rest, isObject(meta) ? meta : {})];
}

/** Every request in a document, wherever a list of steps holds it; of saved reports their records. */
function* stepsIn(value: Json, meta: JsonObject): Generator<Found> {
  if (Array.isArray(value)) {
    const [name, params, options] = value as readonly Json[];
    if (typeof name === 'string' && isRequest(name) && isObject(params))
      yield {
        names: isObject(options) ? [options['id'], options['name']].flatMap(namesOf) : [],
        request: requestOfParams(wholeParams(name, params, meta)),
      };
    else for (const item of value as readonly Json[]) yield* stepsIn(item, meta);
    return;
  }
  if (!isObject(value)) return;
  const record = requestOfRecord(value);
  if (record) yield { names: [], request: record };
  for (const [key, item] of Object.entries(value)) {
    if (isRequest(key) && isObject(item))
      yield {
        names: [value['id'], value['name']].flatMap(namesOf),
        request: requestOfParams(wholeParams(key, item, meta)),
      };
    else if (record === undefined) yield* stepsIn(item ?? null, meta);
  }
}

/** Parameters of a call with those that `meta` gives to each: its defaults, and what relative addresses begin with. */
function wholeParams(name: string, params: JsonObject, { defaults, base_url: base }: JsonObject): JsonObject {
  const ofCommand = isObject(defaults) ? defaults[name] : undefined;
  const whole = isObject(ofCommand) ? { ...ofCommand, ...params } : params;
  const address = whole['test_url'];
  if (typeof address !== 'string' || typeof base !== 'string') return whole;
  return { ...whole, test_url: wholeAddress(address, base) };
}

/** Commands that send one request by the parameters of `AT_test_api_method`. */
function isRequest(name: string): boolean {
  const params = name.startsWith('AT_') ? catalogue.get(name)?.params : undefined;
  return (
    params?.some((param) => param.name === 'http_method') === true && params.some((param) => param.name === 'test_url')
  );
}

function namesOf(value: Json | undefined): readonly string[] {
  if (typeof value !== 'string') return [];
  const own = value.replace(/^.*#/, '');
  // A step without an id has its number in the file, which is not that of its request.
  return /^\d+$/.test(own) ? [value] : [value, own];
}

function parsed(line: string): Json {
  try {
    return JSON.parse(line) as Json;
  } catch {
    return null;
  }
}
