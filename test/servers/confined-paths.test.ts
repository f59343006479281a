import { mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { catalogue } from '#compiler/catalogue.ts';
import { confinedFiles, Confinement } from '#compiler/engine/callers/confined-files.ts';
import { confinedPaths } from '#compiler/engine/callers/confined-paths.ts';
import { openUnit } from '#compiler/engine/unit-session.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { JsonObject } from '#schemas/types/json.ts';

let top = '';
let root = '';
let confinement: Confinement;
let guard: (command: string, args: JsonObject) => Promise<void>;
beforeAll(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), 'svc-confined-')));
  root = join(top, 'project');
  const host = nodeHost({ cwd: root });
  await host.files.makeDirectory(root);
  await writeFile(join(top, 'secret.db'), '');
  await symlink(top, join(root, 'way-out'));
  confinement = new Confinement(host, [root]);
  guard = confinedPaths(confinement);
});
afterAll(() => rm(top, { recursive: true, force: true }));

async function outcome(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => 'no failure',
    (reason: unknown) => reason,
  );
  return error instanceof Failure ? error.facts.name : String(error);
}

describe('paths in the parameters of commands', () => {
  it('lead nowhere outside, for every command that takes some', async () => {
    const open: string[] = [];
    let count = 0;
    for (const { name, params } of await catalogue.all())
      for (const { name: parameter, role, schema } of params) {
        if (role !== 'local-path') continue;
        count += 1;
        const isMany = JSON.stringify(schema['type'] ?? '').includes('array');
        for (const path of [join(top, 'secret.db'), '../secret.db', 'way-out/secret.db'])
          if ((await outcome(guard(name, { [parameter]: isMany ? ['inside', path] : path }))) !== 'input-outside')
            open.push(`${name}.${parameter} ${path}`);
        expect(await outcome(guard(name, { [parameter]: isMany ? ['inside'] : 'inside' }))).toBe('no failure');
      }
    expect(open).toEqual([]);
    expect(count).toBeGreaterThan(250);
  });

  it('lead nowhere either where a library opens the file, or a statement names it', async () => {
    const host = nodeHost({ cwd: root });
    await using unit = await openUnit({
      host: { ...host, files: confinedFiles(confinement, host.files) },
      root,
      guard,
      settings: { gates: { private: true } },
    });
    const query = (connection_url: string, sql = 'select 1 as one'): Promise<string> =>
      outcome(unit.call('WR_db_query', { connection_url, sql }));
    for (const path of [join(top, 'secret.db'), '../secret.db', 'way-out/secret.db'])
      expect([path, await query(`sqlite:///${path}`), await query(path)]).toEqual([
        path,
        'input-outside',
        'input-outside',
      ]);
    expect(await outcome(unit.call('AT_list_trend_rows', { db_path: '../secret.db' }))).toBe('input-outside');
    expect(await query('sqlite://', "attach '../secret.db' as other")).toBe('input-outside');
    const execute = (sql: string): Promise<unknown> => unit.call('WR_db_execute', { connection_url: 'own.db', sql });
    expect(await outcome(execute("vacuum /* x */ into '../copy.db'"))).toBe('input-outside');
    await execute('create table attachments (id)');
    expect(await query('own.db', 'select * from attachments')).toBe('no failure');
    const listed = await unit.list([
      ['AT_set_variable', { name: 'place', value: '../secret.db' }],
      ['AT_list_trend_rows', { db_path: '{{place}}' }],
    ]);
    expect((await listed.run()).map(({ status }) => status)).toEqual(['passed', 'failed']);
  });
});
