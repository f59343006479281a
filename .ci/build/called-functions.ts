import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { compileEarly } from './early-functions.ts';

/** Coverage as V8 writes it of a process with `NODE_V8_COVERAGE`. */
interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
    }[];
  }[];
}

/**
 * Lets the command line in `outdir` check small files, and writes the functions that it has called so that they are
 * compiled with their modules. What a check calls hangs on no clock and no peer, as what a run calls does: the same
 * sources give the same bytes on any machine.
 */
export async function compileCalledEarly(outdir: string): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-starts-'));
  try {
    writeSamples(folder);
    await start(path.join(outdir, 'bin', 'svc.js'), ['check', 'small.yaml', 'small.json'], folder);
    for (const [file, starts] of calledIn(path.join(folder, 'coverage')))
      // Not the stub: it is compiled before there is a cache.
      if (path.basename(path.dirname(file)) !== 'bin')
        writeFileSync(file, compileEarly(readFileSync(file, 'utf8'), starts));
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
  writeFileSync(path.join(folder, 'small.yaml'), small);
  writeFileSync(path.join(folder, 'small.json'), JSON.stringify(json, undefined, 2));
  mkdirSync(path.join(folder, 'coverage'));
}
