import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FA_grep } from '#stdlib/files/local/grep/grep.ts';

import { call, failureOf, openPlace, type Files, type Place } from '../call-here.ts';
import { lacks } from '../../../fixtures/programs.ts';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.close());

const make = (files: Files): Promise<void> => place.make(files);

interface Options {
  readonly root?: string;
  readonly glob?: string;
  readonly regex?: boolean;
  readonly ignore_case?: boolean;
  readonly max_matches?: number;
  readonly max_line_len?: number;
}
type Hits = Awaited<ReturnType<typeof FA_grep>>;
const hits = ({
  root = place.root,
  glob,
  regex = false,
  ignore_case = false,
  max_matches = 1000,
  max_line_len = 4096,
  pattern,
}: Options & { readonly pattern: string }): Promise<Hits> =>
  call(FA_grep, place, { root, pattern, glob: glob ?? null, regex, ignore_case, max_matches, max_line_len });
/** As `grep -rn` prints them. */
const grep = async (pattern: string, options: Options = {}): Promise<string[]> =>
  (await hits({ pattern, ...options })).map(
    ({ path, line, text }) => `${path.slice(place.root.length + 1)}:${line}:${text}`,
  );

describe('FA_grep', () => {
  it('finds lines in sorted files, one hit a line, and enters no link', async () => {
    await make({
      'b.txt': 'x one one\r\ntwo\none',
      'a/z.txt': 'none\n',
      'a/y.md': 'ONE\n',
      'B.txt': 'one\n',
      empty: '',
    });
    await symlink('b.txt', place.path('link.txt'));
    await symlink('a', place.path('folder-link'));
    expect(await grep('one')).toEqual(['B.txt:1:one', 'a/z.txt:1:none', 'b.txt:1:x one one', 'b.txt:3:one']);
    expect(await grep('one', { ignore_case: true, glob: '*.md' })).toEqual(['a/y.md:1:ONE']);
    expect(await grep('^one$', { regex: true })).toEqual(['B.txt:1:one', 'b.txt:3:one']);
    expect(await grep('T[WX]O', { regex: true, ignore_case: true })).toEqual(['b.txt:2:two']);
    expect(await grep('.', { glob: '*.txt' })).toEqual([]);
    expect(await grep('\n')).toEqual([]);
  });

  it.skipIf(lacks('grep'))('agrees with `grep -r` over many files and pieces', async () => {
    const words = ['alpha', 'beta', 'gamma', 'déjà', 'a.b', 'ALPHA', ''];
    for (let index = 0; index < 40; index += 1) {
      const lines = Array.from(
        { length: index === 7 ? 150_000 : 50 },
        (_, line) => `${words[(line * 7 + index) % 7] ?? ''} ${words[(line + index) % 5] ?? ''}${line}`,
      );
      await make({ [`d${index % 4}/f${index}.txt`]: lines.join('\n') + (index % 3 === 0 ? '' : '\n') });
    }
    const gnu = (...args: readonly string[]): string[] =>
      execFileSync('grep', ['-rn', ...args, '.'], {
        cwd: place.root,
        encoding: 'utf8',
        maxBuffer: 1 << 28,
        env: { ...process.env, LC_ALL: 'C.UTF-8' },
      })
        .trimEnd()
        .split('\n')
        .map((line) => line.slice(2));
    expect((await grep('beta1', { max_matches: 1_000_000 })).toSorted()).toEqual(gnu('-F', 'beta1').toSorted());
    expect((await grep('a.b ', { max_matches: 1_000_000 })).toSorted()).toEqual(gnu('-F', 'a.b ').toSorted());
    expect((await grep('alpha9', { max_matches: 1_000_000, ignore_case: true })).toSorted()).toEqual(
      gnu('-iF', 'alpha9').toSorted(),
    );
    expect((await grep('^(déjà|gamma) .*9$', { max_matches: 1_000_000, regex: true })).toSorted()).toEqual(
      gnu('-E', '^(déjà|gamma) .*9$').toSorted(),
    );
  });

  it('finds text across the pieces that are read, and counts lines over them', async () => {
    await make({ big: `${'x'.repeat((1 << 20) - 4)}needle\n${'y\n'.repeat(600_000)}needle` });
    expect((await hits({ pattern: 'needle', max_line_len: 3 })).map(({ line, text }) => [line, text])).toEqual([
      [1, 'xxx…'],
      [600_002, 'nee…'],
    ]);
  });

  it('cuts long lines, never within a character', async () => {
    await make({ x: 'ab😀cd\n' });
    expect(await grep('d', { max_line_len: 3 })).toEqual(['x:1:ab…']);
    expect(await grep('d', { max_line_len: 4 })).toEqual(['x:1:ab😀…']);
    expect(await grep('d', { max_line_len: 6 })).toEqual(['x:1:ab😀cd']);
  });

  it('leaves out bytes that are no UTF-8, and files that are no text', async () => {
    await make({
      latin: Buffer.from('ab\xffcd\n', 'latin1'),
      binary: 'abcd\0',
      late: `abcd\n${'x'.repeat(9000)}\0`,
      marked: '\ufeffabcd',
    });
    expect(await grep('abcd')).toEqual(['late:1:abcd', 'latin:1:abcd', 'marked:1:abcd']);
  });

  it('finds the sign that other programs put for what they could not read', async () => {
    await make({
      a: 'one\nna\ufffdve\n',
      b: Buffer.from('na\xefve\n', 'latin1'),
      c: Buffer.concat([Buffer.of(0xf0, 0x9f), Buffer.from('\ufffd!\n')]),
    });
    expect(await grep('\ufffd')).toEqual(['a:2:na\ufffdve', 'c:1:\ufffd!']);
    expect(await grep('nave')).toEqual(['b:1:nave']);
  });

  it('says that it stopped at the limit', async () => {
    await make({ a: 'x\nx\n', b: 'x\n' });
    expect((await hits({ pattern: 'x', max_matches: 2 })).map(({ line, stopped }) => [line, stopped])).toEqual([
      [1, undefined],
      [2, true],
    ]);
    expect((await hits({ pattern: 'x', max_matches: 4 })).some(({ stopped }) => stopped)).toBe(false);
  });

  it('skips pipes, and files that may not be read', async () => {
    await make({ a: 'x', b: 'x' });
    execFileSync('mkfifo', [place.path('pipe')]);
    const { files } = place.context;
    const stream: typeof files.stream = (path, options) => {
      if (path.endsWith('/a')) throw Object.assign(new Error('no'), { code: 'EACCES', path });
      return files.stream(path, options);
    };
    const context = { ...place.context, files: { ...files, stream } };
    const found = await FA_grep(
      {
        root: place.root,
        pattern: 'x',
        glob: null,
        regex: false,
        ignore_case: false,
        max_matches: 10,
        max_line_len: 10,
      },
      context,
    );
    expect(found.map(({ path }) => path)).toEqual([place.path('b')]);
  });

  it.each([
    ['(', { regex: true }, 'SVC80037'],
    ['(a+)+$', { regex: true }, 'SVC80030'],
    ['x', { root: '/nowhere/at/all' }, 'SVC85001'],
  ])('%s is refused with %j', async (pattern, options, code) => {
    await make({ a: `${'a'.repeat(40)}!` });
    expect((await failureOf(grep(pattern, options))).facts.code).toBe(code);
  });
});
