import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { built, commandLine } from '../built.ts';
import { svc } from '../cli/svc.ts';

const onPosix = process.platform !== 'win32';
const action = '- [AT_set_variable, { name: a, value: 1 }]\n';
let top = '';
let root = '';
beforeAll(built, 300_000);
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'svc-writing-')));
  root = join(top, 'project');
  put('svc.config.yaml', '{}\n');
  put('a.yaml', action);
  put('../victim/kept.txt', 'kept');
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

function put(name: string, text: string): void {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), text);
}

/** All files below the folder beside the project, with their content. */
function victim(): readonly (readonly [string, string])[] {
  const folder = join(top, 'victim');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .toSorted()
    .flatMap((name) =>
      statSync(join(folder, name)).isFile()
        ? [[name, readFileSync(join(folder, name), 'utf8')] as const]
        : [[name, ''] as const],
    );
}
const untouched = [['kept.txt', 'kept']];

describe('compile writes below its output folder', () => {
  test.skipIf(!onPosix)('a backslash in a name is no separator where it is none', async () => {
    put('tests/..\\..\\eslint.config.yaml', action);
    put('tests/b.yaml', action);
    put('eslint.config.mjs', 'kept');
    const { exit, stderr } = await svc(root, ['compile', 'tests', '-o', 'out/deep']);
    expect([exit, stderr]).toEqual([0, '2 programs in out/deep\n']);
    expect(readFileSync(join(root, 'eslint.config.mjs'), 'utf8')).toBe('kept');
    expect(readdirSync(join(root, 'out/deep')).toSorted()).toEqual([
      '..\\..\\eslint.config.mjs',
      '..\\..\\eslint.config.mjs.map',
      'b.mjs',
      'b.mjs.map',
      'manifest.json',
    ]);
  });

  test.each([
    ['the folder itself', 'dist', '../victim'],
    ['a folder above it', 'build', '../victim'],
    ['a folder in it', 'dist/sub', '../../victim'],
    ['a program', 'dist/sub/b.mjs', '../../../victim/kept.txt'],
    ['a program that leads nowhere yet', 'dist/sub/b.mjs', '../../../victim/new.txt'],
    ['the manifest', 'dist/manifest.json', '../../victim/kept.txt'],
    ['a link inside of the project', 'dist/sub/b.mjs', '../../a.yaml'],
  ])('%s is a link: refused', async (_, name, target) => {
    put('sub/b.yaml', action);
    mkdirSync(dirname(join(root, name)), { recursive: true });
    symlinkSync(target, join(root, name));
    const { exit, stderr } = await svc(root, [
      'compile',
      'a.yaml',
      'sub',
      '-o',
      name === 'build' ? 'build/dist' : 'dist',
    ]);
    expect([exit, stderr]).toEqual([2, expect.stringContaining(`"${join(root, name)}" is a link`)]);
    expect(victim()).toEqual(untouched);
    expect([lstatSync(join(root, name)).isSymbolicLink(), readFileSync(join(root, 'a.yaml'), 'utf8')]).toEqual([
      true,
      action,
    ]);
  });

  test("links above an output folder elsewhere are the user's own", async () => {
    symlinkSync('victim', join(top, 'own'));
    expect((await svc(root, ['compile', 'a.yaml', '-o', '../own/out'])).exit).toBe(0);
    expect(victim().map(([name]) => name)).toContain('out/a.mjs');
  });
});

describe('a run writes nothing through links of the project', () => {
  test.each([
    ['.svc', '../victim', ['run', 'a.yaml']],
    ['.svc/last-run.json', '../../victim/kept.txt', ['run', 'a.yaml']],
    ['.svc/.gitignore', '../../victim/kept.txt', ['run', 'a.yaml']],
    ['.svc/reports', '../../victim', ['run', 'a.yaml', '--reporter', 'html']],
    ['reports', '../victim', ['run', 'a.yaml', '--reporter', 'junit=reports/junit.xml']],
    ['reports', '../victim', ['run', 'a.yaml', '--reporter', 'junit', '--report-dir', 'reports/new']],
    ['junit.xml', '../victim/kept.txt', ['run', 'a.yaml', '--reporter', 'junit=junit.xml']],
    ['run.jsonl', '../victim/kept.txt', ['run', 'a.yaml', '--record', 'run.jsonl']],
    ['run.jsonl', '../victim/new.txt', ['run', 'a.yaml', '--record', 'run.jsonl']],
    ['records', '../victim', ['run', 'a.yaml', '--record', 'records/run.jsonl']],
    ['records', '../victim', ['run', 'a.yaml', '--isolate', '--record', 'records/run.jsonl']],
    ['schemas', '../victim', ['schema', 'export', '-o', 'schemas']],
    ['reference.md', '../victim/kept.txt', ['commands', 'reference', '-o', 'reference.md']],
    ['new', '../victim', ['create', 'new/one']],
  ] as const)('%s -> %s: svc %j', async (name, target, args) => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    symlinkSync(target, join(root, name));
    const { exit, stderr } = await svc(root, args);
    if (name !== '.svc/.gitignore')
      expect([exit, stderr]).toEqual([2, expect.stringContaining(`"${join(root, name)}" is a link`)]);
    expect(victim()).toEqual(untouched);
    expect(lstatSync(join(root, name)).isSymbolicLink()).toBe(true);
  });

  test('the configuration names a report behind a link', async () => {
    put('svc.config.yaml', 'reporters: [junit=out/junit.xml]\n');
    symlinkSync('../victim', join(root, 'out'));
    expect((await svc(root, ['run', 'a.yaml'])).exit).toBe(2);
    expect(victim()).toEqual(untouched);
  });

  test('a compiled program does the same', async () => {
    await svc(root, ['compile', 'a.yaml', '-o', 'dist', '--reporter', 'junit']);
    symlinkSync('../victim', join(root, 'out'));
    for (const args of [
      ['--reporter', 'junit=out/junit.xml'],
      ['--record', 'out/run.jsonl'],
    ]) {
      const { status, stderr } = spawnSync(process.execPath, ['dist/a.mjs', ...args], { cwd: root, encoding: 'utf8' });
      expect([status, stderr]).toEqual([2, expect.stringContaining('is a link')]);
    }
    expect(victim()).toEqual(untouched);
  });
});

describe.each([
  ['migrate', '--write'],
  ['lint', '--fix'],
] as const)('svc %s %s', (...way) => {
  test('leaves a linked file outside of the project alone', async () => {
    put('../victim/old.yaml', '- WR_quit\n');
    symlinkSync('../victim/old.yaml', join(root, 'old.yaml'));
    expect((await svc(root, [...way, 'old.yaml'])).exit).toBe(2);
    expect(victim()).toEqual([...untouched, ['old.yaml', '- WR_quit\n']]);
  });
});

describe.skipIf(!onPosix)('what is no regular file stays what it is', () => {
  /** A node like /dev/null or /dev/full that nothing else uses; the real one would be lost by a mistake. */
  function device(name: string, minor: number): string {
    const path = join(top, name);
    execFileSync('mknod', [path, 'c', '1', String(minor)]);
    return path;
  }
  const mayMakeDevices = process.getuid?.() === 0 && process.platform === 'linux';
  // eslint-disable-next-line no-console -- a test that is left out says why
  if (!mayMakeDevices) console.log('devices are made by the superuser on Linux only: reports into them are not tried');

  test.skipIf(!mayMakeDevices).each([
    ['null', 3, 0],
    ['full', 7, 2],
  ] as const)('a device like /dev/%s', async (name, minor, exit) => {
    const path = device(name, minor);
    const said = await svc(root, ['run', 'a.yaml', '--reporter', `junit=${path}`]);
    expect([said.exit, lstatSync(path).isCharacterDevice()]).toEqual([exit, true]);
    if (name === 'full') expect(said.stderr).toContain('there is no space left');
  });

  test('a pipe', async () => {
    const path = join(top, 'pipe');
    execFileSync('mkfifo', [path]);
    const reader = spawn('cat', [path], { stdio: ['ignore', 'pipe', 'ignore'] });
    let text = '';
    reader.stdout.on('data', (chunk) => (text += String(chunk)));
    const ended = new Promise((resolve) => void reader.on('close', resolve));
    expect((await svc(root, ['run', 'a.yaml', '--reporter', `junit=${path}`])).exit).toBe(0);
    await ended;
    expect([lstatSync(path).isFIFO(), text.startsWith('<?xml')]).toEqual([true, true]);
  });

  test('a pipe that nobody reads from takes no records, at once', async () => {
    const path = join(top, 'pipe');
    execFileSync('mkfifo', [path]);
    const { status, stderr } = spawnSync(process.execPath, [...commandLine, 'run', 'a.yaml', '--record', path], {
      cwd: root,
      timeout: 20_000,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([2, expect.stringContaining('nobody reads from it')]);
  });

  test.each([['-'], ['/dev/stdout'], ['/dev/fd/1']])('--reporter junit=%s streams', (place) => {
    const { status, stdout } = spawnSync(
      process.execPath,
      [...commandLine, 'run', 'a.yaml', '--reporter', `junit=${place}`],
      { cwd: root, encoding: 'utf8' },
    );
    expect([status, stdout.startsWith('<?xml'), existsSync(join(root, '-'))]).toEqual([0, true, false]);
  });

  test('--reporter junit=/dev/stderr too', () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [...commandLine, 'run', 'a.yaml', '--reporter', 'junit=/dev/stderr'],
      { cwd: root, encoding: 'utf8' },
    );
    // People are still told on standard output.
    expect([status, stdout.includes('1 passed'), stderr.startsWith('<?xml')]).toEqual([0, true, true]);
  });

  test('standard output that is a file keeps what others have written to it', () => {
    const out = join(top, 'all.txt');
    execFileSync(
      'sh',
      [
        '-c',
        `{ echo before; "$0" "$@"; echo after; } > ${JSON.stringify(out)}`,
        process.execPath,
        ...commandLine,
        'run',
        'a.yaml',
        '--reporter',
        'junit=/dev/stdout',
      ],
      { cwd: root },
    );
    expect(readFileSync(out, 'utf8')).toMatch(/^before\n<\?xml[^]*after\n$/);
  });
});

describe('temporary files of reports', () => {
  test("cannot be foreseen, and are nobody else's", async () => {
    // Names as they were once made, laid out as links before the run: none may be followed.
    for (let pid = process.pid - 50; pid < process.pid + 50; pid += 1)
      symlinkSync('../victim/kept.txt', join(root, `junit.xml.${pid}.tmp`));
    expect((await svc(root, ['run', 'a.yaml', '--reporter', 'junit=junit.xml'])).exit).toBe(0);
    expect([victim(), readFileSync(join(root, 'junit.xml'), 'utf8').startsWith('<?xml')]).toEqual([untouched, true]);
  });
});
