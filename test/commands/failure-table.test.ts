import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { catalogue } from '#compiler/catalogue.ts';
import type { CommandInfo, Parameter } from '#schemas/types/command.ts';

import { nodeHost } from '#runtime/hosts/node.ts';
import { session } from './session.ts';

/**
 * Every command that reads a path, with each thing that can be wrong there: which name the failure has. `-` is no failure.
 * A name of a new command, or a changed one, is read in review beside the catalogue.
 */
const golden = new URL('failure-table.txt', import.meta.url);
const wrong = ['missing', 'a folder', 'a text', 'no UTF-8', 'cut ZIP', 'cut GZIP'] as const;

/** By the catalogue; of locks it names only the one that came too late. */
const NAMED = /^(?:-|[A-Z][A-Za-z0-9]*Exception)$/;
const UNNAMED = new Set(['FA_with_file_lock', 'FA_with_db_lock', 'FA_db_lock_status']);

it('calls each failure of a path what the catalogue calls it', async () => {
  const lines: string[] = [];
  for (const info of await readers())
    for (const parameter of info.params.filter(isRead)) lines.push(await lineOf(info, parameter));
  const actual = `${lines.join('\n')}\n`;
  if (process.env['UPDATE'] === '1') await writeFile(golden, actual);
  expect(actual).toBe(await readFile(golden, 'utf8'));
  const unnamed = lines
    .filter((line) => !UNNAMED.has(line.split(' ')[0] ?? ''))
    .filter((line) =>
      line
        .split(/:? /)
        .slice(2)
        .some((name) => !NAMED.test(name)),
    );
  expect(unnamed).toEqual([]);
}, 60_000);

async function readers(): Promise<readonly CommandInfo[]> {
  const all = await catalogue.all();
  return all.filter((info) => info.implemented && info.domain !== 'browser' && info.params.some(isRead));
}

function isRead({ role, access = [] }: Parameter): boolean {
  return role === 'local-path' && access.includes('read');
}

async function lineOf(info: CommandInfo, { name: asked }: Parameter): Promise<string> {
  const names: string[] = [];
  for (const kind of wrong) names.push(await nameOf(info, asked, kind));
  return `${info.name} ${asked}: ${names.join(' ')}`;
}

/** The name of the failure of a call whose other parameters are those of the command's first example. */
async function nameOf(info: CommandInfo, asked: string, kind: (typeof wrong)[number]): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'svc-table-')));
  try {
    await fill(root);
    await using unit = await session({ root, host: nodeHost({ cwd: root }) });
    const params: Record<string, unknown> = { ...exampleOf(info) };
    for (const parameter of info.params.filter(({ role }) => role === 'local-path'))
      if (parameter.required || parameter.name in params)
        params[parameter.name] = shaped(parameter, join(root, parameter.access?.includes('read') ? 'a text' : 'out'));
    for (const { name, list } of info.params)
      if (list !== undefined && name in params) params[name] = [['FA_generate_key', {}]];
    const parameter = info.params.find(({ name }) => name === asked);
    if (parameter) params[asked] = shaped(parameter, join(root, kind));
    return (await unit.step(info.name, params)).failure?.facts.name ?? '-';
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function fill(root: string): Promise<void> {
  await mkdir(join(root, 'a folder'));
  await writeFile(join(root, 'a text'), 'a\n');
  await writeFile(join(root, 'no UTF-8'), Buffer.from([0xe4, 0xff]));
  await writeFile(join(root, 'cut ZIP'), 'PK\u0003\u0004cut');
  await writeFile(join(root, 'cut GZIP'), Buffer.from('1f8b080000000000000300', 'hex'));
}

function shaped({ schema }: Parameter, path: string): unknown {
  return schema['type'] === 'array' || JSON.stringify(schema['type'])?.startsWith('["array"') ? [path] : path;
}

function exampleOf({ examples = [] }: CommandInfo): Readonly<Record<string, unknown>> {
  for (const example of examples) {
    if (!('run' in example)) continue;
    const run: unknown = example.run;
    const given: unknown = Array.isArray(run) ? run[1] : undefined;
    if (typeof given === 'object' && given !== null && !Array.isArray(given))
      // Nobody listens there: the file is what the call must fail for.
      return JSON.parse(
        JSON.stringify(given)
          .replaceAll('${ENV.API_URL}', 'http://127.0.0.1:9')
          .replaceAll('"${ENV.SFTP_PORT:int}"', '9'),
      ) as Readonly<Record<string, unknown>>;
  }
  return {};
}
