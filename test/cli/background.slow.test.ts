import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { RunRecord } from '#schemas/types/record.ts';

import { startSvc, svc } from './svc.ts';

let folder = '';

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-background-')));
  writeFileSync(join(folder, 'svc.config.yaml'), '{}');
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const until = async (isSo: () => boolean): Promise<void> => {
  const end = Date.now() + 20_000;
  while (!isSo() && Date.now() < end) await sleep(20);
};
const here = (name: string): string => join(folder, name);
const records = (name: string): readonly RunRecord[] =>
  readFileSync(here(name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RunRecord);

/** An action file that watches `in-<name>`, and what it says when it is ready. */
function watching(name: string, meta = '{}', more = ''): void {
  mkdirSync(here(`in-${name}`));
  writeFileSync(
    here(`${name}.yaml`),
    `meta: ${meta}
actions:
- FA_watch_start:
    name: inbox
    path: in-${name}
    action_list:
    - [FA_copy_file, { source: "\${event.path}", target: "${name}.\${event.name}" }]
- [FA_schedule_add, { name: never, cron_expression: 0 0 31 2 *, action_list: [[FA_create_file, { file_path: never }]] }]
${more}- [FA_create_file, { file_path: ${name}.ready, content: x }]
teardown:
- [FA_create_file, { file_path: ${name}.torn-down, content: x }]
`,
  );
}

describe('a run with a watch and a schedule', () => {
  test('stays until it is interrupted, then ends in order', { timeout: 30_000 }, async () => {
    watching('stays');
    const { child, ended } = startSvc(folder, ['run', 'stays.yaml', '--record', 'stays.jsonl']);
    await until(() => existsSync(here('stays.ready')));
    await sleep(300);
    writeFileSync(here('in-stays/a'), 'content');
    await until(() => existsSync(here('stays.a')));
    await sleep(200);
    child.kill('SIGINT');
    const { exit, stdout } = await ended;
    expect([exit, existsSync(here('stays.torn-down'))]).toEqual([130, true]);
    expect(stdout).toContain('the run stays until it is interrupted: watch inbox, schedule never');
    expect(records('stays.jsonl').map(({ id, parent, status }) => [id, parent, status])).toEqual([
      ['stays.yaml#0', undefined, 'passed'],
      ['stays.yaml#1', undefined, 'passed'],
      ['stays.yaml#2', undefined, 'passed'],
      ['stays.yaml#0.action_list.0', 'stays.yaml#0', 'passed'],
      ['stays.yaml#teardown.0', undefined, 'passed'],
    ]);
  });

  test('ends in order when its terminal goes away', { timeout: 30_000 }, async () => {
    watching('hangup');
    const { child, ended } = startSvc(folder, ['run', 'hangup.yaml']);
    await until(() => existsSync(here('hangup.ready')));
    await sleep(300);
    child.kill('SIGHUP');
    expect([(await ended).exit, existsSync(here('hangup.torn-down'))]).toEqual([129, true]);
  });

  test('does not stay with --once', { timeout: 30_000 }, async () => {
    watching('once');
    const { exit, stdout } = await svc(folder, ['run', 'once.yaml', '--once', '--record', 'once.jsonl']);
    expect([exit, existsSync(here('once.torn-down'))]).toEqual([0, true]);
    expect(stdout).not.toContain('stays');
    expect(records('once.jsonl').map(({ status }) => status)).toEqual(['passed', 'passed', 'passed', 'passed']);
  });

  test('stays for `run_for_s`, and a run at work then ends', { timeout: 30_000 }, async () => {
    watching('for', '{ run_for_s: 4 }');
    const ended = svc(folder, ['run', 'for.yaml', '--record', 'for.jsonl']);
    await until(() => existsSync(here('for.ready')));
    const ready = Date.now();
    await sleep(500);
    // It is collected for a quarter of a second, so that its run is at work, or nearly so, when the time is over.
    writeFileSync(here('in-for/a'), 'content');
    const { exit, stdout } = await ended;
    expect([exit, existsSync(here('for.a')), Date.now() - ready > 3900]).toEqual([0, true, true]);
    expect(stdout).toContain('the run stays for 4 s');
  });

  test('does the same as a compiled program', { timeout: 60_000 }, async () => {
    watching('program', '{ run_for_s: 4 }');
    expect(await startSvc(folder, ['compile', 'program.yaml', '-o', 'dist']).ended).toMatchObject({ exit: 0 });
    const child = spawn(process.execPath, ['dist/program.mjs'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    let said = '';
    child.stdout.on('data', (chunk) => (said += String(chunk)));
    await until(() => existsSync(here('program.ready')));
    await sleep(200);
    writeFileSync(here('in-program/a'), 'content');
    expect([await ended, existsSync(here('program.a')), existsSync(here('program.torn-down'))]).toEqual([
      0,
      true,
      true,
    ]);
    expect(said).toContain('the run stays for 4 s: watch inbox, schedule never');
  });

  test('ends by itself when its jobs are gone', { timeout: 30_000 }, async () => {
    writeFileSync(
      here('gone.yaml'),
      '- [FA_schedule_add, { name: a, cron_expression: "* * * * *", action_list: [[FA_create_file, { file_path: x }]] }]\n- FA_schedule_remove_all\n- FA_watch_start: { name: w, path: ., action_list: [[FA_create_file, { file_path: y }]] }\n- FA_watch_stop_all\n',
    );
    const { exit, stdout } = await svc(folder, ['run', 'gone.yaml']);
    expect([exit, stdout.includes('stays')]).toEqual([0, false]);
  });

  test('fails where one of its runs fails, and says so to the sinks', { timeout: 30_000 }, async () => {
    const bodies: string[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        bodies.push(body);
        response.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    mkdirSync(here('in-fails'));
    writeFileSync(
      here('fails.yaml'),
      `meta: { run_for_s: 2 }
actions:
- [FA_notify_register, { type: webhook, options: { url: ${url} } }]
- FA_watch_start:
    name: inbox
    path: in-fails
    debounce_ms: 50
    action_list:
    - [FA_file_checksum, { path: nothing-here }]
- [FA_create_file, { file_path: fails.ready, content: x }]
`,
    );
    const ended = svc(folder, ['run', 'fails.yaml', '--allow', 'private']);
    await until(() => existsSync(here('fails.ready')));
    await sleep(300);
    writeFileSync(here('in-fails/a'), 'content');
    const { exit } = await ended;
    server.close();
    expect(exit).toBe(1);
    expect(bodies.map((body) => JSON.parse(body) as unknown)).toEqual([
      {
        subject: 'svc: trigger[inbox] failed',
        body: '0 FA_file_checksum: There is no file "nothing-here".',
        level: 'error',
      },
    ]);
  });
});

describe('a schedule on a clock that somebody sets', () => {
  test('fires each minute once', { timeout: 60_000 }, async () => {
    // The wall clock of the process, as far ahead as the file says.
    writeFileSync(
      here('shift.mjs'),
      `import { readFileSync } from 'node:fs';
const real = Date.now;
Date.now = () => real() + Number(readFileSync(${JSON.stringify(here('shift'))}, 'utf8') || 0);
`,
    );
    const shift = (ms: number): void => writeFileSync(here('shift'), String(ms));
    const wall = (): number => Date.now() + Number(readFileSync(here('shift'), 'utf8'));
    mkdirSync(here('fired'));
    const fired = (): readonly string[] =>
      readdirSync(here('fired'))
        .map((name) => name.slice(0, 5))
        .filter((minute) => minute >= '10')
        .sort();
    // A day that is far from here.
    const ten = Date.UTC(2031, 4, 5, 10);
    shift(ten - 3_600_000 - Date.now());
    writeFileSync(
      here('clock.yaml'),
      '- [FA_schedule_add, { name: all, cron_expression: "* * * * *", action_list: [[FA_create_file, { file_path: "fired/${date:%H:%M}-${uuid}" }]] }]\n- FA_create_file: { file_path: clock.ready, content: x }\n',
    );
    const { child, ended } = startSvc(folder, ['run', 'clock.yaml'], {
      NODE_OPTIONS: `--import=${here('shift.mjs')}`,
      TZ: 'UTC',
    });
    await until(() => existsSync(here('clock.ready')));
    // Near to ten. That the clock was set is noticed within five seconds, so what is left of the minute before may pass unseen.
    shift(ten - 2000 - Date.now());
    await until(() => fired().length > 0 || wall() > ten + 6000);
    expect(fired()).toEqual(['10:00']);
    // Back a little: 10:00 comes again.
    shift(ten - 2000 - Date.now());
    await sleep(6500);
    expect(fired()).toEqual(['10:00']);
    // Hours ahead: the minute that it is now is noticed within five seconds, those in between are not made up for.
    shift(ten + 3 * 3_600_000 + 4 * 60_000 + 1000 - Date.now());
    await until(() => fired().length > 1 || wall() > ten + 3 * 3_600_000 + 4 * 60_000 + 20_000);
    expect(fired()).toEqual(['10:00', '13:04']);
    child.kill('SIGTERM');
    expect((await ended).exit).toBe(143);
  });
});
