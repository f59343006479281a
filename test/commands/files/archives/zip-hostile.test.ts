import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FA_unzip_all, FA_unzip_file, FA_zip_file_info, FA_zip_info } from '#stdlib/files/archives/zip/zip.ts';

import { call, failureOf, openPlace, type Place, type PlaceOptions } from '../call-here.ts';
import { rawZip, withZip64Record, type RawMember } from './raw-zip.ts';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.close());

const make = (members: readonly RawMember[]): Promise<void> => writeFile(place.path('o.zip'), rawZip(members));

const unzip = (members: string[] | null = null): Promise<unknown> =>
  call(FA_unzip_all, place, {
    zip_file_path: place.path('o.zip'),
    extract_member: members,
    extract_path: place.path('to'),
    password: null,
  });

async function reopen(options: PlaceOptions): Promise<void> {
  await place.close();
  place = await openPlace(options);
}

describe('a member that would leave the target', () => {
  it.each([
    '../evil.txt',
    'a/../../evil.txt',
    '/tmp/svc-evil.txt',
    'C:\\evil.txt',
    'C:/evil.txt',
    '..\\evil.txt',
    '\\\\server\\share\\evil',
    'a/..',
  ])('%s is refused before anything is written', async (name) => {
    await make([
      { name: 'good.txt', content: 'g' },
      { name, content: 'evil' },
    ]);
    const failure = await failureOf(unzip());
    expect([failure.facts.code, failure.facts.name]).toEqual(['SVC85002', 'PathTraversalException']);
    expect(failure.message).toContain(name);
    expect(await readdir(place.root)).toEqual(['o.zip']);
    expect(
      (
        await failureOf(
          call(FA_unzip_file, place, {
            zip_file_path: place.path('o.zip'),
            extract_member: name,
            extract_path: place.path('to'),
            password: null,
          }),
        )
      ).facts.code,
    ).toBe('SVC85002');
  });

  it('is listed, and the others can be chosen', async () => {
    await make([{ name: 'good.txt', content: 'g' }, { name: '../evil.txt' }]);
    expect(await call(FA_zip_file_info, place, { zip_file_path: place.path('o.zip') })).toEqual([
      'good.txt',
      '../evil.txt',
    ]);
    await unzip(['good.txt']);
    expect(await readdir(place.path('to'))).toEqual(['good.txt']);
  });

  it.each(['CON', 'sub/nul.txt', 'com1.log', 'LPT9', 'a\0b'])('%j is no name for a file', async (name) => {
    await make([{ name: 'ok' }, { name }]);
    expect((await failureOf(unzip())).facts.code).toBe('SVC85003');
  });

  it('names with a colon or a backslash are fine where the system takes them', async () => {
    await make([
      { name: '12:30 log?.txt', content: '1' },
      { name: 'a\\b.txt', content: '2' },
      { name: 'c\\d.txt', content: '3', system: 0 },
      { name: './e//f.txt' },
    ]);
    await unzip();
    expect((await readdir(place.path('to'), { recursive: true })).sort()).toEqual([
      '12:30 log?.txt',
      'a\\b.txt',
      'c',
      'c/d.txt',
      'e',
      'e/f.txt',
    ]);
  });
});

describe('links', () => {
  it('in an archive are refused', async () => {
    await make([
      { name: 'link', content: '/etc', mode: 0o120777 },
      { name: 'link/passwd', content: 'x' },
    ]);
    expect((await failureOf(unzip())).facts.code).toBe('SVC85038');
    expect(existsSync(place.path('to'))).toBe(false);
  });

  it('on the way in the target are refused', async () => {
    await make([{ name: 'sub/a.txt', content: 'evil' }]);
    await mkdir(place.path('outside'));
    await mkdir(place.path('to'));
    await symlink('../outside', place.path('to/sub'));
    expect((await failureOf(unzip())).facts.code).toBe('SVC85002');
    expect(await readdir(place.path('outside'))).toEqual([]);
  });

  it('in the place of a file are replaced, never written through', async () => {
    await make([{ name: 'a.txt', content: 'new' }]);
    await writeFile(place.path('outside'), 'kept');
    await mkdir(place.path('to'));
    await symlink('../outside', place.path('to/a.txt'));
    await unzip();
    expect(await readFile(place.path('outside'), 'utf8')).toBe('kept');
    expect(await readFile(place.path('to/a.txt'), 'utf8')).toBe('new');
  });
});

describe('members for one place', () => {
  it.each([
    ['the same name', ['a.txt', 'a.txt']],
    ['letter case', ['a/B.txt', 'A/b.txt']],
    ['an accent stored in two ways', ['\u00e9', 'e\u0301']],
    ['a dot on the way', ['a/./b', 'a/b']],
    ['a file where another needs a folder', ['a', 'a/b']],
    ['the same the other way round', ['a/b', 'A']],
  ])('%s: refused', async (_what, names) => {
    await make(names.map((name) => ({ name })));
    expect((await failureOf(unzip())).facts.code).toBe('SVC85037');
    expect(existsSync(place.path('to'))).toBe(false);
  });

  it('a folder may be listed twice', async () => {
    await make([{ name: 'a/', mode: 0o40755 }, { name: 'a/', mode: 0o40755 }, { name: 'a/b' }]);
    await unzip();
    expect(await readdir(place.path('to/a'))).toEqual(['b']);
  });

  it('a folder of the target in the place of a file, and the reverse, are refused', async () => {
    await make([{ name: 'x' }]);
    await mkdir(place.path('to/x'), { recursive: true });
    expect((await failureOf(unzip())).facts.code).toBe('SVC85009');
    await make([{ name: 'f/x' }]);
    await writeFile(place.path('to/f'), '');
    expect((await failureOf(unzip())).facts.code).toBe('SVC85008');
    expect((await readdir(place.path('to'))).sort()).toEqual(['f', 'x']);
  });
});

describe('limits', () => {
  it('hold for the number of members', async () => {
    await reopen({ limits: { archive_entries: 3 } });
    await make([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
    await unzip();
    await make([{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' }]);
    expect((await failureOf(unzip())).facts.code).toBe('SVC85034');
  });

  it('hold for all bytes together', async () => {
    await reopen({ limits: { archive_bytes: 100 } });
    await make([
      { name: 'a', zeros: 60 },
      { name: 'b', zeros: 41 },
    ]);
    expect((await failureOf(unzip())).facts.code).toBe('SVC85035');
    await unzip(['a']);
  });

  it('hold for the ratio beyond 10 MiB', async () => {
    await make([{ name: 'a', zeros: 11 * 1024 * 1024 }]);
    expect((await failureOf(unzip())).facts.code).toBe('SVC85036');
    await make([{ name: 'a', zeros: 9 * 1024 * 1024 }]);
    await unzip();
  });

  it('are not talked round by a size that is not true', async () => {
    await make([{ name: 'a', zeros: 20 * 1024 * 1024 }]);
    const bytes = await readFile(place.path('o.zip'));
    // Both headers say 1000 bytes.
    for (const [signature, offset] of [
      ['504b0304', 22],
      ['504b0102', 24],
    ] as const)
      bytes.writeUInt32LE(1000, bytes.indexOf(Buffer.from(signature, 'hex')) + offset);
    await writeFile(place.path('o.zip'), bytes);
    expect((await failureOf(unzip())).facts.code).toBe('SVC85042');
    expect(existsSync(place.path('to'))).toBe(false);
  });

  it('members that share their bytes are refused', async () => {
    const bytes = rawZip([
      { name: 'a', content: '0'.repeat(100_000) },
      { name: 'b', content: '0'.repeat(100_000) },
    ]);
    const second = bytes.lastIndexOf(Buffer.from('504b0102', 'hex'));
    bytes.writeUInt32LE(0, second + 42);
    await writeFile(place.path('o.zip'), bytes);
    expect((await failureOf(unzip())).facts.code).toMatch(/SVC8504[23]|SVC85030/);
    expect(existsSync(place.path('to'))).toBe(false);
  });
});

describe('a broken archive', () => {
  it.each([
    ['no archive', (): Buffer => Buffer.from('hello')],
    ['an empty file', (): Buffer => Buffer.alloc(0)],
    ['a cut one', (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length - 30)],
  ])('%s: refused', async (_what, change) => {
    await make([{ name: 'a', content: 'hello hello hello' }]);
    await writeFile(place.path('o.zip'), change(await readFile(place.path('o.zip'))));
    const failure = await failureOf(unzip());
    expect([failure.facts.code, failure.facts.name]).toEqual(['SVC85030', 'ArchiveException']);
  });

  it('with damaged content changes nothing, also not the files before the damage', async () => {
    await make([
      { name: 'a', content: 'first' },
      { name: 'b', content: 'second, which is longer than that' },
    ]);
    const bytes = await readFile(place.path('o.zip'));
    const at = bytes.lastIndexOf(Buffer.from('504b0304', 'hex')) + 40;
    bytes[at] = (bytes[at] ?? 0) ^ 0xff;
    await writeFile(place.path('o.zip'), bytes);
    await mkdir(place.path('to'));
    await writeFile(place.path('to/a'), 'old');
    expect((await failureOf(unzip())).facts.code).toBe('SVC85042');
    expect(await readdir(place.path('to'))).toEqual(['a']);
    expect(await readFile(place.path('to/a'), 'utf8')).toBe('old');
  });

  it('with a ZIP64 record that says the same as its end is fine, with another it is refused', async () => {
    // The type of a pipe stands for what was packed from standard input.
    const archive = rawZip([
      { name: 'a', content: 'x' },
      { name: '-', content: 'piped', mode: 0o010600 },
    ]);
    await writeFile(place.path('o.zip'), withZip64Record(archive, { count: 2 }));
    await unzip();
    expect(await readFile(place.path('to/-'), 'utf8')).toBe('piped');
    await writeFile(place.path('o.zip'), withZip64Record(archive, { count: 1 }));
    expect((await failureOf(unzip())).facts.code).toBe('SVC85030');
  });

  it.each([9, 14])('in a way of packing that is not known is named: %i', async (method) => {
    await make([{ name: 'a', content: 'x'.repeat(100), method }]);
    const failure = await failureOf(unzip());
    expect([failure.facts.code, failure.message]).toEqual([
      'SVC85039',
      `"a" in "${place.path('o.zip')}" is packed in a way that is not known here.`,
    ]);
  });

  it('leaves no set-user bit and no right to write for others', async () => {
    await make([{ name: 'a', content: 'x', mode: 0o104777 }]);
    await unzip();
    expect(execFileSync('stat', ['-c', '%a', place.path('to/a')], { encoding: 'utf8' })).toBe('755\n');
  });

  it('stops when it is cancelled, and leaves nothing', async () => {
    const stopping = new AbortController();
    await reopen({ signal: stopping.signal });
    await make([{ name: 'a', content: 'x' }]);
    stopping.abort(new Error('stop'));
    await expect(unzip()).rejects.toThrow('stop');
    expect(existsSync(place.path('to'))).toBe(false);
  });
});

it('a dangling link is no folder to unpack into', async () => {
  await make([{ name: 'a' }]);
  await symlink('nowhere', place.path('to'));
  expect((await failureOf(unzip())).facts.code).toBe('SVC85008');
});

it('a name that is asked for twice is unpacked once', async () => {
  await make([{ name: 'a', content: 'a' }, { name: 'b' }]);
  expect(await unzip(['a', 'a'])).toEqual([place.path('to/a')]);
});

it('a date of zeros is none', async () => {
  const bytes = rawZip([{ name: 'a', content: 'a' }]);
  bytes.writeUInt16LE(0, bytes.lastIndexOf(Buffer.from('504b0102', 'hex')) + 14);
  await writeFile(place.path('o.zip'), bytes);
  expect((await call(FA_zip_info, place, { zip_file_path: place.path('o.zip') }))[0]).not.toHaveProperty('modified_at');
  await unzip();
});

describe('an archive that programs read in two ways', () => {
  const patched = async (from: string, to: string, which: 'first' | 'last'): Promise<void> => {
    const bytes = rawZip([
      { name: 'a.txt', content: 'a' },
      { name: 'b.txt', content: 'b'.repeat(3_000_000) },
    ]);
    const at = which === 'first' ? bytes.indexOf(from) : bytes.lastIndexOf(from);
    bytes.write(to, at, 'latin1');
    await writeFile(place.path('o.zip'), bytes);
  };

  it.each([
    ['a.txt', 'x.txt', 'first'],
    ['b.txt', 'y.txt', 'first'],
    ['a.txt', 'x.txt', 'last'],
  ] as const)('%s is called %s in the %s of its two places', async (from, to, which) => {
    await patched(from, to, which);
    expect((await failureOf(unzip())).facts.code).toBe('SVC85042');
    expect(existsSync(place.path('to'))).toBe(false);
  });

  it.each([0, 1, 3])('a list of two members that is said to have %i', async (count) => {
    const bytes = rawZip([
      { name: 'a.txt', content: 'a' },
      { name: 'b.txt', content: 'b' },
    ]);
    for (const back of [14, 12]) bytes.writeUInt16LE(count, bytes.length - back);
    await writeFile(place.path('o.zip'), bytes);
    expect((await failureOf(unzip())).facts.code).toBe('SVC85030');
    expect((await failureOf(call(FA_zip_file_info, place, { zip_file_path: place.path('o.zip') }))).facts.code).toBe(
      'SVC85030',
    );
  });
});
