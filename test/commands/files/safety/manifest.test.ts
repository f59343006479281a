import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FA_verify_manifest, FA_write_manifest } from '#stdlib/files/safety/manifest/manifest.ts';

import { call, failureOf, openPlace, type Files, type Place } from '../call-here.ts';
import { lacks } from '../../../fixtures/programs.ts';
import { runActions } from '../run-actions.ts';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.close());

const make = (files: Files): Promise<void> => place.make(files);
interface Written {
  readonly version: number;
  readonly files: Readonly<
    Record<string, { readonly size: number; readonly checksum: string; readonly link?: string }>
  >;
  readonly created_at: string;
  readonly root: string;
}
const write = (algorithm = 'sha256', manifest = 'm.json'): Promise<Written> =>
  call(FA_write_manifest, place, { root: place.path('in'), manifest_path: place.path(manifest), algorithm });
const verify = (manifest = 'm.json'): Promise<unknown> =>
  call(FA_verify_manifest, place, { root: place.path('in'), manifest_path: place.path(manifest) });
const alter = async (change: (manifest: Record<string, unknown>) => void): Promise<void> => {
  const manifest = JSON.parse(await readFile(place.path('m.json'), 'utf8')) as Record<string, unknown>;
  change(manifest);
  await writeFile(place.path('m.json'), JSON.stringify(manifest));
};

it.skipIf(lacks('sha256sum'))('records sorted names with sizes and digests that sha256sum confirms', async () => {
  await make({ 'in/b.txt': 'b', 'in/a/z ü.txt': 'abc', 'in/Empty': '' });
  const manifest = await write();
  expect(Object.keys(manifest.files)).toEqual(['Empty', 'a/z ü.txt', 'b.txt']);
  expect(manifest).toMatchObject({ version: 1, algorithm: 'sha256', root: place.path('in') });
  expect(manifest.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
  expect(JSON.parse(await readFile(place.path('m.json'), 'utf8'))).toEqual(manifest);
  const lines = Object.entries(manifest.files).map(([name, { checksum }]) => `${checksum}  ${name}\n`);
  expect(
    execFileSync('sha256sum', ['-c', '--strict'], { cwd: place.path('in'), input: lines.join(''), encoding: 'utf8' }),
  ).toBe('Empty: OK\na/z ü.txt: OK\nb.txt: OK\n');
  expect(await verify()).toEqual({
    matched: ['Empty', 'a/z ü.txt', 'b.txt'],
    missing: [],
    modified: [],
    extra: [],
    ok: true,
  });
});

it('tells missing, modified and extra apart; extra ones do not matter', async () => {
  await make({ 'in/same': 's', 'in/size': 'a', 'in/content': 'a', 'in/gone': 'g' });
  await write('blake2s');
  await make({ 'in/size': 'aa', 'in/content': 'b', 'in/new': 'n' });
  await rm(place.path('in/gone'));
  expect(await verify()).toEqual({
    matched: ['same'],
    missing: ['gone'],
    modified: ['content', 'size'],
    extra: ['new'],
    ok: false,
  });
  await make({ 'in/gone': 'g', 'in/size': 'a', 'in/content': 'a' });
  expect(await verify()).toMatchObject({ extra: ['new'], ok: true });
});

it('records where links lead, and counts a link in the place of a file as modified', async () => {
  await make({ 'in/a': 'a', 'other/b': 'b' });
  await symlink('a', place.path('in/link'));
  await symlink('nowhere', place.path('in/dangling'));
  await symlink('../other', place.path('in/dir'));
  const { files } = await write();
  expect(Object.keys(files)).toEqual(['a', 'dangling', 'dir', 'link']);
  expect(files['link']).toMatchObject({ size: 1, link: 'a' });
  expect(await verify()).toMatchObject({ ok: true });
  await rm(place.path('in/a'));
  await rm(place.path('in/link'));
  await symlink('../other/b', place.path('in/a'));
  await symlink('b', place.path('in/link'));
  expect(await verify()).toMatchObject({ modified: ['a', 'link'], ok: false });
});

it('leaves itself out, also by another way to it', async () => {
  await make({ 'in/sub/a': 'a' });
  await write('md5', 'in/sub/m.json');
  const manifest = await write('md5', 'in/sub/m.json');
  expect(Object.keys(manifest.files)).toEqual(['sub/a']);
  await symlink('in', place.path('way'));
  expect(await verify('way/sub/m.json')).toMatchObject({ extra: [], ok: true });
});

it('does not look at times, and takes manifests without a version or a digest name', async () => {
  await make({ 'in/a': 'a' });
  await write();
  await utimes(place.path('in/a'), 1, 1);
  await alter((manifest) => {
    delete manifest['version'];
    delete manifest['algorithm'];
    delete manifest['root'];
  });
  expect(await verify()).toMatchObject({ ok: true });
  await alter((manifest) => {
    (manifest['files'] as Record<string, { checksum?: string }>)['a'] = {};
  });
  expect(await verify()).toMatchObject({ modified: ['a'] });
});

it.skipIf(lacks('sha256sum'))('takes files of checksums by other programs', async () => {
  await make({ 'in/a b': 'a', 'in/sub/*c': 'c', 'in/two\nlines\\': 'd' });
  const all = { matched: ['a b', 'sub/*c', 'two\nlines\\'], missing: [], modified: [], extra: [], ok: true };
  for (const program of ['sha256sum', 'md5sum --binary', 'sha512sum --tag', 'b2sum --tag']) {
    const options = { cwd: place.path('in'), encoding: 'utf8' } as const;
    const sums = execFileSync('sh', ['-c', `find . -type f -exec ${program} {} +`], options);
    await writeFile(place.path('m.json'), `# of ${program}\n${sums}`);
    expect([program, await verify()]).toEqual([program, all]);
  }
  await writeFile(place.path('m.json'), `SHA2-256(a b)= ${'0'.repeat(64)}\r\n${'0'.repeat(64)} *gone\r\n`);
  expect(await verify()).toMatchObject({ modified: ['a b'], missing: ['gone'], ok: false });
});

it.each([
  [`${'0'.repeat(64)}  a\n${'0'.repeat(40)}  b\n`, 'digests of one algorithm'],
  [`${'0'.repeat(64)}  a\n${'0'.repeat(60)}  b\n`, undefined],
  [`${'0'.repeat(64)}\n`, undefined],
])('a file of checksums that cannot be read is refused: %#', async (text, expected) => {
  await make({ 'in/a': 'a', 'm.json': text });
  const { facts, options } = await failureOf(verify());
  expect([facts.code, options.expected]).toEqual(['SVC85054', expected]);
});

it('survives names that are not UTF-8 and names that other programs take for more', async () => {
  await mkdir(place.path('in'));
  await writeFile(Buffer.concat([Buffer.from(`${place.path('in')}/`), Buffer.from([0x66, 0xfe])]), 'x');
  await writeFile(place.path('in/__proto__'), 'p');
  await write();
  expect(await verify()).toMatchObject({ matched: ['__proto__', 'f\udcfe'], ok: true });
});

describe('a doctored manifest', () => {
  it.each(['../secret', '/etc/passwd', 'a/../../secret'])(
    'with %s is refused before anything is read',
    async (name) => {
      await make({ 'in/a': 'a', secret: 's' });
      await write();
      await alter((manifest) => {
        (manifest['files'] as Record<string, unknown>)[name] = { size: 1, checksum: '00' };
      });
      const { facts } = await failureOf(verify());
      expect([facts.code, facts.name]).toEqual(['SVC85002', 'PathTraversalException']);
    },
  );

  it('cannot ask for files behind a link', async () => {
    await make({ 'in/a': 'a', 'other/secret': 's' });
    await symlink('../other', place.path('in/link'));
    await write();
    await alter((manifest) => {
      (manifest['files'] as Record<string, unknown>)['link/secret'] = { size: 1, checksum: '00' };
    });
    expect(await verify()).toMatchObject({ missing: ['link/secret'] });
  });

  it.each([
    ['a version that is not known', (manifest: Record<string, unknown>) => void (manifest['version'] = 2), 'SVC85055'],
    ['no files', (manifest: Record<string, unknown>) => void delete manifest['files'], 'SVC85054'],
    ['entries that are none', (manifest: Record<string, unknown>) => void (manifest['files'] = { a: 1 }), 'SVC85054'],
    [
      'a digest that is not known',
      (manifest: Record<string, unknown>) => void (manifest['algorithm'] = 'rot13'),
      'SVC85050',
    ],
  ])('with %s is refused', async (_what, change, code) => {
    await make({ 'in/a': 'a' });
    await write();
    await alter(change);
    expect((await failureOf(verify())).facts.code).toBe(code);
  });

  it('that is no JSON, missing or a folder is refused', async () => {
    await make({ 'in/a': 'a', 'm.json': '{' });
    expect((await failureOf(verify())).facts.name).toBe('ManifestException');
    await writeFile(place.path('m.json'), new Uint8Array([0x22, 0xff, 0x22]));
    expect((await failureOf(verify())).facts.code).toBe('SVC85054');
    expect((await failureOf(verify('none.json'))).facts.code).toBe('SVC85056');
    expect((await failureOf(verify('in'))).facts.code).toBe('SVC85056');
  });
});

it('refuses a pipe, a missing root and an unknown digest, and writes nothing then', async () => {
  await make({ 'in/a': 'a' });
  execFileSync('mkfifo', [place.path('in/pipe')]);
  expect((await failureOf(write())).facts.code).toBe('SVC85022');
  expect((await failureOf(write('sha0'))).facts.code).toBe('SVC85050');
  await rm(place.path('in'), { recursive: true });
  expect((await failureOf(write())).facts.code).toBe('SVC85001');
  expect((await failureOf(verify())).facts.code).toBe('SVC85001');
  expect(existsSync(place.path('m.json'))).toBe(false);
});

it('a folder that differs is told with its manifest and the files that differ', async () => {
  await make({ 'in/a': 'a', 'in/b': 'b', 'in/c': 'c' });
  await write();
  await make({ 'in/b': 'changed' });
  await rm(place.path('in/c'));
  const { records } = await runActions(place.root, [
    ['FA_verify_manifest', { root: place.path('in'), manifest_path: place.path('m.json') }],
  ]);
  expect(records.at(-1)?.error).toMatchObject({
    code: 'SVC85053',
    message: `"${place.path('in')}" differs from its manifest "${place.path('m.json')}".`,
    actual: { missing: ['c'], modified: ['b'] },
  });
});

it('writes a manifest through a link that leads nowhere yet', async () => {
  await make({ 'in/a': 'a' });
  await symlink('../later.json', place.path('in/link.json'));
  await write('sha256', 'in/link.json');
  expect(Object.keys((JSON.parse(await readFile(place.path('later.json'), 'utf8')) as Written).files)).toEqual([
    'a',
    'link.json',
  ]);
  expect(await verify('in/link.json')).toMatchObject({ ok: true });
});

it('refuses a manifest that is too large to be one before it is read', async () => {
  await make({ 'in/a': 'a', 'm.json': '' });
  await truncate(place.path('m.json'), 3 * 1024 ** 3);
  const { facts, options } = await failureOf(verify());
  expect([facts.code, options.expected, options.actual]).toEqual([
    'SVC85054',
    'at most 268435456 bytes',
    3 * 1024 ** 3,
  ]);
});
