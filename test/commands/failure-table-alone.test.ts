import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { catalogue } from '#compiler/catalogue.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import type { CommandInfo, Parameter } from '#schemas/types/command.ts';

import { session } from './session.ts';

/**
 * Every command that reads no path, called where nothing is prepared: no session, no server, no file, nobody who listens.
 * `alone` is the first example of its declaration; `unfit` those that are rejected when they run. `-` is no failure. Those that
 * start a browser are left out. `failure-table.txt` has the commands that read paths.
 */
const golden = new URL('failure-table-alone.txt', import.meta.url);

/** By the specification; of browsers it promises no names, and theirs are the slugs of messages. */
const NAMED = /^(?:-|[A-Z][A-Za-z0-9]*(?:Exception|Error))$/;
const SLUG = /^[A-Za-z][A-Za-z0-9]*(?:-[a-z0-9]+)*$/;
/** Where the catalogue says only that something is raised, or that a value is wrong. */
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

it('calls each failure without a path what the catalogue calls it', async () => {
  await catalogue.prepare(catalogue.allNames);
  const lines: string[] = [];
  for (const info of (await catalogue.all()).filter(
    (each) => each.implemented && !isListed(each) && each.name !== DIFFERS_IN_CI,
  ))
    lines.push(await lineOf(info));
  const actual = `${lines.join('\n')}\n`;
  if (process.env['UPDATE'] === '1') await writeFile(golden, actual);
  expect(actual).toBe(await readFile(golden, 'utf8'));
  expect(lines.filter((line) => !isNamed(line))).toEqual([]);
}, 240_000);

function isListed({ domain, params, sessions }: CommandInfo): boolean {
  if (sessions?.opens !== undefined) return true;
  return domain !== 'browser' && params.some(isRead);
}

function isRead({ role, access = [] }: Parameter): boolean {
  return role === 'local-path' && access.includes('read');
}

function isNamed(line: string): boolean {
  const [command = '', ...rest] = line.split(': ');
  if (UNNAMED.has(command)) return true;
  const names = rest
    .join(': ')
    .split(' ')
    .flatMap((piece) => piece.split('=')[1] ?? []);
  return names.every(
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

async function lineOf(info: CommandInfo): Promise<string> {
  const examples = (info.examples ?? []) as readonly Example[];
  const first = examples.find(({ run }) => run !== undefined)?.run;
  const unfit = examples.filter(
    ({ rejects, with: code, before, given }) =>
      rejects !== undefined && code?.startsWith('SVC8') && before === undefined && given === undefined,
  );
  const pieces = [`alone=${await nameOf(info, first)}`];
  for (const { rejects, with: code } of unfit) pieces.push(`${code}=${await nameOf(info, rejects)}`);
  return `${info.name}: ${pieces.join(' ')}`;
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
