import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { RunRecord } from '#schemas/types/record.ts';

import { built } from '../built.ts';

import { makePrograms, projectOf, removeProject } from './make-programs.ts';

const files = {
  'passes.yaml': `meta: { inputs: { user: { type: string, default: ada } } }
actions:
  - FA_create_dir: { dir_path: out }
  - FA_create_file: { file_path: "out/{{user}}.txt", content: "\${ENV.GREETING:-hello}" }
`,
  'fails.yaml': `actions:
  - FA_copy_file: { source: not-there.txt, target: x.txt }
    expect: result == true
  - FA_create_dir: { dir_path: never }
setup:
  - FA_create_dir: { dir_path: made }
teardown:
  - FA_create_dir: { dir_path: cleaned }
`,
  'needs.yaml': `meta: { inputs: { count: { type: integer } } }
actions:
  - AT_set_variable: [n, "{{count}}"]
`,
  'waits.yaml': `setup:
  - FA_create_dir: { dir_path: begun }
actions:
  - AT_test_api_method: { http_method: get, test_url: "\${ENV.URL}" }
    id: hang
  - FA_create_dir: { dir_path: never }
teardown:
  - FA_create_dir: { dir_path: cleaned }
`,
};
let folder = '';
beforeAll(async () => {
  await built();
  folder = projectOf(files);
  const { diagnostics } = await makePrograms(folder, Object.keys(files), {
    reporters: ['junit', 'tap', 'github', 'html'],
  });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
}, 120_000);
afterAll(() => removeProject(folder));

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
function run(program: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Ended {
  return spawnSync(process.execPath, [path.join('dist', program), ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...env },
  });
}
function records(file: string): readonly RunRecord[] {
  return readFileSync(path.join(folder, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RunRecord);
}
const has = (name: string): boolean => existsSync(path.join(folder, name));

describe('a program', () => {
  it('passes with 0 and says so', () => {
    const { status, stdout, stderr } = run('passes.mjs');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('2 passed');
    expect(readFileSync(path.join(folder, 'out/ada.txt'), 'utf8')).toBe('hello');
  });

  it('takes variables, an environment and a root from its arguments', () => {
    expect(run('passes.mjs', ['--var', 'user=eve', '--var=other:=1'], { GREETING: 'moin' }).status).toBe(0);
    expect(readFileSync(path.join(folder, 'out/eve.txt'), 'utf8')).toBe('moin');
  });

  it('takes an environment by its file, and no name that has none', () => {
    writeFileSync(path.join(folder, '.env.staging'), 'GREETING=staged\n');
    expect(run('passes.mjs', ['--env', 'staging', '--var', 'user=joe']).status).toBe(0);
    expect(readFileSync(path.join(folder, 'out/joe.txt'), 'utf8')).toBe('staged');
    const { status, stdout, stderr } = run('passes.mjs', ['--env', 'stagng']);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain('error[SVC90153]: There is no file ".env.stagng" for the environment "stagng"');
    expect(stderr).toContain('environments that have one: "staging".');
  });

  it('fails with 1, points into the action file, and has cleaned up', () => {
    const { status, stdout } = run('fails.mjs', ['--record', 'records/fails.jsonl']);
    expect(status).toBe(1);
    expect(stdout).toContain('--> fails.yaml:2:5');
    expect(stdout).toContain('error[SVC85000]');
    expect(records('records/fails.jsonl').map(({ command, status: state }) => [command, state])).toEqual([
      ['FA_create_dir', 'passed'],
      ['FA_copy_file', 'failed'],
      ['FA_create_dir', 'skipped'],
      ['FA_create_dir', 'passed'],
    ]);
    expect([has('made'), has('never'), has('cleaned')]).toEqual([true, false, true]);
  });

  it('does nothing in a dry run', () => {
    const { status, stdout } = run('passes.mjs', ['--dry-run', '--var', 'user=nobody', '--reporter', 'json']);
    expect({ status, counts: (JSON.parse(stdout) as { counts: unknown }).counts }).toEqual({
      status: 0,
      counts: { passed: 0, flaky: 0, failed: 0, skipped: 0, dry_run: 2 },
    });
    expect(has('out/nobody.txt')).toBe(false);
  });

  it.each([
    ['an unknown option', ['--nope'], 'SVC90201'],
    ['an unknown short option', ['-x'], 'SVC90201'],
    ['an argument', ['file.yaml'], 'SVC90202'],
    ['an option without its value', ['--record'], 'SVC90103'],
    ['an option in the place of a value', ['--record', '--dry-run'], 'SVC90103'],
    ['a flag with a value', ['--dry-run=1'], 'SVC90104'],
    ['an option given twice', ['--root', 'a', '--root', 'b'], 'SVC90109'],
    ['a variable without a name', ['--var', '=x'], 'SVC90119'],
    ['a variable that is no JSON', ['--var', 'x:={'], 'SVC90119'],
    ['an unknown gate', ['--allow', 'everything'], 'SVC90120'],
    ['an unknown reporter', ['--reporter', 'nope'], 'SVC90121'],
    ['a record file in a file', ['--record', 'passes.yaml/x'], 'SVC90115'],
  ])('refuses %s with 2, before anything has run', (_, args, code) => {
    const { status, stdout, stderr } = run('passes.mjs', ['--var', 'user=refused', ...args]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(`error[${code}]`);
    expect(has('out/refused.txt')).toBe(false);
  });

  it('refuses an input that is missing or does not fit with 2', () => {
    expect(run('needs.mjs')).toMatchObject({ status: 2 });
    expect(run('needs.mjs', ['--var', 'count:=1.5'])).toMatchObject({ status: 2 });
    expect(run('needs.mjs', ['--var', 'count=7'])).toMatchObject({ status: 0 });
  });

  it('writes every report that is asked for', () => {
    const names = ['human', 'json', 'junit', 'tap', 'github', 'html'];
    const { status } = run(
      'fails.mjs',
      names.flatMap((name) => ['--reporter', `${name}=reports/${name}.txt`]),
    );
    expect(status).toBe(1);
    for (const name of names)
      expect(readFileSync(path.join(folder, `reports/${name}.txt`), 'utf8')).toContain('fails.yaml');
    expect(run('fails.mjs', ['--reporter', 'html', '--reporter', 'junit', '--report-dir', 'all']).stdout).toContain(
      '1 failed',
    );
    expect([has('all/report.html'), has('all/junit.xml')]).toEqual([true, true]);
    // The page shows a step whole, also where its file is far.
    expect(readFileSync(path.join(folder, 'all/report.html'), 'utf8')).toContain('3 | expect: result == true');
  });

  it('appends its summary to the page of a build', () => {
    writeFileSync(path.join(folder, 'page.md'), '');
    const env = { GITHUB_STEP_SUMMARY: 'page.md' };
    expect(run('fails.mjs', ['--reporter', 'github'], env)).toMatchObject({ status: 1, stderr: '' });
    expect(run('passes.mjs', ['--reporter', 'github'], env)).toMatchObject({ status: 0, stderr: '' });
    const page = readFileSync(path.join(folder, 'page.md'), 'utf8');
    expect(page.match(/^## .*?:/gm)).toEqual(['## ❌ Failed:', '## ✅ Passed:']);
  });

  it('refuses a report that it was not compiled for, before anything has run', async () => {
    await makePrograms(folder, ['passes.yaml'], { out: 'lean' });
    const { status, stderr } = run('../lean/passes.mjs', ['--var', 'user=lean', '--reporter', 'html']);
    expect(status).toBe(2);
    expect(stderr).toContain('SVC90211');
    expect(stderr).toContain('it has human, json');
    expect(has('out/lean.txt')).toBe(false);
    expect(run('../lean/passes.mjs', ['--var', 'user=lean', '--reporter', 'json'])).toMatchObject({ status: 0 });
  });

  it('shows its options', () => {
    const { status, stdout } = run('passes.mjs', ['--help']);
    expect(status).toBe(0);
    for (const option of [
      'env',
      'dotenv',
      'root',
      'var',
      'allow',
      'deny',
      'dry-run',
      'fail-fast',
      'record',
      'reporter',
      'report-dir',
    ])
      expect(stdout).toContain(`--${option}`);
  });
});

describe('an interrupt', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('by %s ends the run in order with %i', async (signal, status) => {
    const server = createServer(() => undefined);
    const asked = new Promise((resolve) => server.once('request', resolve));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const record = `records/${signal}.jsonl`;
    const child = spawn(process.execPath, ['dist/waits.mjs', '--record', record], {
      cwd: folder,
      env: { PATH: process.env['PATH'], URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` },
      stdio: 'ignore',
    });
    const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
    await asked;
    child.kill(signal);
    expect(await ended).toBe(status);
    server.closeAllConnections();
    server.close();
    expect(records(record).map(({ id, status: state, error, reason }) => [id, state, error?.class ?? reason])).toEqual([
      ['waits.yaml#setup.0', 'passed', undefined],
      ['waits.yaml#hang', 'failed', 'environment'],
      ['waits.yaml#1', 'skipped', expect.stringContaining(signal)],
      ['waits.yaml#teardown.0', 'passed', undefined],
    ]);
  });

  it('a second time ends the process at once', async () => {
    const hanging = projectOf({
      'hangs.yaml':
        'actions:\n  - AT_test_api_method: { http_method: get, test_url: "${ENV.URL}/body" }\nteardown:\n  - AT_test_api_method: { http_method: get, test_url: "${ENV.URL}/teardown" }\n',
    });
    await makePrograms(hanging, ['hangs.yaml']);
    const server = createServer();
    const askedFor = (url: string): Promise<void> =>
      new Promise((resolve) =>
        server.on('request', (request) => {
          if (request.url === url) resolve();
        }),
      );
    const [body, teardown] = [askedFor('/body'), askedFor('/teardown')];
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const child = spawn(process.execPath, ['dist/hangs.mjs'], {
      cwd: hanging,
      env: { PATH: process.env['PATH'], URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
      stdio: 'ignore',
    });
    const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
    await body;
    child.kill('SIGINT');
    await teardown;
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    server.closeAllConnections();
    server.close();
    removeProject(hanging);
  });
});
