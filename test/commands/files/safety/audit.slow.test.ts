import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { AuditRow } from '#runtime/services/audit/port.ts';

import { session } from '../../session.ts';
import { lacks } from '../../../fixtures/programs.ts';

const KILLS = process.env['SVC_TEST_FULL'] ? 100 : 8;

let root: string;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'svc-audit-'));
  // One file: a process that reads its sources one by one takes ten times as long to begin.
  await build({
    entryPoints: [join(import.meta.dirname, 'audit-child.ts')],
    outfile: join(root, 'child.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['source'],
  });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function begin(database: string, ends: string, count: number, actor: string): ChildProcess {
  return spawn(process.execPath, [join(root, 'child.mjs'), database, ends, String(count), actor], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

/** Whole lines of a file that may not be there yet. */
function linesOf(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}

function ticksOf(database: string, actor: string): ReadonlySet<number> {
  const opened = new DatabaseSync(database);
  try {
    expect(
      opened
        .prepare('PRAGMA integrity_check')
        .all()
        .map((row) => ({ ...row })),
    ).toEqual([{ integrity_check: 'ok' }]);
    const rows = opened.prepare('SELECT detail FROM audit WHERE action = ? AND actor = ?').all('TICK', actor);
    return new Set(rows.map(({ detail }) => (JSON.parse(String(detail)) as { payload: { n: number } }).payload.n));
  } finally {
    opened.close();
  }
}

test(`${KILLS} kills at any moment: the row of every step that had ended is there, and the file is whole`, async () => {
  const database = join(root, 'killed.db');
  let atWork = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const ends = join(root, `ends-${kill}`);
    const child = begin(database, ends, 100_000, `child ${kill}`);
    const died = once(child, 'exit');
    // Three of four fall among its steps, however slow the machine is; the others anywhere from the first on.
    const begun = kill % 4 === 0 ? 1 : 3;
    while (linesOf(ends).length < begun && child.exitCode === null)
      await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 60));
    child.kill('SIGKILL');
    await died;
    const ended = linesOf(ends)
      .map(Number)
      .filter((index) => index >= 0);
    if (ended.length > 1) atWork++;
    const written = ticksOf(database, `child ${kill}`);
    expect(ended.filter((index) => !written.has(index))).toEqual([]);
    expect(written.size - ended.length).toBeLessThanOrEqual(1);
  }
  expect(atWork).toBeGreaterThan(KILLS / 2);
  await using unit = await session();
  const opened = (await unit.call('FA_audit_open', { db_path: database })) as { count: number };
  expect(opened.count).toBeGreaterThan(atWork);
}, 120_000);

test('two processes at one file: no row is lost, none is torn', async () => {
  const database = join(root, 'shared.db');
  const children = ['a', 'b'].map((name) => begin(database, join(root, `ends-${name}`), 300, name));
  expect(await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0] as number))).toEqual([0, 0]);
  for (const name of ['a', 'b']) expect(ticksOf(database, name).size).toBe(300);
}, 60_000);

test.skipIf(lacks('sqlite3'))('the program of SQLite reads it', async () => {
  const database = join(root, 'read.db');
  const child = begin(database, join(root, 'ends-read'), 3, 'ada');
  await once(child, 'exit');
  const told = execFileSync(
    'sqlite3',
    [
      database,
      "PRAGMA integrity_check; SELECT id, action, actor, status, typeof(ts), json_extract(detail, '$.payload.n') FROM audit ORDER BY id",
    ],
    { encoding: 'utf8' },
  );
  expect(told).toBe(
    'ok\n1|FA_audit_open|ada|ok|real|\n2|TICK|ada|ok|real|0\n3|TICK|ada|ok|real|1\n4|TICK|ada|ok|real|2\n',
  );
});

test('held by another process: steps pass, the run says so once, and the rows go in when it is free', async () => {
  const database = join(root, 'held.db');
  await using unit = await session();
  await unit.call('FA_audit_open', { db_path: database });
  const script =
    "const { DatabaseSync } = require('node:sqlite'); const d = new DatabaseSync(process.argv[1]); d.exec('BEGIN EXCLUSIVE'); console.log('held'); process.stdin.once('data', () => { d.exec('COMMIT'); process.exit(0); });";
  const other = spawn(process.execPath, ['-e', script, database], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(other.stdout, 'data');
  const notices: string[] = [];
  const { emit } = unit.work.run;
  unit.work.run.emit = (event) => {
    if (event.kind === 'notice') notices.push(event.text);
    emit.call(unit.work.run, event);
  };
  for (const name of ['one', 'two', 'three'])
    expect((await unit.step('FA_create_dir', { dir_path: join(root, name) })).status).toBe('passed');
  other.stdin.write('x');
  await once(other, 'exit');
  await unit.call('FA_create_dir', { dir_path: join(root, 'four') });
  expect(
    ((await unit.call('FA_audit_recent', { limit: 9, action: 'FA_create_dir' })) as readonly AuditRow[]).map(
      ({ detail }) => (detail as { payload: { dir_path: string } }).payload.dir_path.slice(root.length + 1),
    ),
  ).toEqual(['four', 'three', 'two', 'one']);
  expect(notices).toEqual([
    `"audit" could not follow the steps of this file: The database file "${database}" is in use by another process.`,
  ]);
}, 20_000);
