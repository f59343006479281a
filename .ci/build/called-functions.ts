import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import type { Metafile } from 'esbuild';

import { root } from '../steps.ts';

import { compileEarly } from './early-functions.ts';
import { functionNames } from './function-names.ts';

/** Coverage as V8 writes it of a process with `NODE_V8_COVERAGE`. */
interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
    }[];
  }[];
}

/** Sources of the project, each with names of functions (`functionNames`) in the output that holds it. */
type Listed = Readonly<Record<string, readonly string[]>>;

/** Path of the list of what runs call: that hangs on clocks and peers, so no two looks would find the same. */
const LIST = path.join(import.meta.dirname, 'functions-of-runs.json');

/**
 * Writes the functions that starts of the command line in `outdir` call so that they are compiled with their modules:
 * those that it calls now when it checks small files, which hangs on no clock and no peer, those that a lint of them
 * calls in files that a check leaves alone, and those of the list. The same sources give the same bytes on any machine.
 */
export async function compileCalledEarly(outdir: string, metafile: Metafile): Promise<void> {
  const checked = await calledBy(outdir, ['check', 'small.yaml', 'small.json']);
  const linted = await calledBy(outdir, ['lint', 'small.yaml', 'small.json']);
  const listed = JSON.parse(readFileSync(LIST, 'utf8')) as Listed;
  for (const [file, sources] of sourcesOf(outdir, metafile)) {
    const text = readFileSync(file, 'utf8');
    const names = new Set(sources.flatMap((source) => listed[source] ?? []));
    const inList = names.size === 0 ? [] : [...functionNames(text)].filter(([, name]) => names.has(name));
    const called = new Set([...(checked.get(file) ?? linted.get(file) ?? []), ...inList.map(([start]) => start)]);
    if (called.size > 0) writeFileSync(file, compileEarly(text, called));
  }
}

/** Writes the list anew: what runs of small files call in `outdir`, apart from what a check calls. */
export async function listFunctionsOfRuns(outdir: string, metafile: Metafile): Promise<void> {
  const checked = await calledBy(outdir, ['check', 'small.yaml', 'small.json']);
  const peer = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":1,"tags":["a"]}');
  });
  await once(peer.listen(0, '127.0.0.1'), 'listening');
  try {
    const { port } = peer.address() as AddressInfo;
    const called = await calledBy(outdir, ['run', 'variables.yaml', 'get.yaml', '--var', `port=${port}`]);
    const listed = [...sourcesOf(outdir, metafile)].flatMap(([file, sources]) => {
      const names = functionNames(readFileSync(file, 'utf8'));
      const before = checked.get(file);
      const own = [...(called.get(file) ?? [])].filter((start) => before?.has(start) !== true);
      const known = own.flatMap((start) => names.get(start) ?? []).toSorted();
      const ours = sources.find((source) => /^[\w./-]+\.ts$/.test(source)) ?? sources[0];
      return known.length > 0 ? [[ours, known] as const] : [];
    });
    writeFileSync(LIST, `${JSON.stringify(Object.fromEntries(listed), undefined, 2)}\n`);
  } finally {
    peer.close();
  }
}

/** Files of the command line that are left, with the sources of each; not the stub, which no cache holds. */
function sourcesOf(outdir: string, { outputs }: Metafile): readonly (readonly [string, readonly string[]])[] {
  return Object.entries(outputs).flatMap(([output, { inputs }]) => {
    const file = path.resolve(root, output);
    const sources = Object.keys(inputs).toSorted();
    return file.startsWith(outdir) && sources.length > 0 && existsSync(file) ? [[file, sources] as const] : [];
  });
}

/** Files below `outdir`, and where in them the functions begin that the command line calls. */
async function calledBy(outdir: string, args: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-starts-'));
  try {
    writeSamples(folder);
    await start(path.join(outdir, 'bin', 'svc.js'), args, folder);
    return calledIn(path.join(folder, 'coverage'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the command line once in `folder`; what it calls stands in `folder/coverage` then. */
async function start(svc: string, args: readonly string[], folder: string): Promise<void> {
  const home = mkdtempSync(path.join(folder, 'home-'));
  const { PATH, SystemRoot } = process.env;
  const child = spawn(process.execPath, ['--import', WITHOUT_CLOCKS, svc, ...args], {
    cwd: folder,
    env: { PATH, SystemRoot, HOME: home, USERPROFILE: home, NODE_V8_COVERAGE: path.join(folder, 'coverage') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0) throw new Error(`svc ${args.join(' ')} ended with ${status}:\n${(await said).join('')}`);
}

/** Lets no timer of a tenth of a second and more end: on a slow machine it would call what is called on no other. */
const WITHOUT_CLOCKS = `data:text/javascript,${encodeURIComponent(`
  const timers = process.getBuiltinModule('node:timers');
  const longest = 2 ** 31 - 1;
  for (const name of ['setTimeout', 'setInterval']) {
    const begin = timers[name];
    const withoutEnd = (call, ms, ...given) =>
      ms >= 100 ? begin(() => {}, longest).unref() : begin(call, ms, ...given);
    globalThis[name] = timers[name] = Object.assign(withoutEnd, begin);
  }
`)}`;

/** Files and where in them the functions begin that a process has called. */
function calledIn(folder: string): ReadonlyMap<string, ReadonlySet<number>> {
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

function writeSamples(folder: string): void {
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
  const json = {
    actions: [
      ['AT_set_variable', { name: 'first', value: 1 }],
      ['FA_copy_file', ['small.yaml', 'copy.yaml']],
    ],
  };
  const variables = `actions:
  - AT_set_variable: { name: first, value: 1 }
  - AT_set_variable: { name: second, value: "{{first}}" }
    name: passes on
    save_as: third
    expect: result == null
`;
  const get = `meta:
  inputs: { port: { type: string } }
actions:
  - AT_test_api_method: { http_method: GET, test_url: "http://127.0.0.1:{{port}}/" }
    name: asks
    save_as: { name: tag, path: "json.tags[0]" }
    expect: [result.status_code == 200, result.json.id == 1]
`;
  writeFileSync(path.join(folder, 'small.yaml'), small);
  writeFileSync(path.join(folder, 'variables.yaml'), variables);
  writeFileSync(path.join(folder, 'get.yaml'), get);
  writeFileSync(path.join(folder, 'small.json'), JSON.stringify(json, undefined, 2));
  mkdirSync(path.join(folder, 'coverage'));
}
