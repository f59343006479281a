import { spawnSync } from 'node:child_process';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { portFacts } from '#schemas/generated/port-facts.ts';

import { built } from '../built.ts';

import { makePrograms, projectOf, removeProject } from './make-programs.ts';

const lock = (place: string): string =>
  `[[FA_with_db_lock, {db_path: '${place}', name: report, then: [[FA_create_file, {file_path: a.txt}]]}]]`;

let folder = '';
const programs = new Map<string, { readonly text: string; readonly ports: readonly string[] }>();
beforeAll(async () => {
  await built();
  folder = projectOf({
    'file.yaml': lock('locks/all.db'),
    'beginning.yaml': lock('./${ENV.STAGE}.db'),
    'postgres.yaml': lock('PostgreSQL://${ENV.DATABASE}'),
    'literal.yaml': lock('postgres://127.0.0.1:1/none'),
    'mysql.yaml': lock('mariadb://a:b@127.0.0.1:1/none'),
    'unknown.yaml': lock('${ENV.LOCKS}'),
    'none.yaml': lock('redis://localhost/0'),
  });
  const names = ['file', 'beginning', 'postgres', 'literal', 'mysql', 'unknown', 'none'];
  const { emitted } = await makePrograms(
    folder,
    names.map((name) => `${name}.yaml`),
    { minify: true },
  );
  for (const { program, plan, outputs } of emitted) {
    const { units } = JSON.parse(plan) as { units: { needs: { ports: string[] } }[] };
    programs.set(outputs.source.replace('.yaml', ''), { text: program, ports: units[0]?.needs.ports ?? [] });
  }
}, 120_000);
afterAll(() => removeProject(folder));

const sizeOf = (name: string): number => Buffer.byteLength(programs.get(name)?.text ?? '');
const databases = ['mysql', 'postgres', 'sqlite'];

describe('a program links, of the providers that an address chooses from,', () => {
  it.each([
    ['file', ['sqlite']],
    ['beginning', ['sqlite']],
    ['postgres', ['postgres']],
    ['literal', ['postgres']],
    ['mysql', ['mysql']],
    ['unknown', databases],
    ['none', []],
  ])('those that its plan can name: %s', (name, expected) => {
    const { text = '', ports = [] } = programs.get(name) ?? {};
    expect(ports.filter((port) => databases.includes(port))).toEqual(expected);
    const held = { mysql: 'caching_sha2_password', postgres: 'SCRAM-SHA-256', sqlite: 'node:sqlite' };
    expect(databases.filter((port) => text.includes(held[port as keyof typeof held]))).toEqual(expected);
  });

  it('less than 200,000 bytes for a lock in a SQLite file, and does what it did', () => {
    expect(sizeOf('file')).toBeLessThan(200_000);
    const run = (name: string, env: Readonly<Record<string, string>> = {}): { status: number | null; stdout: string } =>
      spawnSync(process.execPath, [path.join(folder, 'dist', `${name}.mjs`)], {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, ...env },
        timeout: 30_000,
      });
    expect(run('file')).toMatchObject({ status: 0 });
    expect(run('beginning', { STAGE: 'test' })).toMatchObject({ status: 0 });
    expect(run('unknown', { LOCKS: 'locks/all.db' })).toMatchObject({ status: 0 });
    expect(run('unknown', { LOCKS: 'postgres://127.0.0.1:1/none' }).stdout).toContain('SVC87014');
    expect(run('mysql').stdout).toContain('SVC87014');
    expect(run('none').stdout).toContain('SVC87008');
  });

  it('what lint says that it costs', () => {
    const without = sizeOf('none');
    const added = (name: string): number => Math.round((sizeOf(name) - without) / 1024);
    const said = (port: string): number => portFacts[port]?.kib ?? 0;
    const close = (kib: number): { readonly least: number; readonly most: number } => ({
      least: kib * 0.9 - 2,
      most: kib * 1.1 + 2,
    });
    for (const [port, name] of [
      ['sqlite', 'file'],
      ['postgres', 'literal'],
      ['mysql', 'mysql'],
    ] as const) {
      const { least, most } = close(said(port));
      expect(added(name), port).toBeGreaterThanOrEqual(least);
      expect(added(name), port).toBeLessThanOrEqual(most);
    }
  });
});
