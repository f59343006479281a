import { execFileSync } from 'node:child_process';
import { chmod, lstat, readFile, readdir, readlink, stat, symlink, utimes, writeFile } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { countLineBytes } from '#stdlib/files/local/text/count-line-bytes.ts';
import {
  FA_encoding_convert,
  FA_file_merge,
  FA_file_split,
  FA_line_count,
  FA_sed_replace,
} from '#stdlib/files/local/text/text.ts';

import { call, failureOf, openPlace, type Place } from '../call-here.ts';
import { lacks } from '../../../fixtures/programs.ts';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.close());

const put = (name: string, content: string | Uint8Array): Promise<void> => writeFile(place.path(name), content);
const text = (name: string): Promise<string> => readFile(place.path(name), 'utf8');

describe('FA_file_split and FA_file_merge', () => {
  const split = (chunk_size: number, output_dir: string | null = null, name = 'x.bin'): Promise<readonly string[]> =>
    call(FA_file_split, place, { file_path: place.path(name), chunk_size, output_dir });
  const merge = (parts: readonly string[], target: string): Promise<unknown> =>
    call(FA_file_merge, place, { parts: [...parts], target_path: place.path(target) });

  it('cuts as `split` does, and joins what it cut', async () => {
    const bytes = Buffer.from(Array.from({ length: 5000 }, (_, index) => index % 251));
    await put('x.bin', bytes);
    const parts = await split(999, place.path('parts/here'));
    expect((await readdir(place.path('parts/here'))).sort()).toEqual(
      Array.from({ length: 6 }, (_, index) => `x.bin.part00${index}`),
    );
    if (!lacks('split')) {
      execFileSync('split', ['-b', '999', '-d', '-a', '3', place.path('x.bin'), place.path('gnu')]);
      for (const [index, part] of parts.entries())
        expect(await readFile(part)).toEqual(await readFile(place.path(`gnu00${index}`)));
    }
    await merge(parts, 'new/joined');
    expect(await readFile(place.path('new/joined'))).toEqual(bytes);
  });

  it('takes more digits where three are not enough, so that names sort', async () => {
    await put('x.bin', 'x'.repeat(1001));
    const parts = await split(1);
    expect(parts).toHaveLength(1001);
    expect(parts.at(-1)).toBe(place.path('x.bin.part1000'));
    expect(parts.toSorted()).toEqual(parts);
  });

  it('removes parts of an earlier split, and nothing else', async () => {
    await put('x.bin', 'abcdef');
    for (const name of ['x.bin.partial', 'x.bin.part00', 'y.bin.part004', 'outside']) await put(name, '');
    await split(1);
    await symlink('outside', place.path('x.bin.part009'));
    expect(await split(4)).toEqual([place.path('x.bin.part000'), place.path('x.bin.part001')]);
    expect((await readdir(place.root)).sort()).toEqual([
      'outside',
      'x.bin',
      'x.bin.part00',
      'x.bin.part000',
      'x.bin.part001',
      'x.bin.part009',
      'x.bin.partial',
      'y.bin.part004',
    ]);
    await put('x.bin', '');
    expect(await split(4)).toEqual([]);
    expect(await readdir(place.root)).not.toContain('x.bin.part000');
  });

  it('joins onto one of the parts, and names every part that is missing', async () => {
    await put('a', '1');
    await put('b', '2');
    await merge([place.path('a'), place.path('b'), place.path('a')], 'a');
    expect(await text('a')).toBe('121');
    const failure = await failureOf(merge([place.path('a'), place.path('c'), place.path('d')], 'a'));
    expect(failure.facts).toMatchObject({ code: 'SVC85045', name: 'FileNotExistsException' });
    expect(failure.message).toContain(`"${place.path('c')}", "${place.path('d')}"`);
    expect(await text('a')).toBe('121');
  });
});

describe('FA_encoding_convert', () => {
  const convert = (
    source_encoding: string,
    target_encoding: string,
    errors: 'strict' | 'replace' | 'ignore' = 'strict',
    target = 'out',
  ): Promise<unknown> =>
    call(FA_encoding_convert, place, {
      file_path: place.path('in'),
      target_path: place.path(target),
      source_encoding,
      target_encoding,
      errors,
    });

  it.skipIf(lacks('iconv'))('agrees with iconv over many pieces', async () => {
    const line = 'Grüße, 日本語, Здравствуйте, 😀\r\n';
    await put('in', line.repeat(60_000));
    for (const [encoding, name] of [
      ['utf-16-le', 'UTF-16LE'],
      ['utf-16-be', 'UTF-16BE'],
      ['utf-32-be', 'UTF-32BE'],
      ['gb18030', 'GB18030'],
    ] as const) {
      await convert('utf-8', encoding);
      execFileSync('iconv', ['-f', 'UTF-8', '-t', name, '-o', place.path('iconv'), place.path('in')]);
      expect((await readFile(place.path('out'))).equals(await readFile(place.path('iconv')))).toBe(true);
      await call(FA_encoding_convert, place, {
        file_path: place.path('out'),
        target_path: place.path('back'),
        source_encoding: encoding,
        target_encoding: 'utf8',
        errors: 'strict',
      });
      expect((await readFile(place.path('back'))).equals(await readFile(place.path('in')))).toBe(true);
    }
  });

  it.each([
    ['utf-8-sig', 'utf-16', 'efbbbf61', 'fffe6100'],
    ['utf-8', 'utf-8-sig', 'efbbbf61', 'efbbbf61'],
    ['utf-16', 'utf-8', 'feff0061', '61'],
    ['utf-16', 'utf-8', '6100', '61'],
    ['utf-32', 'utf-8', '0000feff0001f600', 'f09f9880'],
    ['cp1252', 'utf-8', '80', 'e282ac'],
    ['latin-1', 'utf-8', '80', 'c280'],
    ['shift_jis', 'utf-8', '93fa0a', 'e697a50a'],
    ['utf-8', 'utf-16', '', 'fffe'],
    ['utf-16', 'utf-8', '', ''],
  ])('%s to %s: %s is %s', async (from, to, bytes, expected) => {
    await put('in', Buffer.from(bytes, 'hex'));
    await convert(from, to);
    expect((await readFile(place.path('out'))).toString('hex')).toBe(expected);
  });

  it.each([
    ['utf-8', '61ff62', 1],
    ['utf-8', '6161e282', 4],
    ['ascii', '6180', 1],
    ['cp1252', '616181', 2],
    ['utf-16-le', '610000d86200', 5],
    ['utf-16', '6100fe', 3],
    ['utf-32', 'ffffffff', 3],
    ['euc-jp', 'a1a1a1', 3],
  ])('%s: %s is refused at %d, and the target stays', async (encoding, bytes, offset) => {
    await put('in', Buffer.from(bytes, 'hex'));
    await put('out', 'old');
    const failure = await failureOf(convert(encoding, 'utf-8'));
    expect(failure.facts).toMatchObject({ code: 'SVC85029', name: 'TextOpsException' });
    expect(failure.message).toContain(`the byte at ${offset} `);
    expect(await text('out')).toBe('old');
    expect((await readdir(place.root)).sort()).toEqual(['in', 'out']);
    await convert(encoding, 'utf-8', 'replace');
    expect(await text('out')).toContain('\ufffd');
    await convert(encoding, 'utf-8', 'ignore');
    expect(await text('out')).not.toContain('\ufffd');
  });

  it('replaces and leaves out what the target lacks, and refuses it when strict', async () => {
    await put('in', 'a\u20ac\u{1f600}b');
    await convert('utf-8', 'latin-1', 'replace');
    expect(await text('out')).toBe('a??b');
    await convert('utf-8', 'latin-1', 'ignore');
    expect(await text('out')).toBe('ab');
    const failure = await failureOf(convert('utf-8', 'cp1252'));
    expect([failure.facts.code, failure.message]).toEqual(['SVC85027', expect.stringContaining('at place 2')]);
  });

  it('may write onto its input', async () => {
    await put('in', 'ä');
    await convert('utf-8', 'latin-1', 'strict', 'in');
    expect((await readFile(place.path('in'))).toString('hex')).toBe('e4');
  });

  it('refuses encodings that it does not know before it looks at the file', async () => {
    expect((await failureOf(convert('utf-9', 'utf-8'))).facts).toMatchObject({
      code: 'SVC85041',
      name: 'TextOpsException',
    });
    expect((await failureOf(convert('utf-8', 'utf-9'))).facts.code).toBe('SVC85026');
    expect((await failureOf(convert('utf-8', 'utf-8'))).facts.code).toBe('SVC85000');
  });
});

describe('FA_line_count', () => {
  const count = (encoding = 'utf-8'): Promise<number> =>
    call(FA_line_count, place, { file_path: place.path('in'), encoding });

  it.each([
    ['', 0],
    ['a', 1],
    ['a\n', 1],
    ['\n', 1],
    ['a\nb', 2],
    ['a\r\nb\r\n', 2],
    ['a\rb\r', 2],
    ['\r\r\n\n', 3],
    ['a\u2028b\u0085c\fd', 1],
    ['\ufeff', 0],
  ])('%j has %d', async (content, lines) => {
    await put('in', content);
    expect(await count()).toBe(lines);
  });

  it('counts ends that lie across pieces once', async () => {
    await put('in', `${'x'.repeat((1 << 20) - 1)}\r\n${'y'.repeat((1 << 20) - 3)}\r\r\nz`);
    expect(await count()).toBe(4);
    await put('in', `${'x'.repeat((1 << 20) - 1)}\r`);
    expect(await count()).toBe(1);
  });

  it('counts the same in bytes as in text, wherever pieces are cut', async () => {
    const marks = ['a', '\r', '\n', 'é', '😀', '\n', 'word word word', '\ufeff'];
    for (let round = 0; round < 300; round += 1) {
      const content = Buffer.from(
        Array.from({ length: round % 40 }, (_, index) => marks[(index * 7 + round * (index + 3)) % marks.length]).join(
          '',
        ),
      );
      // At any place, also one that is no multiple of four in memory.
      const pieces = (async function* (): AsyncGenerator<Uint8Array> {
        for (let at = 0, step = 0; at < content.length; at += step)
          yield content.subarray(at, at + (step = 1 + ((round + at) % 7)));
      })();
      const files = { ...place.context.files, stream: () => pieces };
      const whole = new TextDecoder().decode(content);
      const wanted = (whole.match(/\r\n|\r|\n/g)?.length ?? 0) + (/[^\r\n]$/.test(whole) ? 1 : 0);
      expect([content.toString(), await countLineBytes({ files, signal: place.context.signal }, 'x')]).toEqual([
        content.toString(),
        wanted,
      ]);
    }
  });

  it('reads other encodings, and refuses bytes that do not fit', async () => {
    await put('in', Buffer.from('a\nb\n', 'utf16le'));
    expect(await count('utf-16')).toBe(2);
    await put('in', new Uint8Array([0x61, 0xff]));
    expect((await failureOf(count())).facts.code).toBe('SVC85029');
  });
});

describe('FA_sed_replace', () => {
  interface Options {
    readonly regex?: boolean;
    readonly count?: number;
    readonly encoding?: string;
  }
  const sed = (
    pattern: string,
    replacement: string,
    { regex = false, count = 0, encoding = 'utf-8' }: Options = {},
  ): Promise<number> =>
    call(FA_sed_replace, place, { file_path: place.path('in'), pattern, replacement, regex, count, encoding });

  it.each([
    ['a.b.c', '.', '$1\\1', {}, 'a$1\\1b$1\\1c', 2],
    ['aaa', 'aa', 'b', {}, 'ba', 1],
    ['aaaa', 'a', 'b', { count: 3 }, 'bbba', 3],
    ['one\r\ntwo\n', '\n', '|', {}, 'one\r|two|', 2],
    ['k=1\r\nk=2\r\n', '^k=(\\d)$', '\\1:$1:$&:\\0', { regex: true }, '1:1:k=1:k=1\r\n2:2:k=2:k=2\r\n', 2],
    ['abc', 'x*', '-', { regex: true }, '-a-b-c-', 4],
    ['😀b', '', '-', { regex: true }, '-😀-b-', 3],
    ['a b', '(\\w) (\\w)', '\\2\\t$$\\\\$12', { regex: true }, 'b\t$\\a2', 1],
    ['aXbX', 'x|X', '', { regex: true, count: 1 }, 'abX', 1],
    ['one\ntwo', 'e\\nt', ' ', { regex: true }, 'on wo', 1],
    ['a\r\nb\r\r\n', '$', ';', { regex: true }, 'a;\r\nb;\r;\r\n;', 4],
    ['a\r\nb', '^', '> ', { regex: true }, '> a\r\n> b', 2],
    ['\r\n', '\\n', '', { regex: true }, '\r', 1],
  ] as const)('%j: %s → %s', async (before, pattern, replacement, options, after, hits) => {
    await put('in', before);
    expect(await sed(pattern, replacement, options)).toBe(hits);
    expect(await text('in')).toBe(after);
  });

  it('finds text that lies across pieces, in files of any size', async () => {
    await put('in', `${'x'.repeat((1 << 20) - 3)}needle😀${'y'.repeat(1 << 20)}needle`);
    expect(await sed('needle', 'n')).toBe(2);
    expect(await text('in')).toBe(`${'x'.repeat((1 << 20) - 3)}n😀${'y'.repeat(1 << 20)}n`);
  });

  it('finds more matches than are looked for at once', async () => {
    await put('in', 'ab'.repeat(3000));
    expect(await sed('a|(?<=b)$', 'c', { regex: true })).toBe(3001);
    expect(await text('in')).toBe(`${'cb'.repeat(3000)}c`);
  });

  it('joins what stands between very many matches before it writes', async () => {
    await put('in', 'a\n'.repeat(200_000));
    let pieces = 0;
    const { writeStream } = place.context.files;
    const files = {
      ...place.context.files,
      writeStream: (path: string, content: AsyncIterable<Uint8Array>, options?: object) =>
        writeStream(path, counted(content), options),
    };
    async function* counted(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
      for await (const piece of content) {
        pieces += 1;
        yield piece;
      }
    }
    const counting = { ...place, context: { ...place.context, files } };
    expect(
      await call(FA_sed_replace, counting, {
        file_path: place.path('in'),
        pattern: 'a',
        replacement: 'bb',
        regex: true,
        count: 0,
        encoding: 'utf-8',
      }),
    ).toBe(200_000);
    expect(pieces).toBeLessThan(20);
    expect(await text('in')).toBe('bb\n'.repeat(200_000));
  });

  it('leaves a file without a hit as it is', async () => {
    await put('in', 'abc');
    await utimes(place.path('in'), 1000, 1000);
    const { ino } = await stat(place.path('in'));
    expect([await sed('x', 'y'), await sed('x+', 'y', { regex: true })]).toEqual([0, 0]);
    expect(await stat(place.path('in'))).toMatchObject({ ino, mtimeMs: 1_000_000 });
  });

  it('keeps permission bits, links and byte-order marks', async () => {
    await put('real', '\ufeffabc');
    await chmod(place.path('real'), 0o640);
    await symlink('real', place.path('in'));
    expect(await sed('^a', 'x', { regex: true })).toBe(1);
    expect(await text('real')).toBe('\ufeffxbc');
    expect((await lstat(place.path('real'))).mode & 0o777).toBe(0o640);
    expect(await readlink(place.path('in'))).toBe('real');
  });

  it.each([
    ['utf-16', 'feff00610062', 'feff00780062'],
    ['utf-16', '61006200', '78006200'],
    ['utf-16-le', 'fffe61006200', 'fffe78006200'],
    ['utf-32', '0000feff00000061', '0000feff00000078'],
    ['utf-32', 'fffe000061000000', 'fffe000078000000'],
    ['cp1252', '6180', '7880'],
  ])('writes %s as it was', async (encoding, before, after) => {
    await put('in', Buffer.from(before, 'hex'));
    await sed('a', 'x', { encoding });
    expect((await readFile(place.path('in'))).toString('hex')).toBe(after);
  });

  it.each([
    ['(', 'x', { regex: true }, 'SVC80037'],
    ['(a)', '$2', { regex: true }, 'SVC85046'],
    ['a', '€', { encoding: 'latin-1' }, 'SVC85027'],
    ['(a+)+$', 'x', { regex: true }, 'SVC80030'],
    ['a', 'x', { encoding: 'no' }, 'SVC85041'],
  ] as const)('%s → %s is refused and changes nothing', async (pattern, replacement, options, code) => {
    const content = `${'a'.repeat(40)}!`;
    await put('in', content);
    expect((await failureOf(sed(pattern, replacement, options))).facts.code).toBe(code);
    expect(await text('in')).toBe(content);
    expect(await readdir(place.root)).toEqual(['in']);
  });
});
