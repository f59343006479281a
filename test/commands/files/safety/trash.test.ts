import { execFileSync } from 'node:child_process';
import {
  appendFile,
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FA_trash_restore, FA_trash_send } from '#stdlib/files/safety/trash/trash.ts';

import { call, failureOf, openPlace, type Place } from '../call-here.ts';
import { trashCalls, type Sent } from './trash-calls.ts';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.close());

const { send, list, restore, empty, make, text } = trashCalls(() => place);

describe('a folder of its own', () => {
  it('holds content and facts; what is thrown away comes back where it was', async () => {
    await make('in/a.txt');
    const entry = await send('in/a.txt');
    expect(entry).toMatchObject({ original: place.path('in/a.txt'), is_dir: false });
    expect(entry.trash_id).toMatch(/^\d{13}_[0-9a-f]{8}$/);
    expect((await readdir(place.path('bin'))).sort()).toEqual(
      [`${entry.trash_id}.trashmeta.json`, `${entry.trash_id}__a.txt`].sort(),
    );
    const { path, ...facts } = entry;
    expect(path).toBe(place.path('bin', `${entry.trash_id}__a.txt`));
    expect(JSON.parse(await text(`bin/${entry.trash_id}.trashmeta.json`))).toEqual(facts);
    expect(await list()).toEqual([entry]);
    expect(existsSync(place.path('in/a.txt'))).toBe(false);
    await rm(place.path('in'), { recursive: true });
    expect(await restore(entry.trash_id)).toBe(place.path('in/a.txt'));
    expect(await text('in/a.txt')).toBe('in/a.txt');
    expect(await readdir(place.path('bin'))).toEqual([]);
  });

  it('takes folders and links, which are thrown away themselves', async () => {
    await make('tree/deep/a');
    await symlink('tree', place.path('link'));
    await symlink('nowhere', place.path('dangling'));
    for (const name of ['link', 'dangling', 'tree']) await send(name);
    const entries = await list();
    expect(entries.map(({ is_dir }) => is_dir)).toEqual([false, false, true]);
    for (const { trash_id } of entries) await restore(trash_id);
    expect([
      await readlink(place.path('link')),
      await readlink(place.path('dangling')),
      await text('link/deep/a'),
    ]).toEqual(['tree', 'nowhere', 'tree/deep/a']);
  });

  it('never overwrites what is there, not even an empty folder', async () => {
    await make('a', 'old');
    const { trash_id } = await send('a');
    await make('a', 'new');
    await make('tree/b');
    const tree = await send('tree');
    await mkdir(place.path('tree'));
    for (const id of [trash_id, tree.trash_id]) {
      const { facts } = await failureOf(restore(id));
      expect([facts.code, facts.name]).toEqual(['SVC86413', 'VersioningException']);
    }
    expect(await text('a')).toBe('new');
    expect((await list()).length).toBe(2);
    expect(await restore(trash_id, 'other/place')).toBe(place.path('other/place'));
    expect(await text('other/place')).toBe('old');
  });

  it('gives way to what appears at the last moment', async () => {
    await make('a', 'old');
    const { trash_id } = await send('a');
    const { files } = place.context;
    const makeDirectory: typeof files.makeDirectory = async (path, options) => {
      await files.makeDirectory(path, options);
      await writeFile(place.path('a'), 'meanwhile');
    };
    const busy = { ...place, context: { ...place.context, files: { ...files, makeDirectory } } };
    await failureOf(call(FA_trash_restore, busy, { trash_id, trash_dir: place.path('bin'), destination: null }));
    expect(await text('a')).toBe('meanwhile');
    expect((await list()).length).toBe(1);
  });

  it('keeps names of any bytes and length', async () => {
    const long = 'ü'.repeat(127);
    await make(long);
    await writeFile(Buffer.concat([Buffer.from(`${place.root}/`), Buffer.from([0x66, 0xfe])]), 'raw');
    const entry = await send(long);
    expect(Buffer.byteLength(basename(entry.path))).toBeLessThanOrEqual(255);
    const raw = await send('f\udcfe');
    await restore(entry.trash_id);
    await restore(raw.trash_id);
    expect(await text(long)).toBe(long);
    expect(await place.context.files.read(place.path('f\udcfe'))).toEqual(Buffer.from('raw'));
  });

  it('refuses nothing at all, itself, what holds it and what it holds', async () => {
    await make('in/a');
    await mkdir(place.path('in/bin'));
    await symlink('in', place.path('way'));
    const { path } = await send('in/a');
    expect((await failureOf(send('none'))).facts.code).toBe('SVC86410');
    for (const [what, can] of [
      ['in', 'in/bin'],
      ['way/bin', 'in/bin'],
      ['in', 'way/bin'],
      ['in', 'in'],
      [path.slice(place.root.length + 1), 'bin'],
    ] as const) {
      const { facts } = await failureOf(send(what, can));
      expect([what, facts.code, facts.name]).toEqual([what, 'SVC86411', 'VersioningException']);
    }
    expect(existsSync(place.path('in/bin'))).toBe(true);
  });

  it('tells ids from paths', async () => {
    await make('a');
    await send('a');
    for (const id of ['../a', 'x/y', '..', '.', 'nothing', `${(await list())[0]?.trash_id}__a`])
      expect((await failureOf(restore(id, 'b'))).facts.code).toBe('SVC86412');
  });

  it('lists broken entries with their problem; they come back to a place that is given', async () => {
    const [one, two, three] = ['1700000000000_00000001', '1700000001000_00000002', '1700000002000_00000003'] as const;
    await make(`bin/${one}__a`, 'no facts');
    await make(`bin/${two}__b`, 'torn facts');
    await make(`bin/${two}.trashmeta.json`, '{');
    await make(
      `bin/${three}.trashmeta.json`,
      JSON.stringify({ trash_id: three, original: '/x', trashed_at: 1_700_000_002, is_dir: false }),
    );
    await make('bin/notes.txt');
    const odd = [
      '{"original": "", "trashed_at": 1}',
      '{"original": "/x", "trashed_at": "1"}',
      '{"original": 1, "trashed_at": 1}',
    ];
    for (const [index, facts] of odd.entries()) {
      await make(`bin/1600000000000_0000000${index}__a`);
      await make(`bin/1600000000000_0000000${index}.trashmeta.json`, facts);
    }
    const shown = (await list()).map(({ trash_id, original, problem }) => [trash_id, original, problem]);
    expect(shown.filter(([id]) => id?.startsWith('16'))).toEqual(
      odd.map((_, index) => [`1600000000000_0000000${index}`, '', 'its facts are missing or cannot be read']),
    );
    expect(shown.filter(([id]) => id?.startsWith('17'))).toEqual([
      [one, '', 'its facts are missing or cannot be read'],
      [two, '', 'its facts are missing or cannot be read'],
      [three, '/x', 'its content is missing'],
    ]);
    expect((await failureOf(restore(one))).facts.code).toBe('SVC86414');
    expect((await failureOf(restore(three, 'c'))).facts.code).toBe('SVC86412');
    await restore(two, 'b');
    expect(await text('b')).toBe('torn facts');
    expect(await empty()).toBe(1 + odd.length);
    expect(await readdir(place.path('bin'))).toEqual(['notes.txt']);
  });

  it('is emptied of what belongs to it, and of nothing behind links', async () => {
    await make('keep/me');
    await make('tree/a');
    await symlink('../keep', place.path('tree/link'));
    await symlink('keep', place.path('link'));
    await make('f');
    for (const name of ['tree', 'link', 'f']) await send(name);
    await make('bin/stranger');
    await symlink('../keep', place.path('bin/way'));
    expect(await empty()).toBe(3);
    expect((await readdir(place.path('bin'))).sort()).toEqual(['stranger', 'way']);
    expect(await text('keep/me')).toBe('keep/me');
    expect(await empty()).toBe(0);
    expect([await empty('nowhere'), await list('nowhere')]).toEqual([0, []]);
  });

  it('takes many at once, each under an id of its own', async () => {
    for (let count = 0; count < 20; count += 1) await make(`in/${count}`);
    const sent = await Promise.all(Array.from({ length: 20 }, (_, index) => send(`in/${index}`)));
    expect(new Set(sent.map(({ trash_id }) => trash_id)).size).toBe(20);
    expect((await list()).map(({ original }) => original).sort()).toEqual(sent.map(({ original }) => original).sort());
    expect((await readdir(place.path('bin'))).length).toBe(40);
  });

  it('is cleared of what a killed process left, and not of what another one is at', async () => {
    await make('a');
    await make('bin/.keep');
    const { files, random } = place.context;
    const sign = basename(files.temporaryBeside(place.path('bin/sign')));
    const facts = (id: string): Promise<void> =>
      make(`bin/${id}.trashmeta.json`, JSON.stringify({ trash_id: id, original: '/x', trashed_at: 1, is_dir: false }));
    await facts('1700000000000_0000dead');
    await make(`bin/.${random.uuid()}.pending`, `.sign.tmp\n1700000000000_0000dead`);
    await facts('1700000000000_a11ce000');
    await make(`bin/${sign}`, '');
    await make(`bin/.${random.uuid()}.pending`, `${sign}\n1700000000000_a11ce000`);
    await make(`bin/.${random.uuid()}.pending`, 'torn');
    expect(await list()).toEqual([]);
    await send('a');
    expect((await readdir(place.path('bin'))).filter((name) => name.includes('dead'))).toEqual([]);
    expect((await readdir(place.path('bin'))).filter((name) => name.endsWith('.pending')).length).toBe(1);
    expect(await empty()).toBe(1);
    expect(existsSync(place.path('bin/1700000000000_a11ce000.trashmeta.json'))).toBe(true);
  });
});

describe.each(['bin', 'Trash'])('emptying %s', (can) => {
  it('takes each thing out of the can whole before its first byte goes', async () => {
    await make('tree/a');
    await make('file');
    await send('tree', can);
    await send('file', can);
    const { files } = place.context;
    const seen: unknown[] = [];
    const look = async (path: string, go: () => Promise<void>): Promise<void> => {
      const isContent = (await lstat(path)).isDirectory() || (await readFile(path, 'utf8')) === 'file';
      if (isContent) seen.push((await list(can)).map(({ problem }) => problem));
      return go();
    };
    Object.assign(place.context, {
      files: {
        ...files,
        removeTree: (path: string) => look(path, () => files.removeTree(path)),
        remove: (path: string) => look(path, () => files.remove(path)),
      },
    });
    expect(await empty(can)).toBe(2);
    // The one that is being removed is no entry any more; the other one still is, or has gone.
    expect(seen).toHaveLength(2);
    expect(seen).toEqual(expect.arrayContaining([[undefined], []]));
    expect(
      (await readdir(place.path(can), { recursive: true })).filter(
        (name) => !['files', 'info', 'directorysizes'].includes(name),
      ),
    ).toEqual([]);
  });

  it('puts back what cannot be removed', async () => {
    await make('tree/a');
    await send('tree', can);
    const { files } = place.context;
    const refused = Object.assign(new Error('refused'), { code: 'EACCES' });
    Object.assign(place.context, { files: { ...files, removeTree: () => Promise.reject(refused) } });
    expect((await failureOf(empty(can))).facts.code).toBe('SVC85019');
    Object.assign(place.context, { files });
    const [entry] = await list(can);
    expect(entry).toMatchObject({ original: place.path('tree') });
    expect(entry?.problem).toBeUndefined();
    expect(await restore(entry?.trash_id ?? '', undefined, can)).toBe(place.path('tree'));
    expect(await text('tree/a')).toBe('tree/a');
  });

  it('leaves to others what they are at, whatever its name', async () => {
    await make('a');
    const { trash_id } = await send('a', can);
    await rm(place.path('a'), { force: true });
    const workshop = can === 'Trash' ? 'Trash/info' : 'bin';
    const odd = can === 'Trash' ? 'a\nb' : '1700000000000_a11ce000';
    const facts = can === 'Trash' ? `info/${odd}.trashinfo` : `${odd}.trashmeta.json`;
    await make(
      `${can}/${facts}`,
      can === 'Trash'
        ? '[Trash Info]\nPath=/x\nDeletionDate=2020-01-01T00:00:00\n'
        : JSON.stringify({ trash_id: odd, original: '/x', trashed_at: 1, is_dir: false }),
    );
    const sign = basename(place.context.files.temporaryBeside(place.path(workshop, 'sign')));
    await make(`${workshop}/${sign}`, '');
    await make(`${workshop}/.${place.context.random.uuid()}.pending`, `${sign}\n${odd}`);
    expect((await list(can)).map((entry) => entry.trash_id)).toEqual([trash_id]);
    expect(await empty(can)).toBe(1);
    expect(existsSync(place.path(can, facts))).toBe(true);
  });

  it('takes its content away from whoever is about to restore it, who is told', async () => {
    await make('a');
    const { trash_id, path } = await send('a', can);
    const { files } = place.context;
    const makeDirectory: typeof files.makeDirectory = async (...given) => {
      await files.remove(path).catch(() => undefined);
      return files.makeDirectory(...given);
    };
    Object.assign(place.context, { files: { ...files, makeDirectory } });
    expect((await failureOf(restore(trash_id, 'elsewhere/a', can))).facts.code).toBe('SVC86412');
  });

  it('nothing is restored into it', async () => {
    await make('tree/a');
    const { trash_id, path } = await send('tree', can);
    const before = await readdir(place.path(can), { recursive: true });
    for (const destination of [join(path, 'sub/b'), place.path(can, 'other'), place.path(can)]) {
      expect(
        (await failureOf(call(FA_trash_restore, place, { trash_id, trash_dir: place.path(can), destination }))).facts
          .code,
      ).toMatch(/SVC86420|SVC86413/);
    }
    expect(await readdir(place.path(can), { recursive: true })).toEqual(before);
  });
});

describe.skipIf(!existsSync('/dev/shm'))('another file system', () => {
  let far = '';
  beforeEach(async () => {
    far = await mkdtemp('/dev/shm/svc-trash-');
  });
  afterEach(() => rm(far, { recursive: true, force: true }));
  const sendFar = (path: string, where = place): Sent =>
    call(FA_trash_send, where, { path: place.path(path), trash_dir: far });
  const restoreFar = (trash_id: string): Promise<string> =>
    call(FA_trash_restore, place, { trash_id, trash_dir: far, destination: null });

  it('gets a copy with all that belongs to it before the original goes, and gives it back', async () => {
    expect((await stat(far)).dev).not.toBe((await stat(place.root)).dev);
    await make('tree/deep/a');
    await chmod(place.path('tree/deep/a'), 0o640);
    await utimes(place.path('tree/deep/a'), 1_000, 2_000);
    await symlink('deep/a', place.path('tree/link'));
    await utimes(place.path('tree'), 3_000, 4_000);
    await make('single');
    const [tree, single] = [await sendFar('tree'), await sendFar('single')];
    expect((await readdir(place.root)).sort()).toEqual([]);
    for (const { trash_id } of [tree, single]) await restoreFar(trash_id);
    const file = await stat(place.path('tree/deep/a'));
    expect([file.mode & 0o777, file.mtimeMs, (await stat(place.path('tree'))).mtimeMs]).toEqual([
      0o640, 2_000_000, 4_000_000,
    ]);
    expect([await readlink(place.path('tree/link')), await text('tree/deep/a'), await text('single')]).toEqual([
      'deep/a',
      'tree/deep/a',
      'single',
    ]);
    expect([await readdir(far), (await readdir(place.root)).sort()]).toEqual([[], ['single', 'tree']]);
  });

  it('gets nothing of what cannot be copied, or changes meanwhile', async () => {
    await make('tree/a');
    execFileSync('mkfifo', [place.path('tree/pipe')]);
    expect((await failureOf(sendFar('tree'))).facts.code).toBe('SVC85022');
    await rm(place.path('tree/pipe'));
    const { files } = place.context;
    const stream = async function* (...args: Parameters<typeof files.stream>): AsyncGenerator<Uint8Array> {
      for await (const chunk of files.stream(...args)) {
        await appendFile(place.path('tree/new'), 'x');
        yield chunk;
      }
    };
    const busy = { ...place, context: { ...place.context, files: { ...files, stream } } };
    expect((await failureOf(sendFar('tree', busy))).facts.code).toBe('SVC86409');
    expect([(await readdir(place.path('tree'))).sort(), await readdir(far)]).toEqual([['a', 'new'], []]);
  });
});

it('leaves the thing where it is when the facts cannot be written', async () => {
  await make('a');
  const { files } = place.context;
  const write: typeof files.write = (path, ...rest) =>
    path.endsWith('.trashmeta.json')
      ? Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC', path }))
      : files.write(path, ...rest);
  const full = { ...place, context: { ...place.context, files: { ...files, write } } };
  expect((await failureOf(send('a', 'bin', full))).facts.code).toBe('SVC85005');
  expect([await text('a'), await readdir(place.path('bin'))]).toEqual(['a', []]);
  const rename: typeof files.rename = (from, to) =>
    from.endsWith('/a')
      ? Promise.reject(Object.assign(new Error('denied'), { code: 'EACCES', path: from }))
      : files.rename(from, to);
  const denied = { ...place, context: { ...place.context, files: { ...files, rename } } };
  expect((await failureOf(send('a', 'bin', denied))).facts.code).toBe('SVC85004');
  expect([await text('a'), await readdir(place.path('bin'))]).toEqual(['a', []]);
});
