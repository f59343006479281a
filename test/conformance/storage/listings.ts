import { beforeAll, expect, test } from 'vitest';

import type { Backend, Entry } from '#stdlib/files/backends/backend.ts';
import { folderOf } from '#stdlib/files/backends/remote-path.ts';

import { failureNamed, listAll, put, readAll, type StorageService } from './service.ts';

const options = { signal: new AbortController().signal };

/** Folders and what they list, also over many pages. */
export function describeListings(started: () => StorageService, fresh: () => Promise<string>): void {
  let service: StorageService;
  let backend: Backend;
  beforeAll(() => {
    service = started();
    ({ backend } = service);
  });

  test('knows what is not there', async () => {
    const folder = await fresh();
    expect(await backend.stat(`${folder}/nothing`, options)).toBeUndefined();
    expect(await backend.stat(`${folder}/no/thing`, options)).toBeUndefined();
    expect(await failureNamed(readAll(backend, `${folder}/nothing`))).toMatch(/storage-not-found|ENOENT/);
    if (backend.can.tellsAbsent)
      expect(await failureNamed(backend.remove(`${folder}/nothing`, options))).toBe('storage-not-found');
    else await backend.remove(`${folder}/nothing`, options);
  });

  test('lists folders and files, one level or all', async () => {
    const folder = await fresh();
    for (const path of ['a.txt', 'sub/b.txt', 'sub/deep/c.txt']) {
      await backend.makeFolder(folderOf(`${folder}/${path}`), options);
      await put(backend, `${folder}/${path}`, path);
    }
    const shown = (entries: readonly Entry[]): string[] =>
      entries.map((entry) => `${entry.kind} ${entry.path.slice(folder.length + 1)}`).sort();
    expect(shown(await listAll(backend, folder))).toEqual(['file a.txt', 'folder sub']);
    const deep = shown(await listAll(backend, folder, true));
    expect(deep.filter((line) => line.startsWith('file'))).toEqual([
      'file a.txt',
      'file sub/b.txt',
      'file sub/deep/c.txt',
    ]);
    if (backend.can.folders)
      expect(deep.filter((line) => line.startsWith('folder'))).toEqual(['folder sub', 'folder sub/deep']);
    expect((await listAll(backend, `${folder}/`)).map((entry) => entry.path).sort()).toEqual([
      `${folder}/a.txt`,
      `${folder}/sub`,
    ]);
  });

  test('takes no folder for one that only begins like it', async () => {
    const folder = await fresh();
    for (const part of ['ab', 'abc', 'a']) {
      await backend.makeFolder(`${folder}/${part}`, options);
      await put(backend, `${folder}/${part}/file`, part);
    }
    expect((await listAll(backend, `${folder}/ab`, true)).map((entry) => entry.path)).toEqual([`${folder}/ab/file`]);
  });

  test('makes folders with those above, and again', async () => {
    if (!backend.can.folders) return;
    const folder = await fresh();
    await backend.makeFolder(`${folder}/a/b/c`, options);
    await backend.makeFolder(`${folder}/a/b/c`, options);
    expect(await backend.stat(`${folder}/a/b`, options)).toMatchObject({ kind: 'folder' });
    expect(await listAll(backend, `${folder}/a/b/c`)).toEqual([]);
  });

  test('removes a folder only when it is empty', async () => {
    if (!backend.can.folders) return;
    const folder = await fresh();
    await backend.makeFolder(`${folder}/a`, options);
    await put(backend, `${folder}/a/file`, 'x');
    expect(await failureNamed(backend.remove(`${folder}/a`, options))).toMatch(/storage-folder-not-empty|ENOTEMPTY/);
    await backend.remove(`${folder}/a/file`, options);
    await backend.remove(`${folder}/a`, options);
    expect(await backend.stat(`${folder}/a`, options)).toBeUndefined();
  });

  test('says that a folder that is missing is missing', async () => {
    if (!backend.can.folders) return;
    const folder = await fresh();
    expect(await failureNamed(listAll(backend, `${folder}/none`))).toMatch(/storage-not-found|ENOENT/);
  });

  test('does not read a folder as a file, and does not list a file', async () => {
    if (!backend.can.folders) return;
    const folder = await fresh();
    await backend.makeFolder(`${folder}/a`, options);
    await put(backend, `${folder}/f`, 'x');
    expect(await failureNamed(readAll(backend, `${folder}/a`))).toMatch(/folder|EISDIR/);
    expect(await failureNamed(listAll(backend, `${folder}/f`))).toMatch(/not-folder|not-a-folder|ENOTDIR/);
  });

  test('lists many over several pages', async () => {
    const folder = await fresh();
    const many = service.pageSize ?? 1050;
    const all = Array.from({ length: many }, (_, at) => `f${String(at).padStart(5, '0')}`);
    let next = 0;
    const work = async (): Promise<void> => {
      for (let file = all[next++]; file !== undefined; file = all[next++]) await put(backend, `${folder}/${file}`, '');
    };
    if (service.fill) await service.fill(folder, all);
    else await Promise.all(Array.from({ length: 16 }, work));
    expect((await listAll(backend, folder)).map((entry) => entry.name).sort()).toEqual(all);
  }, 60_000);
}
