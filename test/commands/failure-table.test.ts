import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { catalogue } from '#compiler/catalogue.ts';
import type { CommandInfo, Parameter } from '#schemas/types/command.ts';

import { nodeHost } from '#runtime/hosts/node.ts';
import { isUpdate, readTable, writeTable } from './failure-names-table.ts';
import { session } from './session.ts';

/**
 * Every command that reads a path, with each thing that can be wrong there: which name the failure has. `-` is no
 * failure. A name of a new command, or a changed one, is read in review beside the catalogue.
 */
const golden = new URL('failure-table.txt', import.meta.url);
const wrong = ['missing', 'a folder', 'a text', 'no UTF-8', 'cut ZIP', 'cut GZIP'] as const;

/** By the catalogue; of locks it names only the one that came too late, of logins with files none. */
const NAMED = /^(?:-|[A-Z][A-Za-z0-9]*Exception)$/;
const UNNAMED = new Set([
  'FA_with_file_lock',
  'FA_with_db_lock',
  'FA_db_lock_status',
  'FA_drive_later_init',
  'AT_load_storage_state',
]);

const written = await readTable(golden);
const pairs = (await readers()).flatMap((info) => info.params.filter(isRead).map((parameter) => ({ info, parameter })));

describe('each failure of a path is called what the catalogue calls it', () => {
  it.concurrent.each(pairs.map((pair) => [`${pair.info.name} ${pair.parameter.name}`, pair] as const))(
    '%s',
    async (of, { info, parameter }) => {
      const names = await namesOf(info, parameter);
      if (isUpdate) return void written.set(of, names);
      expect(names).toBe(written.get(of));
      if (!UNNAMED.has(info.name)) expect(names.split(' ').filter((name) => !NAMED.test(name))).toEqual([]);
    },
  );

  it('for these commands and no others', () => {
    const all = pairs.map(({ info, parameter }) => `${info.name} ${parameter.name}`);
    for (const of of written.keys()) if (isUpdate && !all.includes(of)) written.delete(of);
    expect(all.filter((of) => !isUpdate && !written.has(of))).toEqual([]);
    expect([...written.keys()].filter((of) => !all.includes(of))).toEqual([]);
  });
});
afterAll(() => writeTable(golden, written));

async function readers(): Promise<readonly CommandInfo[]> {
  const all = await catalogue.all();
  return all.filter((info) => info.implemented && info.domain !== 'browser' && info.params.some(isRead));
}

/** A socket is no file: what fails there is a connection. */
function isRead({ name, role, access = [] }: Parameter): boolean {
  return role === 'local-path' && access.includes('read') && name !== 'unix_socket';
}

async function namesOf(info: CommandInfo, { name: asked }: Parameter): Promise<string> {
  return (await Promise.all(wrong.map((kind) => nameOf(info, asked, kind)))).join(' ');
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
          .replaceAll(/\$\{ENV\.[A-Z]+_URL\}/g, 'http://127.0.0.1:9')
          .replaceAll(/"\$\{ENV\.[A-Z]+_PORT:int\}"/g, '9'),
      ) as Readonly<Record<string, unknown>>;
  }
  return {};
}
