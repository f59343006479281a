import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { openLinkCache } from '#compiler/engine/cache/link-cache.ts';
import { privateFolder, userCache } from '#compiler/engine/cache/user-cache.ts';

import { built, root } from '../built.ts';

/** Rights as POSIX has them; on Windows the folders of a user are closed by themselves. */
const hasRights = process.platform !== 'win32';
let home = '';
const env = (): Readonly<Record<string, string>> => ({ XDG_CACHE_HOME: path.join(home, 'cache') });

beforeAll(built, 300_000);
beforeEach(() => {
  if (home !== '') rmSync(home, { recursive: true, force: true });
  home = realpathSync(mkdtempSync(path.join(tmpdir(), 'svc-cache-')));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

function svc(
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): { readonly status: number | null; readonly stderr: string } {
  return spawnSync(process.execPath, [path.join(root, 'dist/bin/svc.js'), ...args], {
    cwd: home,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', HOME: home, ...env(), ...more },
  });
}
function action(): void {
  mkdirSync(path.join(home, '.git'));
  writeFileSync(path.join(home, 'a.yaml'), '- FA_create_file: { file_path: told.txt, content: x }\n');
}
function files(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

describe('the folder of caches', () => {
  it('is made for its user alone', () => {
    const folder = userCache(env()) ?? '';
    expect(folder).toBe(path.join(home, 'cache/svc/cache'));
    if (hasRights)
      expect([folder, path.dirname(folder)].map((at) => lstatSync(at).mode & 0o777)).toEqual([0o700, 0o700]);
    expect(userCache(env())).toBe(folder);
  });

  it.runIf(hasRights).each([
    ['is open to others', (folder: string) => chmodSync(folder, 0o770)],
    ['stands below one that others can write to', (folder: string) => chmodSync(path.dirname(folder), 0o777)],
    [
      'is a link',
      (folder: string) => {
        rmSync(folder, { recursive: true });
        symlinkSync(home, folder);
      },
    ],
    [
      'is a file',
      (folder: string) => {
        rmSync(folder, { recursive: true });
        writeFileSync(folder, '');
      },
    ],
  ])('is none where it %s', (_, spoil) => {
    spoil(userCache(env()) ?? '');
    expect(userCache(env())).toBeUndefined();
    expect(openLinkCache(env())).toBeUndefined();
  });

  it.runIf(hasRights && process.getuid?.() === 0)(
    'is none where it is another user’s, or stands in one of another user',
    () => {
      const folder = userCache(env()) ?? '';
      chownSync(folder, 65534, 65534);
      expect(userCache(env())).toBeUndefined();
      const other = path.join(home, 'other');
      mkdirSync(other);
      chownSync(other, 65534, 65534);
      expect(privateFolder(path.join(other, 'svc/cache'))).toBeUndefined();
      expect(readdirSync(other)).toEqual([]);
    },
  );

  it('is never below the folder that somebody works in', () => {
    expect(userCache({ XDG_CACHE_HOME: 'cache', HOME: home })).toBe(path.join(home, '.cache/svc/cache'));
    expect(userCache({ XDG_CACHE_HOME: '', HOME: '.' })).toBeUndefined();
    expect(userCache({})).toBeUndefined();
  });
});

describe('the link cache', () => {
  it('gives what was put in, under that name alone', () => {
    const cache = openLinkCache(env());
    cache?.write('a', 'one\ntwo');
    expect([cache?.read('a'), cache?.read('b'), openLinkCache(env())?.read('a')]).toEqual([
      'one\ntwo',
      undefined,
      'one\ntwo',
    ]);
  });

  it('takes nothing that was not made with the key of the user', () => {
    const cache = openLinkCache(env());
    cache?.write('a', 'text');
    cache?.write('b', 'other');
    const [one = '', two = ''] = files(path.join(home, 'cache/svc/cache/linked')).toSorted();
    const stored = [readFileSync(one, 'utf8'), readFileSync(two, 'utf8')];
    const wholeFailed = (text: string): boolean => {
      writeFileSync(one, text);
      return [cache?.read('a'), cache?.read('b')].includes(undefined);
    };
    expect(
      [stored[1] ?? '', (stored[0] ?? '').replace(/\n.*/s, '\nforged'), '', '\n', 'x'.repeat(64)].map(wholeFailed),
    ).toEqual([true, true, true, true, true]);
    writeFileSync(one, stored[0] ?? '');
    writeFileSync(path.join(home, 'cache/svc/cache/key'), 'a'.repeat(64));
    expect(openLinkCache(env())?.read('a')).toBeUndefined();
  });

  it.runIf(hasRights)('reads no link and waits for no pipe', () => {
    const cache = openLinkCache(env());
    cache?.write('a', 'text');
    const [one = ''] = files(path.join(home, 'cache/svc/cache/linked'));
    rmSync(one);
    symlinkSync('/dev/zero', one);
    expect(cache?.read('a')).toBeUndefined();
    rmSync(one);
    spawnSync('mkfifo', [one]);
    expect(cache?.read('a')).toBeUndefined();
  });

  it('keeps a bounded number of entries', () => {
    const cache = openLinkCache(env());
    for (let index = 0; index < 230; index += 1) cache?.write(String(index), 'x');
    expect(files(path.join(home, 'cache/svc/cache/linked')).length).toBe(200);
    expect(cache?.read('229')).toBe('x');
  });
});

describe('svc compile', () => {
  it('takes no linked code from the project', () => {
    action();
    expect(svc(['compile', 'a.yaml', '-o', 'first']).status).toBe(0);
    const made = readFileSync(path.join(home, 'first/a.mjs'), 'utf8');
    expect(existsSync(path.join(home, '.svc/cache'))).toBe(false);
    // Where it used to be looked for, whole by its own hash.
    for (const file of files(path.join(home, 'cache/svc/cache/linked'))) {
      const forged = readFileSync(file, 'utf8')
        .replace(/^[^]*?\n/, '')
        .replace('{"text":"', '{"text":"process.stdout.write(`forged`);');
      const hash = process.getBuiltinModule('node:crypto').createHash('sha256').update(forged).digest('hex');
      mkdirSync(path.join(home, '.svc/cache'), { recursive: true });
      writeFileSync(path.join(home, '.svc/cache', path.basename(file)), `${hash}\n${forged}`);
      writeFileSync(file, `${hash}\n${forged}`);
    }
    expect(svc(['compile', 'a.yaml', '-o', 'second']).status).toBe(0);
    expect(readFileSync(path.join(home, 'second/a.mjs'), 'utf8')).toBe(made);
  });
});

describe('the compile cache of Node', () => {
  it('stands in the folder of the user, and nothing of it among files that all can write', () => {
    mkdirSync(path.join(home, 'tmp'));
    expect(svc(['--version'], { TMPDIR: path.join(home, 'tmp'), TEMP: path.join(home, 'tmp') }).status).toBe(0);
    expect(files(path.join(home, 'tmp'))).toEqual([]);
    expect(files(path.join(home, 'cache/svc/cache/compiled')).length).toBeGreaterThan(0);
  });

  it.runIf(hasRights)('is off where that folder is open to others', () => {
    mkdirSync(path.join(home, 'cache/svc/cache'), { recursive: true, mode: 0o777 });
    chmodSync(path.join(home, 'cache/svc/cache'), 0o777);
    expect(svc(['--version'], { TMPDIR: home }).status).toBe(0);
    expect(files(home)).toEqual([]);
  });
});
