import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { catalogue } from '#compiler/catalogue.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import type { CommandInfo, Parameter } from '#schemas/types/command.ts';

import { isUpdate, readTable, writeTable } from './failure-names-table.ts';
import { session } from './session.ts';

/**
 * Every command that reads no path, called where nothing is prepared: no session, no server, no file, nobody who
 * listens. `alone` is the first example of its declaration; `unfit` those that are rejected when they run. `-` is no
 * failure. Those that start a browser are left out. `failure-table.txt` has the commands that read paths.
 */
const golden = new URL('failure-table-alone.txt', import.meta.url);

/** By the specification; of browsers it promises no names, and theirs are the slugs of messages. */
const NAMED = /^(?:-|[A-Z][A-Za-z0-9]*(?:Exception|Error))$/;
const SLUG = /^[A-Za-z][A-Za-z0-9]*(?:-[a-z0-9]+)*$/;
/** Commands of which the catalogue says only that an error is raised, or that a value is wrong. */
const UNNAMED = new Set(['FA_remove_dir_tree', 'FA_integrity_stop', 'FA_with_rate_limit']);
/** Failures of the run, which are no command's own. */
const OF_THE_RUN = new Set([
  'step-timed-out',
  'arguments-unfit',
  'gate-closed',
  'nested-steps-failed',
  'verdict-negative',
  'function-reference-unusable',
]);

/** A snapshot that is missing is made on a machine of somebody, and fails in CI. */
const DIFFERS_IN_CI = 'WR_match_snapshot';

await catalogue.prepare(catalogue.allNames);
const called = (await catalogue.all()).filter(
  (each) => each.implemented && !isListed(each) && each.name !== DIFFERS_IN_CI,
);
const written = await readTable(golden);

describe('each failure without a path is called what the catalogue calls it', () => {
  it.concurrent.each(called.map((info) => [info.name, info] as const))('%s alone', async (name, info) => {
    const names = await namesOf(info);
    if (isUpdate) return void written.set(name, names);
    expect(names).toBe(written.get(name));
    expect(isNamed(name, names), names).toBe(true);
  });

  it('for these commands and no others', () => {
    const all = new Set(called.map(({ name }) => name));
    for (const name of written.keys()) if (isUpdate && !all.has(name)) written.delete(name);
    expect([...all].filter((name) => !isUpdate && !written.has(name))).toEqual([]);
    expect([...written.keys()].filter((name) => !all.has(name))).toEqual([]);
  });
});
afterAll(() => writeTable(golden, written));

function isListed({ domain, params, sessions }: CommandInfo): boolean {
  if (sessions?.opens !== undefined) return true;
  return domain !== 'browser' && params.some(isRead);
}

function isRead({ role, access = [] }: Parameter): boolean {
  return role === 'local-path' && access.includes('read');
}

function isNamed(command: string, names: string): boolean {
  if (UNNAMED.has(command)) return true;
  const each = names.split(' ').flatMap((piece) => piece.split('=')[1] ?? []);
  return each.every(
    (name) => NAMED.test(name) || OF_THE_RUN.has(name) || (command.startsWith('WR_') && SLUG.test(name)),
  );
}

interface Example {
  readonly run?: unknown;
  readonly rejects?: unknown;
  readonly with?: string;
  readonly before?: unknown;
  readonly given?: unknown;
}

async function namesOf(info: CommandInfo): Promise<string> {
  const examples = (info.examples ?? []) as readonly Example[];
  const first = examples.find(({ run }) => run !== undefined)?.run;
  const unfit = examples.filter(
    ({ rejects, with: code, before, given }) =>
      rejects !== undefined && code?.startsWith('SVC8') && before === undefined && given === undefined,
  );
  const pieces = [`alone=${await nameOf(info, first)}`];
  for (const { rejects, with: code } of unfit) pieces.push(`${code}=${await nameOf(info, rejects)}`);
  return pieces.join(' ');
}

async function nameOf(info: CommandInfo, written: unknown): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'svc-alone-')));
  try {
    await using unit = await session({ root, host: nodeHost({ cwd: root }) });
    const { failure } = await unit.step(info.name, paramsOf(info, written), { timeout_s: 10 });
    return failure?.facts.name ?? '-';
  } catch (error) {
    // What does not fit the declaration never gets as far as the command.
    if (error instanceof Error && error.name === 'arguments-unfit') return error.name;
    throw error;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

function paramsOf(info: CommandInfo, written: unknown): Record<string, unknown> {
  const given: unknown = Array.isArray(written) ? (written[1] ?? {}) : {};
  const text = JSON.stringify(given).replaceAll(/\$\{[^}]*URL\}/g, 'http://127.0.0.1:9');
  const read = JSON.parse(text) as unknown;
  const params = Array.isArray(read)
    ? Object.fromEntries(read.map((value, index) => [info.params[index]?.name ?? String(index), value]))
    : (read as Record<string, unknown>);
  for (const { name, list } of info.params)
    if (list !== undefined && name in params) params[name] = [['FA_generate_key', {}]];
  return params;
}
