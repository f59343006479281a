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
  return [...stepsIn(read.json)];
}

/** Every request in a document, wherever a list of steps holds it; of saved reports their records. */
function* stepsIn(value: Json): Generator<Found> {
  if (Array.isArray(value)) {
    const [name, params, options] = value as readonly Json[];
    if (typeof name === 'string' && isRequest(name) && isObject(params))
      yield {
        names: isObject(options) ? [options['id'], options['name']].flatMap(namesOf) : [],
        request: requestOfParams(params),
      };
    else for (const item of value as readonly Json[]) yield* stepsIn(item);
    return;
  }
  if (!isObject(value)) return;
  const record = requestOfRecord(value);
  if (record) yield { names: [], request: record };
  for (const [key, item] of Object.entries(value)) {
    if (isRequest(key) && isObject(item))
      yield { names: [value['id'], value['name']].flatMap(namesOf), request: requestOfParams(item) };
    else if (record === undefined) yield* stepsIn(item ?? null);
  }
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
