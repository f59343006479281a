import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, readdir, readlink, stat, symlink, utimes, writeFile } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FA_apply_dir_diff, FA_apply_patch, FA_diff_dirs, FA_diff_files } from '#stdlib/files/local/diff/diff.ts';

import { call, failureOf, openPlace, type Files, type Place } from '../call-here.ts';
import { lacks } from '../../../fixtures/programs.ts';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.close());

const make = (files: Files): Promise<void> => place.make(files);
const text = (name: string): Promise<string> => readFile(place.path(name), 'utf8');
const diff = (context = 3): Promise<string> =>
  call(FA_diff_files, place, { left: place.path('old'), right: place.path('new'), context });
const apply = (patch: string, target = 'old'): Promise<unknown> =>
  call(FA_apply_patch, place, { target: place.path(target), patch });

/** Texts with few different lines, so that lines are moved, doubled and removed; from a seed. */
function textOf(seed: number): string {
  let state = seed * 7919 + 17;
  const next = (below: number): number => (state = (state * 1103515245 + 12345) % 2147483648) % below;
  const lines = Array.from(
    { length: next(25) },
    () => ['a', 'b', 'c', '', '-- x', '++ y', '@@ z', '\\ n', 'é\r'][next(9)] ?? '',
  );
  return lines.join('\n') + (next(3) > 0 && lines.length > 0 ? '\n' : '');
}

const pairs = Array.from({ length: 20 }, (_, index) => [textOf(index), textOf(index + 1000)] as const);

describe('FA_diff_files', () => {
  it('has headers with the paths, and nothing for equal files', async () => {
    await make({ old: 'a\nb\nc\n', new: 'a\nB\nc\nd' });
    expect(await diff(1)).toBe(
      `--- ${place.path('old')}\n+++ ${place.path('new')}\n@@ -1,3 +1,4 @@\n a\n-b\n+B\n c\n+d\n\\ No newline at end of file\n`,
    );
    await make({ new: 'a\nb\nc\n' });
    expect(await diff()).toBe('');
  });

  it.skipIf(lacks('diff'))('agrees with `diff -u` on plain changes, with any context', async () => {
    const old = Array.from({ length: 60 }, (_, index) => `line ${index}`);
    const now = old.toSpliced(3, 1).toSpliced(20, 0, 'new').with(40, 'other').concat('end');
    await make({ old: old.join('\n'), new: `${now.join('\n')}\n` });
    for (const context of [0, 1, 3, 10, 100]) {
      const gnu = execFileSync('sh', ['-c', `diff -U ${context} old new || true`], {
        cwd: place.root,
        encoding: 'utf8',
      });
      expect((await diff(context)).split('\n').slice(2)).toEqual(gnu.split('\n').slice(2));
    }
  });

  it.skipIf(lacks('patch', 'git'))('is taken by `patch` and `git apply`, and by itself', async () => {
    for (const [old, now] of pairs) {
      await make({ old, new: now, work: old });
      const found = await diff();
      await writeFile(place.path('x.patch'), found);
      if (found !== '') {
        execFileSync('patch', ['--binary', '--posix', '-s', 'work', 'x.patch'], { cwd: place.root });
        expect(await text('work')).toBe(now);
        await make({ work: old, 'git.patch': found.replace(/^.*\n.*\n/, '--- a/work\n+++ b/work\n') });
        execFileSync('git', ['apply', '--whitespace=nowarn', 'git.patch'], {
          cwd: place.root,
          stdio: 'pipe',
          env: { ...process.env, GIT_CEILING_DIRECTORIES: '/' },
        });
        expect(await text('work')).toBe(now);
      }
      expect(await apply(found)).toBe(true);
      expect(await text('old')).toBe(now);
    }
  });

  it('takes bounded time for texts that have little in common, and still fits', async () => {
    const lines = (prefix: string): string =>
      Array.from({ length: 20_000 }, (_, index) => `${prefix}${index}\n`).join('');
    await make({ old: `same\n${lines('a')}end\n`, new: `same\n${lines('b')}end\n` });
    const found = await diff(1);
    expect(found.split('\n')[2]).toBe('@@ -1,20002 +1,20002 @@');
    await apply(found);
    expect(await text('old')).toBe(await text('new'));
  });

  it.skipIf(lacks('patch'))(
    'stays close to the fewest changes where there are very many, in one hunk as well',
    async () => {
      const old = Array.from({ length: 100_000 }, (_, index) => (index % 3 === 0 ? '}' : `line ${index}`));
      const now = old.flatMap((line, index) =>
        index % 20 === 7 ? [`other ${index}`] : index % 50 === 9 ? [] : index % 70 === 11 ? [line, 'new'] : [line],
      );
      for (const [context, hunks] of [
        [0, 8000],
        [100_000, 1],
      ] as const) {
        await make({ old: `${old.join('\n')}\n`, new: now.join('\n'), work: `${old.join('\n')}\n` });
        const found = await diff(context);
        expect(found.match(/^@@/gm)?.length).toBeGreaterThanOrEqual(hunks);
        expect(found.match(/^[-+]/gm)?.length).toBeLessThan(15_000);
        await writeFile(place.path('x.patch'), found);
        execFileSync('patch', ['--binary', '-s', 'work', 'x.patch'], { cwd: place.root });
        expect(await text('work')).toBe(now.join('\n'));
        await apply(found);
        expect(await text('old')).toBe(now.join('\n'));
      }
    },
  );

  it('finds its way between texts of any likeness', async () => {
    for (const [index, [one, other]] of pairs.slice(0, 6).entries()) {
      const many = (prefix: string): string => Array.from({ length: 1600 }, (_, line) => `${prefix}${line}\n`).join('');
      await make({ old: `${one}\n${many(`a${index}`)}${other}`, new: `${other}\n${many(`b${index}`)}${one}` });
      await apply(await diff(index % 4));
      expect(await text('old')).toBe(await text('new'));
    }
  });

  it('quotes names that would break their line', async () => {
    await make({ 'a\n"b': '1', new: '2' });
    const found = await call(FA_diff_files, place, { left: place.path('a\n"b'), right: place.path('new'), context: 3 });
    expect(found.split('\n')[0]).toBe(`--- "${place.root}/a\\n\\"b"`);
  });

  it('refuses other bytes, folders and nothing', async () => {
    await make({ old: new Uint8Array([0xff]), new: '' });
    expect((await failureOf(diff())).facts).toMatchObject({ code: 'SVC85086', name: 'DiffException' });
    expect(
      (await failureOf(call(FA_diff_files, place, { left: place.root, right: place.path('new'), context: 3 }))).facts
        .code,
    ).toBe('SVC85000');
  });
});

describe('FA_apply_patch', () => {
  it.skipIf(lacks('diff'))('applies what `diff -u` and `git diff` write', async () => {
    for (const [index, [old, now]] of pairs.entries()) {
      await make({ old, new: now });
      const script =
        index % 2 === 0
          ? 'diff -U 2 old new || true'
          : 'git -c core.autocrlf=false diff --no-index --no-color old new || true';
      await apply(execFileSync('sh', ['-c', script], { cwd: place.root, encoding: 'utf8' }));
      expect(await text('old')).toBe(now);
    }
  });

  it('keeps line ends of the file where the patch has others throughout', async () => {
    await make({ old: 'a\r\nb\r\nc\r\n', unix: 'a\nb\nc\n' });
    const patch = '@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n';
    await apply(patch);
    expect(await text('old')).toBe('a\r\nB\r\nc\r\n');
    await apply(patch.replaceAll('\n', '\r\n'), 'unix');
    expect(await text('unix')).toBe('a\nB\nc\n');
    await make({ old: 'a\r\n' });
    await apply('@@ -1 +1 @@\n-a\r\n+a\n');
    expect(await text('old')).toBe('a\n');
  });

  it('counts lines by the header, so that `-- x` may be removed', async () => {
    await make({ old: '-- x\n++ y\n' });
    await apply('--- a\n+++ b\n@@ -1,2 +1 @@\n--- x\n ++ y\n');
    expect(await text('old')).toBe('++ y\n');
  });

  it.each([
    ['', 'a\nb\n'],
    ['only words\n', 'a\nb\n'],
    ['@@ -0,0 +1 @@\n+x\n', 'x\na\nb\n'],
    ['@@ -2,0 +3 @@\n+x\n', 'a\nb\nx\n'],
    ['@@ -1,2 +0,0 @@\n-a\n-b\n', ''],
    ['@@ -2 +2 @@ function\n-b\n+b\n\\ No newline at end of file\n', 'a\nb'],
    ['@@ -1 +1 @@\n-a\n+A\n@@ -2 +2 @@\n-b\n+B', 'A\nB\n'],
  ])('%j', async (patch, after) => {
    await make({ old: 'a\nb\n' });
    expect(await apply(patch)).toBe(true);
    expect(await text('old')).toBe(after);
  });

  it.each([
    ['@@ -1 +1 @@\n-b\n+x\n', 'SVC85089'],
    ['@@ -3 +3 @@\n-a\n+x\n', 'SVC85089'],
    ['@@ -9,0 +10 @@\n+x\n', 'SVC85089'],
    ['@@ -2 +2 @@\n-b\n+B\n@@ -1 +1 @@\n-a\n+A\n', 'SVC85089'],
    ['@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+B\n', 'SVC85089'],
    ['@@ -1 +1 @@\n-a\n+A\n\\ No newline at end of file\n', 'SVC85089'],
    ['@@ -1,2 +1 @@\n-a\n', 'SVC85088'],
    ['@@ -1 +1 @@\n*a\n', 'SVC85088'],
    ['@@ -x +1 @@\n', 'SVC85088'],
    ['@@ -0,1 +1 @@\n-a\n', 'SVC85088'],
    ['@@ -1,1 +1,1 @@\n-a\n-b\n', 'SVC85088'],
  ])('%j is refused with %s, and the file stays', async (patch, code) => {
    await make({ old: 'a\nb\n' });
    expect((await failureOf(apply(patch))).facts).toMatchObject({ code, name: 'DiffException' });
    expect(await text('old')).toBe('a\nb\n');
  });

  it('keeps permission bits, and does not write what does not change', async () => {
    await make({ old: 'a\n' });
    await chmod(place.path('old'), 0o640);
    await utimes(place.path('old'), 1000, 1000);
    await apply('@@ -1 +1 @@\n a\n');
    expect((await stat(place.path('old'))).mtimeMs).toBe(1_000_000);
    await apply('@@ -1 +1 @@\n-a\n+b\n');
    expect((await stat(place.path('old'))).mode & 0o777).toBe(0o640);
    expect(await readdir(place.root)).toEqual(['old']);
  });
});

describe('FA_diff_dirs and FA_apply_dir_diff', () => {
  type Diff = Awaited<ReturnType<typeof FA_diff_dirs>>;
  const compare = (left = 'a', right = 'b'): Promise<Diff> =>
    call(FA_diff_dirs, place, { left: place.path(left), right: place.path(right) });
  const replay = (found: Diff, target = 'a', source = 'b'): Promise<unknown> =>
    call(FA_apply_dir_diff, place, { diff: found, target: place.path(target), source: place.path(source) });

  async function trees(): Promise<void> {
    await make({
      'a/same': 's',
      'a/gone': 'g',
      'a/time': 't',
      'a/x/1': '1',
      'a/x/2': 'old',
      'a/was-folder/f': '',
      'b/same': 's',
      'b/time': 't',
      'b/x/2': 'new',
      'b/y/z/3': '3',
      'b/was-folder': 'file',
    });
    await utimes(place.path('b/time'), 1, 1);
    await symlink('x/1', place.path('a/link'));
    await symlink('x/2', place.path('b/link'));
    await symlink('x', place.path('b/folder-link'));
    await mkdir(place.path('b/empty'));
  }

  it('lists what differs, sorted, links by where they lead', async () => {
    await trees();
    expect(await compare()).toEqual({
      added: ['folder-link', 'was-folder', 'y/z/3'],
      removed: ['gone', 'was-folder/f', 'x/1'],
      changed: ['link', 'x/2'],
    });
    expect(await compare('a', 'a')).toEqual({ added: [], removed: [], changed: [] });
  });

  it.skipIf(lacks('diff'))('makes the target equal to the source', async () => {
    await trees();
    await replay(await compare());
    expect(await compare()).toEqual({ added: [], removed: [], changed: [] });
    expect(await readlink(place.path('a/link'))).toBe('x/2');
    execFileSync('rm', ['-r', place.path('b/empty')]);
    execFileSync('diff', ['-r', '--no-dereference', place.path('a'), place.path('b')]);
    await replay({ added: [], removed: ['gone', 'x/1'], changed: [] });
  });

  it('tells files of one size apart, up to the last byte', async () => {
    const large = Buffer.alloc((1 << 20) + 5, 1);
    await make({ 'a/f': large, 'b/f': large.map((byte, index) => (index === large.length - 1 ? 2 : byte)) });
    expect((await compare()).changed).toEqual(['f']);
  });

  it.each([
    [{ added: ['../out'], removed: [], changed: [] }, 'SVC85002'],
    [{ added: [], removed: ['/etc/passwd'], changed: [] }, 'SVC85002'],
    [{ added: [], removed: ['x/../../same'], changed: [] }, 'SVC85002'],
    [{ added: [], removed: ['C:x'], changed: [] }, 'SVC85002'],
    [{ added: [], removed: ['gone', ''], changed: [] }, 'SVC85002'],
    [{ added: [], removed: ['gone', 'way/f'], changed: [] }, 'SVC85002'],
    [{ added: ['back/f'], removed: ['gone'], changed: [] }, 'SVC85002'],
    [{ added: [], removed: ['gone', 'x'], changed: [] }, 'SVC85009'],
    [{ added: [], removed: ['gone'], changed: ['nowhere'] }, 'SVC85090'],
    [{ added: ['y'], removed: ['gone'], changed: [] }, 'SVC85090'],
    [{ added: ['a\0'], removed: ['gone'], changed: [] }, 'SVC85028'],
  ])('%j is refused with %s before anything changes', async (found, code) => {
    await trees();
    await make({ 'outside/f': 'f' });
    await symlink('../outside', place.path('a/way'));
    await symlink('../outside', place.path('b/back'));
    expect((await failureOf(replay(found))).facts.code).toBe(code);
    expect(await text('a/gone')).toBe('g');
    expect(await text('outside/f')).toBe('f');
  });

  it('writes through no link, and puts no file in the place of a folder with files', async () => {
    await make({ 'a/x': '', outside: 'o', 'b/link': 'new', 'a/dir/f': '', 'b/dir': 'file' });
    await symlink('../outside', place.path('a/link'));
    await replay({ added: [], removed: [], changed: ['link'] });
    expect([await text('outside'), await text('a/link')]).toEqual(['o', 'new']);
    expect((await failureOf(replay({ added: ['dir'], removed: [], changed: [] }))).facts.code).toBe('SVC85017');
  });

  it('puts a file in the place of folders that hold nothing else', async () => {
    await make({ 'a/x': '', 'b/dir': 'file' });
    await mkdir(place.path('a/dir/deep/deeper'), { recursive: true });
    await replay({ added: ['dir'], removed: [], changed: [] });
    expect(await text('a/dir')).toBe('file');
  });

  it('refuses trees that are missing, and pipes', async () => {
    await make({ 'a/x': '' });
    expect((await failureOf(compare())).facts.code).toBe('SVC85001');
    execFileSync('mkfifo', [place.path('a/pipe')]);
    expect((await failureOf(compare('a', 'a'))).facts.code).toBe('SVC85022');
  });
});
