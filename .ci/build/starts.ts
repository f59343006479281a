import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import type { Metafile } from 'esbuild';

import { compileEarly } from './early-functions.ts';
import { namedFunctions } from './function-names.ts';

/** Coverage as V8 writes it of a process with `NODE_V8_COVERAGE`. */
interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
    }[];
  }[];
}

/** Functions that most starts of the command line call, checked in: what one run calls hangs on the clock. */
export interface Starts {
  /** One source of each file in which something is called. */
  readonly sources: readonly string[];
  /** Names of the functions. */
  readonly functions: readonly string[];
}

/** The list, as `npm run build -- --record-starts` has written it. */
const LIST = path.join(import.meta.dirname, 'starts.json');

/**
 * Writes functions that a start calls so that they are compiled with their modules: those that the list names, in files
 * with a source that it names. A list that is behind the code costs time, nothing else.
 */
export function compileStartsEarly(outdir: string, { outputs }: Metafile): void {
  const { sources, functions } = JSON.parse(readFileSync(LIST, 'utf8')) as Starts;
  const names = new Set(functions);
  for (const [output, { inputs }] of Object.entries(outputs)) {
    if (!sources.some((source) => source in inputs)) continue;
    const file = pathOf(outdir, output);
    const code = readFileSync(file, 'utf8');
    const early = namedFunctions(code).filter(({ name }) => names.has(name));
    writeFileSync(file, compileEarly(code, new Set(early.map(({ start }) => start))));
  }
}

/** Lets the command line in `outdir` check and run small files, and writes the list of what it has called. */
export async function recordStarts(outdir: string, metafile: Metafile): Promise<void> {
  const list = startsOf(outdir, metafile, await calledInStarts(path.join(outdir, 'bin', 'svc.js')));
  writeFileSync(LIST, `${JSON.stringify(list, undefined, 1)}\n`);
}

function startsOf(outdir: string, { outputs }: Metafile, called: Called): Starts {
  const sources: string[] = [];
  const functions = new Set<string>();
  for (const [output, { inputs }] of Object.entries(outputs)) {
    const file = pathOf(outdir, output);
    const starts = called.get(file);
    const named = starts ? namedFunctions(readFileSync(file, 'utf8')).filter(({ start }) => starts.has(start)) : [];
    if (named.length === 0) continue;
    for (const { name } of named) functions.add(name);
    // The largest stays with the others of its file longest.
    const [largest] = Object.entries(inputs).toSorted(([, a], [, b]) => b.bytesInOutput - a.bytesInOutput);
    if (largest) sources.push(largest[0]);
  }
  return { sources: sources.toSorted(), functions: [...functions].toSorted() };
}

/** The file of an output, which the metafile names from the root of the project. */
function pathOf(outdir: string, output: string): string {
  return path.join(path.dirname(path.dirname(outdir)), output);
}

async function calledInStarts(svc: string): Promise<Called> {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-starts-'));
  const server = createServer((_, answer) => answer.setHeader('content-type', 'application/json').end('{"a":1}'));
  try {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    writeSamples(folder, `http://127.0.0.1:${port}/`);
    for (const args of STARTS) await start(svc, args, folder);
    return calledIn(path.join(folder, 'coverage'));
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the command line once in `folder`; what it calls stands in `folder/coverage` then. */
async function start(svc: string, args: readonly string[], folder: string): Promise<void> {
  const home = mkdtempSync(path.join(folder, 'home-'));
  const { PATH, SystemRoot } = process.env;
  const child = spawn(process.execPath, [svc, ...args], {
    cwd: folder,
    env: { PATH, SystemRoot, HOME: home, USERPROFILE: home, NODE_V8_COVERAGE: path.join(folder, 'coverage') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0) throw new Error(`svc ${args.join(' ')} ended with ${status}:\n${(await said).join('')}`);
}

/** Offsets in files at which the functions begin that a process has called. */
type Called = ReadonlyMap<string, ReadonlySet<number>>;

function calledIn(folder: string): Called {
  const called = new Map<string, Set<number>>();
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Coverage;
    for (const { url, functions } of result) {
      if (!url.startsWith('file:')) continue;
      const file = fileURLToPath(url);
      const starts = called.get(file) ?? new Set();
      called.set(file, starts);
      for (const { ranges } of functions) if (ranges[0] && ranges[0].count > 0) starts.add(ranges[0].startOffset);
    }
  }
  return called;
}

/** Ways in which most processes of the command line begin. */
const STARTS = [
  ['--version'],
  ['check', 'small.yaml', 'small.json'],
  ['lint', 'small.json'],
  ['run', 'small.yaml'],
  ['run', 'request.yaml'],
];

function writeSamples(folder: string, url: string): void {
  const small = `# yaml-language-server: $schema=action-file.schema.json
meta:
  name: A small file
  variables: { user: ada }
actions:
  - [AT_set_variable, { name: first, value: 1 }]
  - AT_set_variable: { name: second, value: "{{first}}" }
    name: passes on
    save_as: third
    expect: result == null
  - FA_copy_file: [small.yaml, copy.yaml]
    when: second == 1
`;
  const request = `actions:
  - AT_test_api_method: { http_method: get, test_url: "${url}", result_check_dict: { status_code: 200 } }
    save_as: { name: a, path: json.a }
    expect: result.status_code == 200
`;
  const json = {
    actions: [
      ['AT_set_variable', { name: 'first', value: 1 }],
      ['FA_copy_file', ['small.yaml', 'copy.yaml']],
    ],
  };
  writeFileSync(path.join(folder, 'small.yaml'), small);
  writeFileSync(path.join(folder, 'request.yaml'), request);
  writeFileSync(path.join(folder, 'small.json'), JSON.stringify(json, undefined, 2));
  mkdirSync(path.join(folder, 'coverage'));
}
