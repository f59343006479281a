import { chmod, lstat, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { gio, lacksGvfs } from '../../../fixtures/gvfs.ts';
import { failureOf, openPlace, type Place } from '../call-here.ts';
import { trashCalls } from './trash-calls.ts';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.close());

const { send, list, restore, empty, make, text } = trashCalls(() => place);

describe('a trash can of the desktop', () => {
  it('holds files and info as the desktop lays them out', async () => {
    await make('in/ä b%.txt');
    const entry = await send('in/ä b%.txt', 'Trash');
    expect(entry).toMatchObject({ trash_id: 'ä b%.txt', path: place.path('Trash/files/ä b%.txt') });
    const info = await text('Trash/info/ä b%.txt.trashinfo');
    expect(info).toMatch(
      /^\[Trash Info\]\nPath=\/[^\n]*\/in\/%C3%A4%20b%25\.txt\nDeletionDate=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\n$/,
    );
    const at = /DeletionDate=(.*)/.exec(info)?.[1] ?? '';
    expect(new Date(at).getTime() / 1000).toBe(entry.trashed_at);
    expect(await list('Trash')).toEqual([entry]);
    expect((await lstat(place.path('Trash'))).mode & 0o777).toBe(0o700);
    await restore(entry.trash_id, undefined, 'Trash');
    expect(await text('in/ä b%.txt')).toBe('in/ä b%.txt');
    expect([await readdir(place.path('Trash/files')), await readdir(place.path('Trash/info'))]).toEqual([[], []]);
  });

  it('gives items of one name different ones, and keeps sizes of folders', async () => {
    for (let count = 1; count <= 3; count += 1) {
      await make(`${count}/a.tar.gz`);
      await send(`${count}/a.tar.gz`, 'Trash');
    }
    await make('big/tree/file', 'x'.repeat(5000));
    await send('big/tree', 'Trash');
    // Their order is that of seconds, of which another may begin between them.
    expect((await list('Trash')).map(({ trash_id }) => trash_id).toSorted()).toEqual([
      'a.tar.2.gz',
      'a.tar.3.gz',
      'a.tar.gz',
      'tree',
    ]);
    expect(await text('Trash/directorysizes')).toMatch(/^12288 \d+ tree\n$/);
    expect(await empty('Trash')).toBe(4);
    expect(await text('Trash/directorysizes')).toBe('');
  });

  it.skipIf(lacksGvfs())(
    'is that of gio, which lists what is thrown away here',
    async () => {
      const data = place.path('data');
      await writeFile(Buffer.concat([Buffer.from(`${place.root}/`), Buffer.from([0x66, 0xfe])]), 'raw');
      for (const name of ['plain.txt', 'ä b%23\\.txt', 'tree/deep/file', "quote'd\nline"]) await make(name);
      for (const name of ['plain.txt', 'ä b%23\\.txt', 'tree', "quote'd\nline", 'f\udcfe'])
        await send(name, 'data/Trash');
      const shown = gio(data, 'trash', '--list');
      // Bytes beyond ASCII, and control characters, are shown as \\xHH.
      for (const [id, name] of [
        ['plain.txt', 'plain.txt'],
        ['%C3%A4%20b%2523%5C.txt', '\\xc3\\xa4 b%23\\x5c.txt'],
        ['tree', 'tree'],
        ["quote'd%0Aline", "quote'd\\x0aline"],
        ['f%FE', 'f\\xfe'],
      ]) {
        expect(shown).toContain(`trash:///${id}\t${place.root}/${name}`);
      }
      expect(shown.length).toBe(5);
      expect(gio(data, 'info', '-a', 'trash::orig-path', 'trash:///tree').join()).toContain(
        `trash::orig-path: ${place.path('tree')}`,
      );
    },
    30_000,
  );

  it.skipIf(lacksGvfs())(
    'is that of gio, whose items come back here, and the other way round',
    async () => {
      const data = place.path('data');
      for (const name of ['in/a b.txt', 'in/ü', 'in/back']) await make(name);
      gio(data, 'trash', place.path('in/a b.txt'), place.path('in/ü'));
      const entries = await list('data/Trash');
      expect(entries.map(({ original }) => original).sort()).toEqual([place.path('in/a b.txt'), place.path('in/ü')]);
      expect(Math.abs((entries[0]?.trashed_at ?? 0) - Date.now() / 1000)).toBeLessThan(60);
      for (const { trash_id } of entries) await restore(trash_id, undefined, 'data/Trash');
      expect(await text('in/ü')).toBe('in/ü');
      await send('in/back', 'data/Trash');
      gio(data, 'trash', '--restore', 'trash:///back');
      expect(await text('in/back')).toBe('in/back');
      await send('in/back', 'data/Trash');
      gio(data, 'trash', '--empty');
      expect(await list('data/Trash')).toEqual([]);
    },
    30_000,
  );

  it('at the top of a file system counts paths from there, and takes nothing else', async () => {
    await make('top/in/a');
    await make('outside');
    const entry = await send('top/in/a', 'top/.Trash-1000');
    expect(await text('top/.Trash-1000/info/a.trashinfo')).toContain('\nPath=in/a\n');
    expect(await list('top/.Trash-1000')).toEqual([entry]);
    expect((await failureOf(send('outside', 'top/.Trash-1000'))).facts.code).toBe('SVC86411');
    await make(
      'top/.Trash-1000/info/evil.trashinfo',
      '[Trash Info]\nPath=../../outside\nDeletionDate=2024-01-01T00:00:00\n',
    );
    await make('top/.Trash-1000/files/evil');
    expect((await list('top/.Trash-1000')).find(({ trash_id }) => trash_id === 'evil')).toMatchObject({
      original: '',
      problem: 'its facts are missing or cannot be read',
    });
    await restore('a', undefined, 'top/.Trash-1000');
    expect(await text('top/in/a')).toBe('top/in/a');
  });

  it('in a shared folder needs the sticky bit, and no link', async () => {
    await make('top/a');
    await mkdir(place.path('top/.Trash'), { mode: 0o777 });
    expect((await failureOf(send('top/a', 'top/.Trash/1000'))).facts.code).toBe('SVC86419');
    await chmod(place.path('top/.Trash'), 0o1777);
    expect(await send('top/a', 'top/.Trash/1000')).toMatchObject({ path: place.path('top/.Trash/1000/files/a') });
    await make('other/b');
    await symlink(place.path('top/.Trash'), place.path('other/.Trash'));
    expect((await failureOf(send('other/b', 'other/.Trash/1000'))).facts.code).toBe('SVC86419');
  });

  it('reads what others write: more keys, other groups, no encoding, blanks', async () => {
    await make('Trash/files/a', 'a');
    await make(
      'Trash/info/a.trashinfo',
      '# note\n[Trash Info]\nX-Other=1\nPath = /tmp/some%20ünencoded%zz\nPath=/second\nDeletionDate=2024-07-01T12:00:00.5Z\n\n[Other]\nPath=/third\n',
    );
    await make('Trash/files/orphan', 'o');
    expect(await list('Trash')).toMatchObject([
      { trash_id: 'orphan', problem: 'its facts are missing or cannot be read' },
      {
        trash_id: 'a',
        original: '/tmp/some ünencoded%zz',
        trashed_at: new Date('2024-07-01T12:00:00').getTime() / 1000,
      },
    ]);
    await restore('orphan', 'orphan', 'Trash');
    expect(await text('orphan')).toBe('o');
  });
});
