import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { catalogue } from '#compiler/catalogue.ts';
import type { RunRecord } from '#schemas/types/record.ts';

import { built } from '../../built.ts';

import { lacks } from '../../fixtures/programs.ts';

/** Every file command that is there, as its first example calls it. */
const commands = (await catalogue.all()).filter(({ domain, implemented }) => domain === 'files' && implemented);
const actions = commands.flatMap(({ examples = [] }) => {
  const first = examples.find((example) => 'run' in example);
  return first === undefined ? [] : [...(first.before ?? []), first.run];
});
const text = JSON.stringify({ meta: { on_failure: 'continue' }, actions });

/** Somebody would notice if anything connected there. */
const env = Object.fromEntries(
  [...text.matchAll(/\$\{ENV\.(\w+)/g)].map(([, name = '']) => [
    name,
    name.endsWith('_PORT') ? '9' : 'http://127.0.0.1:9',
  ]),
);

let root = '';
let bin = '';
beforeAll(async () => {
  bin = join(await built(), 'dist/bin/svc.js');
  root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-dry-')));
  mkdirSync(join(root, 'pictures'));
  for (const name of [
    'data.txt',
    'notes.txt',
    'pictures/1.png',
    'pictures/2.png',
    'orders.csv',
    'config.json',
    'versions',
  ])
    writeFileSync(join(root, name), 'abc');
  writeFileSync(join(root, 'all.json'), text);
}, 300_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A call of the system that would change something, or connect; undefined for one that does neither. */
function harm(line: string): string | undefined {
  const called = /^\d+ +(?:<\.\.\. )?(\w+)(?:\(| resumed)(.*)$/.exec(line);
  if (!called) return undefined;
  const [, name = '', rest = ''] = called;
  if (/^(?:connect|bind|listen|accept4?|sendto|sendmsg|sendmmsg)$/.test(name)) return line;
  if (name === 'socket' && /AF_INET/.test(rest)) return line;
  const isWriting =
    /^(?:creat|unlink|rename|mkdir|rmdir|link|symlink|mknod|chmod|fchmod|chown|fchown|lchown|truncate|utime|setxattr|lsetxattr|removexattr)/.test(
      name,
    ) ||
    (name.startsWith('open') && /O_(?:WRONLY|RDWR|CREAT|TRUNC)/.test(rest));
  if (!isWriting || / = -1 E(?:EXIST|NOENT)\b/.test(rest)) return undefined;
  const paths = [...rest.matchAll(/"([^"]*)"/g)].map(([, path = '']) => relative(root, resolve(root, path)));
  return paths.every(
    (path) => /^(?:\.svc(?:$|\/)|record\.jsonl$)/.test(path) || path.endsWith('dev/null') || path.endsWith('dev/tty'),
  )
    ? undefined
    : line;
}

function snapshot(): string[] {
  return readdirSync(root, { recursive: true })
    .map(String)
    .filter((name) => !/^(?:\.svc|trace$|record\.jsonl$|program)/.test(name))
    .sort()
    .map((name) => {
      const { size, mode, mtimeMs } = statSync(join(root, name));
      return `${name} ${size} ${mode} ${mtimeMs}`;
    });
}

describe.skipIf(lacks('strace'))('--dry-run of all file commands', () => {
  it.each([
    ['from the action file', () => [bin, 'run', 'all.json', '--dry-run', '--record', 'record.jsonl']],
    ['as a compiled program', () => [...compiled(), '--dry-run', '--record', 'record.jsonl']],
  ])(
    '%s changes nothing, connects nowhere, starts nothing, and says what would be done',
    (_, words) => {
      const args = words();
      const before = snapshot();
      // Node's own cache of compiled code is none of the commands' business.
      const { status, stdout, stderr } = spawnSync(
        'strace',
        ['-f', '-s', '4096', '-e', 'trace=file,network,process', '-o', 'trace', process.execPath, ...args],
        {
          cwd: root,
          encoding: 'utf8',
          maxBuffer: 1 << 26,
          env: {
            PATH: process.env['PATH'],
            HOME: root,
            XDG_CACHE_HOME: join(root, '.svc/of-user'),
            ...env,
            NODE_DISABLE_COMPILE_CACHE: '1',
          },
        },
      );
      expect([status, stderr.match(/^error.*/gm)]).toEqual([0, null]);
      const trace = readFileSync(join(root, 'trace'), 'utf8').split('\n');
      expect(trace.filter((line) => harm(line) !== undefined)).toEqual([]);
      expect(trace.filter((line) => /^\d+ +execve\(/.test(line))).toHaveLength(1);
      expect(snapshot()).toEqual(before);
      const records = readFileSync(join(root, 'record.jsonl'), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as RunRecord);
      expect(records.filter(({ status: its }) => its !== 'dry-run')).toEqual([]);
      expect(
        commands.map(({ name }) => name).filter((name) => !records.some(({ command }) => command === name)),
      ).toEqual([]);
      expect(commands.map(({ name }) => name).filter((name) => !new RegExp(`○ ${name}\\b`).test(stdout))).toEqual([]);
      expect(stdout).toMatch(/○ FA_copy_file {2}\{.*"data\.txt".*\}/);
    },
    60_000,
  );

  it('would show what it looks for', () => {
    for (const line of [
      '1 connect(3, {sa_family=AF_INET, sin_port=htons(9)}, 16) = -1 ECONNREFUSED',
      '1 unlink("data.txt") = 0',
      `1 openat(AT_FDCWD, "${root}/x", O_WRONLY|O_CREAT, 0666) = 3`,
      '1 rename(".svc/a", "data.txt") = 0',
      '1 mkdir("/elsewhere", 0777) = -1 EACCES (x)',
    ]) {
      expect([line, harm(line) === undefined]).toEqual([line, false]);
    }
    for (const line of [
      '1 openat(AT_FDCWD, "data.txt", O_RDONLY) = 3',
      '1 mkdir(".svc", 0777) = 0',
      '1 stat("data.txt", {}) = 0',
    ])
      expect(harm(line)).toBe(undefined);
  });
});

function compiled(): readonly string[] {
  execFileSync(process.execPath, [bin, 'compile', 'all.json', '--out', 'program'], {
    cwd: root,
    stdio: 'pipe',
    env: { ...process.env, ...env },
  });
  return ['program/all.mjs'];
}
