import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { compile } from '#compiler/api.ts';
import { catalogue } from '#compiler/catalogue.ts';
import { programOfPlan } from '#compiler/engine/program.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import { localGates } from '#runtime/kernel/guard.ts';
import { run } from '#runtime/kernel/run.ts';
import type { CommandExample, CommandInfo } from '#schemas/types/command.ts';
import type { Host } from '#schemas/types/host.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import type { Json } from '#schemas/types/json.ts';
import type { RunRecord } from '#schemas/types/record.ts';

import { lacks } from '../fixtures/programs.ts';
import { lacksSmbd } from '../fixtures/smbd.ts';
import type { MakeWorld, World } from './worlds/world.ts';

/**
 * Whether the machine lacks the programs of a world: of pages that a browser shows, also to commands that ask no
 * engine, and of servers.
 */
const lacksOf: Readonly<Record<string, () => boolean>> = {
  'shop-page': () => lacks('chromium', 'chromedriver'),
  'shop-pw-page': () => lacks('chromium', 'chromedriver'),
  'files-smb': lacksSmbd,
};

/**
 * Every example of every declaration, as a user would run it: an action file is written, compiled and run. Examples
 * that need a browser run beside the engines; what the compiler refuses is looked at here for them too.
 */
const all = (await catalogue.all()).filter((info) => info.implemented && info.examples);

let root = '';
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'svc-example-')));
});
afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

for (const info of all) {
  const examples = (info.examples ?? []).filter((example) => !isDriven(info) || isRefused(example));
  if (examples.length === 0) continue;
  describe(info.name, () => {
    examples.forEach((example, index) =>
      test.skipIf(example.given?.some((name) => lacksOf[name]?.()))(titleOf(example, index), () =>
        tried(info, example),
      ),
    );
  });
}

test('every implemented command has an example that runs and, where it has parameters, one that is rejected', () => {
  const lacking = [];
  for (const info of all) {
    if (!info.examples?.some((example) => 'run' in example)) lacking.push(`${info.name}: run`);
    if (info.params.length > 0 && !info.examples?.some((example) => 'rejects' in example))
      lacking.push(`${info.name}: rejects`);
  }
  expect(lacking).toEqual([]);
});

function isDriven({ needs }: CommandInfo): boolean {
  return needs.includes('webdriver') || needs.includes('playwright');
}

function isRefused(example: CommandExample): boolean {
  return 'rejects' in example && /^SVC[1-7]/.test(example.with);
}

function titleOf(example: CommandExample, index: number): string {
  return 'rejects' in example
    ? `${index}: ${JSON.stringify(example.rejects)} is rejected with ${example.with}`
    : `${index}: ${JSON.stringify(example.run)}`;
}

async function tried(info: CommandInfo, example: CommandExample): Promise<void> {
  const worlds = isDriven(info) ? [] : await Promise.all((example.given ?? []).map(open));
  try {
    const given = Object.assign({}, ...worlds.map((world) => world.env)) as Record<string, string>;
    const host = nodeHost({ cwd: root, env: { ...process.env, ...given } });
    const { diagnostics, records } = await compiledAndRun(example, worlds, host);
    const errors = diagnostics
      .filter(({ severity }) => severity === 'error')
      .map(({ code, message }) => `${code} ${message}`);
    if ('rejects' in example && isRefused(example)) return expect(errors.join('\n')).toContain(example.with);
    expect(errors).toEqual([]);
    const record = records.findLast(({ command, parent }) => command === info.name && parent === undefined);
    if ('rejects' in example) expect(record?.error, JSON.stringify(record)).toMatchObject({ code: example.with });
    else
      expect({
        status: record?.status,
        error: record?.error,
        before: records.filter(({ status }) => status === 'failed'),
      }).toEqual({ status: 'passed', error: undefined, before: [] });
  } finally {
    for (const world of worlds.reverse()) await world[Symbol.asyncDispose]();
  }
}

async function open(name: string): Promise<World> {
  const module = (await import(`./worlds/${name}.ts`)) as { readonly world: MakeWorld };
  return module.world({ root });
}

async function compiledAndRun(
  example: CommandExample,
  worlds: readonly World[],
  host: Host,
): Promise<{ diagnostics: readonly Diagnostic[]; records: readonly RunRecord[] }> {
  const path = join(root, 'example.json');
  const text = JSON.stringify({
    setup: worlds.flatMap((world) => world.before ?? []),
    actions: [...(example.before ?? []), actionOf(example)],
  });
  await writeFile(path, text);
  const compilation = await compile([{ path }], { root, for: 'run' }, host);
  if (compilation.hasErrors) return { diagnostics: compilation.diagnostics, records: [] };
  const records: RunRecord[] = [];
  const settings = Object.assign({}, ...worlds.map((world) => world.settings)) as World['settings'];
  const program = programOfPlan(compilation.seal(), compilation.places(), {
    ...settings,
    gates: { ...localGates, ...settings?.gates },
  });
  // What an example starts, such as a watch, ends with it.
  await run(
    program,
    {
      root,
      once: true,
      records: { add: (record) => void records.push(record), flush: () => undefined, close: () => undefined },
    },
    host,
  );
  return { diagnostics: compilation.diagnostics, records };
}

/** An example's action; what it expects of the result is a step option. */
function actionOf(example: CommandExample): Json {
  const action = 'rejects' in example ? example.rejects : example.run;
  const wanted = 'run' in example ? example.expect : undefined;
  if (wanted === undefined) return action;
  if (!Array.isArray(action))
    return typeof action === 'string'
      ? [action, {}, { expect: wanted }]
      : { ...(action as Record<string, Json>), expect: wanted };
  const [name, params] = action as readonly Json[];
  // Positional parameters have no room for options in a list; the object form has.
  return { [String(name)]: params ?? null, expect: wanted };
}
