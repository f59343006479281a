import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { compile } from '#compiler/api.ts';
import { catalogue } from '#compiler/catalogue.ts';
import { programOfPlan } from '#compiler/engine/program.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import { localGates } from '#runtime/kernel/guard.ts';
import { run } from '#runtime/kernel/run.ts';
import type { Implementation } from '#runtime/kernel/linked.ts';
import type { CommandExample, CommandInfo } from '#schemas/types/command.ts';
import type { RunRecord } from '#schemas/types/record.ts';

import { sampled } from '../../hostile/sampled.ts';
import type { MakeWorld, World } from '../worlds/world.ts';

import { makeFailing, type Call } from './failing-calls.ts';

/**
 * Commands that show what writes do which are flushed to the disk: small and large content, from files and from values.
 */
const synced = ['FA_create_file', 'FA_json_set', 'FA_file_merge', 'FA_csv_write', 'FA_sed_replace', 'FA_file_split'];

/** The first examples of all file commands that write files and nothing else: a run takes half, by the commit. */
const works = (await catalogue.all()).flatMap((info) => {
  const example = info.examples?.find((one) => 'run' in one);
  const isWriting =
    info.domain === 'files' &&
    info.implemented &&
    info.effects.includes('fs-write') &&
    info.effects.every((effect) => effect.startsWith('fs-'));
  if (!isWriting || example === undefined || !('run' in example)) return [];
  const work: Work = { title: info.name, info, example, durable: false };
  return synced.includes(info.name)
    ? [work, { ...work, title: `${info.name}, flushed to the disk`, durable: true }]
    : [work];
});

interface Work {
  readonly title: string;
  readonly info: CommandInfo;
  readonly example: CommandExample & { readonly run: unknown };
  readonly durable: boolean;
}

type Content = Readonly<Record<string, string>>;

interface Tried {
  readonly before: Content;
  readonly after: Content;
  readonly calls: readonly Call[];
  readonly failed: Call | undefined;
  readonly record: RunRecord | undefined;
  readonly root: string;
}

/** Runs an example in a new folder where the nth call of its command fails. */
async function tried({ info, example, durable }: Work, nth: number): Promise<Tried> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'svc-failing-')));
  const worlds: World[] = [];
  for (const name of example.given ?? [])
    worlds.push(await ((await import(`../worlds/${name}.ts`)) as { readonly world: MakeWorld }).world({ root }));
  const failing = await makeFailing(root, nth);
  try {
    let before: Content = {};
    const watched =
      (implementation: Implementation): Implementation =>
      async (params, ctx) => {
        before = contentOf(root);
        failing.begin();
        try {
          return await implementation(params, ctx);
        } finally {
          failing.end();
        }
      };
    const record = (await ran({ root, info, example, worlds, durable }, watched)).findLast(
      ({ command, parent }) => command === info.name && parent === undefined,
    );
    return { before, after: contentOf(root), calls: failing.calls, failed: failing.failed, record, root };
  } finally {
    failing.restore();
    for (const world of worlds.reverse()) await world[Symbol.asyncDispose]();
    await rm(root, { recursive: true, force: true });
  }
}

interface Place extends Omit<Work, 'title'> {
  readonly root: string;
  readonly worlds: readonly World[];
}

async function ran(
  { root, info, example, worlds, durable }: Place,
  watched: (implementation: Implementation) => Implementation,
): Promise<readonly RunRecord[]> {
  const given = Object.assign({}, ...worlds.map((world) => world.env)) as Record<string, string>;
  const host = nodeHost({ cwd: root, env: { ...process.env, ...given } });
  const path = join(root, 'example.json');
  await writeFile(
    path,
    JSON.stringify({
      setup: worlds.flatMap((world) => world.before ?? []),
      actions: [...(example.before ?? []), example.run],
    }),
  );
  const compilation = await compile([{ path }], { root, for: 'run' }, host);
  expect(compilation.hasErrors).toBe(false);
  const settings = Object.assign({}, ...worlds.map((world) => world.settings)) as World['settings'];
  const program = programOfPlan(compilation.seal(), compilation.places(), {
    ...settings,
    durable,
    gates: { ...localGates, ...settings?.gates },
  });
  const load = program.commands[info.name];
  if (load === undefined) throw new Error(`${info.name} is no part of the program`);
  const commands = { ...program.commands, [info.name]: async () => watched(await load()) };
  const records: RunRecord[] = [];
  await run(
    { ...program, places: program.places, commands },
    {
      root,
      once: true,
      records: { add: (record) => void records.push(record), flush: () => undefined, close: () => undefined },
    },
    host,
  );
  return records;
}

/** Every file with its content, every link with where it leads, every folder. */
function contentOf(root: string): Content {
  return Object.fromEntries(
    readdirSync(root, { recursive: true })
      .map(String)
      .sort()
      .map((name) => {
        const stats = lstatSync(join(root, name));
        if (stats.isSymbolicLink()) return [name, `-> ${readlinkSync(join(root, name))}`];
        return [
          name,
          stats.isDirectory()
            ? 'folder'
            : stats.isFile()
              ? readFileSync(join(root, name)).toString('latin1')
              : 'special',
        ];
      }),
  );
}

/** Names of files that are neither as they were nor as a run without a failure leaves them. */
function torn({ before, after, record }: Tried, whole: Tried, other: Tried): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => {
    if (after[name] === before[name] || after[name] === whole.after[name]) return false;
    // No two runs give the same encrypted file, or archive: its length must be one that it may have.
    // Times in ZIP files are whole seconds: two runs within one are alike, a third is not.
    const isRandom = name.endsWith('.zip') || whole.after[name] !== other.after[name] || !(name in whole.after);
    if (isRandom && record?.status === 'passed') return false;
    return !(
      isRandom &&
      [whole.after, other.after].some((content) =>
        Object.values(content).some((text) => text.length === after[name]?.length),
      )
    );
  });
}

/** Words for an error in a list of the failures of many files. */
const words: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EBUSY: 'is in use',
  EMFILE: 'too many files are open',
  ENOSPC: 'there is no space left',
};

const isTemporary = (name: string): boolean => /(?:^|\/)\.[^/]*\.tmp$/.test(name);

describe.each(sampled(works, 0.5, ({ title }) => title))('$title', (work) => {
  test('leaves old or new behind each call that fails, and tells the file and the cause', async () => {
    const whole = await tried(work, 0);
    const other = await tried(work, 0);
    expect(whole.record?.status).toBe('passed');
    if (work.durable)
      expect(whole.calls.map(({ name }) => name)).toEqual(expect.arrayContaining(['sync', 'fsyncSync']));
    const wrong: string[] = [];
    for (let nth = 1; nth <= Math.max(whole.calls.length, other.calls.length); nth += 1) {
      const one = await tried(work, nth);
      const { failed, record, after, before } = one;
      if (failed === undefined) continue;
      const tell = (what: string): void =>
        void wrong.push(`call ${nth}, ${failed.name} ${failed.path.replace(one.root, '')} (${failed.code}): ${what}`);
      for (const name of torn(one, whole, other)) if (!isTemporary(name)) tell(`"${name}" is torn`);
      const isRemoval = /^(?:unlink|rm|rmdir)/.test(failed.name);
      for (const name of Object.keys(after))
        if (!(name in before) && isTemporary(name) && !isRemoval) tell(`"${name}" is left`);
      // A failure of what is only tidying up may be no failure of the step.
      if (record?.status === 'passed') continue;
      const said = JSON.stringify(record?.error ?? {});
      if (!said.includes(failed.code) && !said.includes(words[failed.code] ?? '?'))
        tell(`the error does not tell the cause: ${said}`);
      const names = [...Object.keys({ ...before, ...whole.after }).map((name) => basename(name)), '"."', one.root];
      if (!names.some((name) => record?.error?.message.includes(name))) tell(`the error names no file: ${said}`);
    }
    expect(wrong).toEqual([]);
  }, 60_000);
});
