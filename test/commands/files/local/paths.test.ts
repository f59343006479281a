import { execFileSync } from 'node:child_process';
import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FA_is_within, FA_safe_join } from '#stdlib/files/local/paths/paths.ts';
import { isUsableOnWindows } from '#stdlib/files/windows-name.ts';

import { call, failureOf, openPlace, type Place } from '../call-here.ts';
import { lacks } from '../../../fixtures/programs.ts';

let place: Place;
let base: string;
beforeEach(async () => {
  place = await openPlace({ base: await realpath('/tmp') });
  base = place.path('base');
  await mkdir(join(base, 'sub/deep'), { recursive: true });
  await mkdir(place.path('base-else'));
  await mkdir(place.path('outside/inner'), { recursive: true });
  await writeFile(place.path('secret'), '');
  await symlink('sub', join(base, 'in'));
  await symlink('../outside', join(base, 'out'));
  await symlink('../outside/inner', join(base, 'inner'));
  await symlink(join(base, 'sub'), place.path('outside/back'));
  await symlink('../secret', join(base, 'file'));
  await symlink('missing/x', join(base, 'dangling'));
  await symlink('../gone', join(base, 'gone'));
  await symlink('loop', join(base, 'loop'));
  await symlink('base', place.path('alias'));
});
afterEach(() => place.close());

const join_ = (user_path: string, from = base): Promise<string> => call(FA_safe_join, place, { base: from, user_path });
const within = (user_path: string, from = base): Promise<boolean> =>
  call(FA_is_within, place, { base: from, user_path });

const inside = [
  '',
  '.',
  'sub',
  'sub/./deep//',
  'new/file.txt',
  'sub/..',
  'in/deep',
  'in/../x',
  'out/back/deep',
  'dangling',
  '..\\secret',
  '...',
  'sub/../../base/x',
  'a\udcff',
];
const outside = [
  '..',
  '../base-else',
  'sub/../..',
  'out',
  'out/x',
  'inner/..',
  'inner/../../x',
  'file',
  'gone',
  'new/../../secret',
  '/',
  '/etc/passwd',
];

describe('FA_safe_join and FA_is_within', () => {
  it.each(inside)('%j is inside', async (path) => {
    const found = await join_(path);
    expect(found === base || found.startsWith(`${base}/`)).toBe(true);
    expect(await within(path)).toBe(true);
  });

  it.each(outside)('%j is not', async (path) => {
    expect((await failureOf(join_(path))).facts).toMatchObject({ code: 'SVC85002', name: 'PathTraversalException' });
    expect(await within(path)).toBe(false);
  });

  it.skipIf(lacks('python3'))('agree with the real paths of Python', async () => {
    const paths = [...inside, ...outside].filter((one) => !one.includes('\udcff'));
    const script =
      'import json, os, sys\nbase, *paths = json.load(sys.stdin)\nprint(json.dumps([os.path.realpath(os.path.join(base, path)) for path in paths]))';
    const said = execFileSync('python3', ['-c', script], { input: JSON.stringify([base, ...paths]), encoding: 'utf8' });
    const reals = JSON.parse(said) as readonly string[];
    expect(reals).toHaveLength(paths.length);
    for (const [at, path] of paths.entries()) {
      const real = reals[at] ?? '';
      expect(await within(path), path).toBe(real === base || real.startsWith(`${base}/`));
      if (await within(path)) expect(await join_(path)).toBe(real);
    }
  });

  it('takes an absolute path below the base, and a base behind a link or not there yet', async () => {
    expect(await join_(join(base, 'sub'))).toBe(join(base, 'sub'));
    expect(await join_('x', place.path('alias'))).toBe(join(base, 'x'));
    expect(await join_(join(base, 'x'), place.path('alias'))).toBe(join(base, 'x'));
    expect(await join_('x', place.path('later/../new'))).toBe(place.path('new/x'));
    expect(await within('../x', place.path('new'))).toBe(false);
    expect(await join_('etc', '/')).toBe('/etc');
  });

  it('starts at the working directory', async () => {
    const context = { ...place.context, folders: { ...place.context.folders, cwd: place.root } };
    expect(await FA_safe_join({ base: 'base', user_path: 'x' }, context as never)).toBe(join(base, 'x'));
  });

  it('refuses zero characters and circles of links', async () => {
    expect((await failureOf(join_('a\0b'))).facts.code).toBe('SVC85028');
    expect(await within('a\0b')).toBe(false);
    expect((await failureOf(join_('loop/x'))).facts.code).toBe('SVC85014');
  });
});

describe('on Windows', () => {
  it.each(['a\\b.txt', 'C:\\x\\..\\y', 'console', 'com', 'com10', '.git', '\\\\server\\share\\x'])(
    '%j is plain',
    (path) => {
      expect(isUsableOnWindows(path, /^(\\\\[^\\]+\\[^\\]+\\|[A-Z]:\\)?/.exec(path)?.[0] ?? '')).toBe(true);
    },
  );

  it.each([
    'con',
    'a/NUL.txt',
    'aux .x',
    'LPT1',
    'COM²',
    'x.txt:stream',
    'x.txt::$DATA',
    'dir.',
    'x ',
    'a*',
    '\\\\?\\C:\\x',
    '\\\\.\\pipe\\x',
    'C:x',
  ])('%j is not', (path) => {
    expect(isUsableOnWindows(path, /^([A-Z]:\\?)?/.exec(path)?.[0] ?? '')).toBe(false);
  });
});
