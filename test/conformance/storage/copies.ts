import { beforeAll, expect, test } from 'vitest';

import type { Backend } from '#stdlib/files/backends/backend.ts';
import { memoryBackend, memoryStore } from '#stdlib/files/backends/near/memory.ts';
import { folderOf } from '#stdlib/files/backends/remote-path.ts';
import { copyFile } from '#stdlib/files/backends/transfer/copy-file.ts';
import { copyTree, planTree } from '#stdlib/files/backends/transfer/copy-tree.ts';

import { ownTime } from '../../fixtures/own-time.ts';
import {
  bytesOf,
  content,
  failureNamed,
  listAll,
  noUploads,
  put,
  readAll,
  tools,
  type StorageService,
} from './service.ts';

const encoder = new TextEncoder();
/** Whether bytes are the same: to compare digests of them takes ten times as long. */
const isSame = (some: Uint8Array, others: Uint8Array): boolean => Buffer.compare(some, others) === 0;
const options = { signal: new AbortController().signal };

/** Copies of files and trees between backends: whole, cut off, cancelled, gone on with. */
export function describeCopies(started: () => StorageService, fresh: () => Promise<string>): void {
  let service: StorageService;
  let backend: Backend;
  beforeAll(() => {
    service = started();
    ({ backend } = service);
  });

  const memory = async (size: number): Promise<Backend> => {
    const source = memoryBackend(memoryStore(), () => 1_600_000_000_000);
    await source.write('file', content(bytesOf(size)), options);
    return source;
  };

  test.each([0, 1, 300_000, 9_000_000])('copies %i bytes there and back', async (size) => {
    const folder = await fresh();
    const source = await memory(size);
    let moved = 0;
    const watched = tools({ onBytes: (bytes) => (moved += bytes) });
    await copyFile(watched, { backend: source, path: 'file' }, { backend, path: `${folder}/file` });
    expect(moved).toBe(size);
    const target = memoryBackend(memoryStore(), () => 1);
    await copyFile(tools(), { backend, path: `${folder}/file` }, { backend: target, path: 'back' });
    expect(isSame(await readAll(target, 'back'), bytesOf(size))).toBe(true);
    expect((await listAll(backend, folder)).map((entry) => entry.name)).toEqual(['file']);
  });

  test.each([0, 1, 262_144, 1_000_000, 8_500_000])(
    'leaves nothing when it is cancelled after %i bytes',
    async (bytes) => {
      const folder = await fresh();
      await put(backend, `${folder}/file`, 'what was there');
      const source = await memory(9_000_000);
      const controller = new AbortController();
      let moved = 0;
      let taken = (): number => 0;
      const stop = (): void => {
        if (controller.signal.aborted) return;
        taken = ownTime();
        controller.abort(new Error('stopped'));
      };
      const watched = tools({
        signal: controller.signal,
        uploads: noUploads,
        onBytes: (more) => {
          moved += more;
          if (moved >= bytes) stop();
        },
      });
      if (bytes === 0) stop();
      await expect(
        copyFile(watched, { backend: source, path: 'file' }, { backend, path: `${folder}/file` }),
      ).rejects.toThrow('stopped');
      expect(taken()).toBeLessThan(1000);
      expect(new TextDecoder().decode(await readAll(backend, `${folder}/file`))).toBe('what was there');
      // A part may go a little later: its removal needs a connection of its own.
      await expect
        .poll(async () => (await listAll(backend, folder)).map((entry) => entry.name), { timeout: 5000 })
        .toEqual(['file']);
    },
    20_000,
  );

  test.each([1, 5000, 100_000, 1_000_000, 2_500_000])(
    'goes on when the connection is cut after %i bytes',
    async (bytes) => {
      if (!service.cut) return;
      const folder = await fresh();
      const source = await memory(3_000_000);
      await backend.close();
      service.cut(bytes);
      await copyFile(tools({ hurries: true }), { backend: source, path: 'file' }, { backend, path: `${folder}/file` });
      expect(isSame(await readAll(backend, `${folder}/file`), bytesOf(3_000_000))).toBe(true);
      await backend.close();
      service.cut(bytes);
      const target = memoryBackend(memoryStore(), () => 1);
      await copyFile(tools({ hurries: true }), { backend, path: `${folder}/file` }, { backend: target, path: 'back' });
      service.cut();
      expect(isSame(await readAll(target, 'back'), bytesOf(3_000_000))).toBe(true);
      expect((await listAll(backend, folder)).map((entry) => entry.name)).toEqual(['file']);
    },
    20_000,
  );

  test('refuses to replace where that was asked for', async () => {
    const folder = await fresh();
    const source = await memory(10);
    await put(backend, `${folder}/file`, 'first');
    const copy = copyFile(
      tools(),
      { backend: source, path: 'file' },
      { backend, path: `${folder}/file` },
      { exclusive: true },
    );
    expect(await failureNamed(copy)).toMatch(/storage-exists|path-taken|EEXIST/);
    expect(new TextDecoder().decode(await readAll(backend, `${folder}/file`))).toBe('first');
  });

  test('sends no file to where a folder is named', async () => {
    const folder = await fresh();
    const to = { backend, path: `${folder}/none/` };
    const source = await memory(10);
    const copy = (): Promise<unknown> => copyFile(tools(), { backend: source, path: 'file' }, to);
    if (!backend.can.folders) return void (await copy());
    expect(await failureNamed(copy())).toBe('storage-path');
    expect(await listAll(backend, folder)).toEqual([]);
  });

  test('goes on with a tree where an earlier call ended, and sends again what has changed', async () => {
    const folder = await fresh();
    let time = 1_600_000_000_000;
    const source = memoryBackend(memoryStore(), () => time);
    const send = (path: string, text: string) => source.write(path, content(encoder.encode(text)), options);
    for (const path of ['changed', 'grown', 'sent']) await send(path, 'first');
    const [from, to] = [
      { backend: source, path: '' },
      { backend, path: `${folder}/tree` },
    ];
    await copyTree(tools(), from, to, await planTree(tools(), from, to, { resume: true }), { resume: true });
    // Where neither digests nor times are kept, what is newer than the copy is taken for changed.
    time = Date.now() + 3_600_000;
    for (const [path, text] of [
      ['changed', 'other'],
      ['grown', 'first and more'],
      ['missing', 'last'],
    ] as const)
      await send(path, text);
    const plan = await planTree(tools(), from, to, { resume: true });
    expect(plan.files.map(({ name }) => name)).toEqual(['changed', 'grown', 'missing']);
    const done = await copyTree(tools(), from, to, plan, { resume: true });
    expect(done).toEqual({ copied: ['changed', 'grown', 'missing'], failed: [] });
    expect(new TextDecoder().decode(await readAll(backend, `${folder}/tree/changed`))).toBe('other');
    expect((await listAll(backend, `${folder}/tree`)).map(({ name }) => name).sort()).toEqual([
      'changed',
      'grown',
      'missing',
      'sent',
    ]);
  });

  test('copies a tree, and deletes no more than it may', async () => {
    const folder = await fresh();
    const source = memoryBackend(memoryStore(), () => 1);
    for (const path of ['a', 'b c/d', 'b c/e/f', 'ü/%']) {
      await source.makeFolder(folderOf(path), options);
      await source.write(path, content(encoder.encode(path)), options);
    }
    const [from, to] = [
      { backend: source, path: '' },
      { backend, path: `${folder}/tree` },
    ];
    const plan = await planTree(tools(), from, to, {});
    expect(plan.files.map((file) => file.name)).toEqual(['a', 'b c/d', 'b c/e/f', 'ü/%']);
    const done = await copyTree(tools(), from, to, plan);
    expect(done).toEqual({ copied: ['a', 'b c/d', 'b c/e/f', 'ü/%'], failed: [] });
    expect(new TextDecoder().decode(await readAll(backend, `${folder}/tree/b c/e/f`))).toBe('b c/e/f');
    await put(backend, `${folder}/tree/extra`, 'x');
    for (const path of ['a', 'b c/d', 'b c/e/f']) await source.remove(path, options);
    expect(await failureNamed(planTree(tools(), from, to, { deletes: true }))).toBe('storage-deletes-too-much');
    const deleting = await planTree(tools(), from, to, { deletes: true, maxDelete: 4 });
    await copyTree(tools(), from, to, deleting, { deletes: true });
    const left = (await listAll(backend, `${folder}/tree`, true)).filter((entry) => entry.kind === 'file');
    expect(left.map((entry) => entry.path.slice(folder.length + 6))).toEqual(['ü/%']);
  });
}
