import { createHash } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';
import type { Backend, Entry } from '#stdlib/files/backends/backend.ts';
import { folderOf } from '#stdlib/files/backends/remote-path.ts';
import { copyFile } from '#stdlib/files/backends/transfer/copy-file.ts';
import { copyTree, planTree } from '#stdlib/files/backends/transfer/copy-tree.ts';
import { memoryBackend, memoryStore } from '#stdlib/files/backends/near/memory.ts';

import { ownTime } from '../../fixtures/own-time.ts';
import { describeTroubles } from './faults.ts';
import { describeResumed } from './resumed.ts';
import {
  bytesOf,
  content,
  failureNamed,
  listAll,
  noUploads,
  pieces,
  readAll,
  tools,
  zeros,
  type StorageService,
} from './service.ts';

const encoder = new TextEncoder();
/** Whether bytes are the same: to compare digests of them takes ten times as long. */
const isSame = (some: Uint8Array, others: Uint8Array): boolean => Buffer.compare(some, others) === 0;
const signal = new AbortController().signal;
const options = { signal };

const names: readonly (readonly [what: string, name: string])[] = [
  ['a plain name', 'plain.txt'],
  ['blanks', 'with two  blanks.txt'],
  ['a blank at the beginning', ' leading.txt'],
  ['a blank at the end', 'trailing '],
  ['a percent sign', '100%.txt'],
  ['an escape', 'a%20b%2Fc.txt'],
  ['a hash', 'a#b.txt'],
  ['a question mark', 'what?.txt'],
  ['an ampersand and an equals sign', 'a&b=c.txt'],
  ['a plus sign', 'a+b.txt'],
  ['a semicolon and a comma', 'a;b,c.txt'],
  ['a colon', 'a:b.txt'],
  ['quotes', `it's "so".txt`],
  ['a backslash', 'a\\b.txt'],
  ['angle brackets', 'a<b>c.txt'],
  ['brackets and braces', '[a]{b}(c).txt'],
  ['stars', 'a*b.txt'],
  ['a dollar and a backtick', '$HOME`x`.txt'],
  ['a pipe and a tilde', '~a|b.txt'],
  ['a leading dot', '.hidden'],
  ['two leading dots', '..two'],
  ['three dots', '...'],
  ['a dot at the end', 'ends.'],
  ['a leading dash', '-rf'],
  ['an at sign and an exclamation mark', 'a@b!.txt'],
  ['composed accents', 'caf\u00e9.txt'],
  ['decomposed accents', 'cafe\u0301.txt'],
  ['letters of other alphabets', 'Ωμέγα-мир-世界.txt'],
  ['characters beyond the first plane', '🎉𝒳.txt'],
  ['letters from right to left', 'שלום.txt'],
  ['200 letters', `${'n'.repeat(196)}.txt`],
  ['capital letters', 'ReadMe.TXT'],
];

/** Suite that every backend must pass, whatever it speaks. */
export function describeBackend(name: string, start: () => Promise<StorageService>): void {
  describe(`the backend ${name}`, { shuffle: false }, () => {
    let service: StorageService;
    let backend: Backend;
    let count = 0;
    let own = '';
    beforeAll(async () => {
      service = await start();
      backend = service.backend;
    }, 60_000);
    afterAll(async () => {
      await service[Symbol.asyncDispose]();
    });
    /** A fresh folder for one test. */
    const fresh = async (): Promise<string> => {
      own = `${service.top}/t${(count += 1)}`;
      await backend.makeFolder(own, options);
      return own;
    };
    const put = async (path: string, text: string | Uint8Array): Promise<void> => {
      await backend.write(path, content(typeof text === 'string' ? encoder.encode(text) : text), options);
    };

    describe('names', () => {
      test.each(names)('holds %s', async (_what, file) => {
        if (service.cannotHold?.(file)) return;
        const folder = await fresh();
        const path = `${folder}/${file}`;
        await put(path, `content of ${file}`);
        expect(new TextDecoder().decode(await readAll(backend, path))).toBe(`content of ${file}`);
        expect(await backend.stat(path, options)).toMatchObject({ kind: 'file', path, name: file });
        expect((await listAll(backend, folder)).map((entry) => [entry.path, entry.name])).toEqual([[path, file]]);
        await backend.remove(path, options);
        expect(await backend.stat(path, options)).toBeUndefined();
        expect(await listAll(backend, folder)).toEqual([]);
      });

      test('tells both forms of an accent apart, or takes them for one', async () => {
        const folder = await fresh();
        await put(`${folder}/caf\u00e9`, 'one');
        await put(`${folder}/cafe\u0301`, 'other');
        const found = (await listAll(backend, folder)).map((entry) => entry.name);
        expect([1, 2]).toContain(found.length);
        if (found.length === 2)
          expect(new TextDecoder().decode(await readAll(backend, `${folder}/caf\u00e9`))).toBe('one');
      });

      test.each(['a\nb', 'a\rb', 'a\0b'])('refuses %j before anything is sent', async (file) => {
        if (service.takesLines) return;
        const folder = await fresh();
        expect(await failureNamed(backend.write(`${folder}/${file}`, content(encoder.encode('x')), options))).toBe(
          'storage-path',
        );
        expect(await listAll(backend, folder)).toEqual([]);
      });

      test('holds folders with such names', async () => {
        const folder = await fresh();
        for (const part of ['a b', '100%', '#1', 'é', '.dot'])
          if (!service.cannotHold?.(part)) {
            await backend.makeFolder(`${folder}/${part}/in`, options);
            await put(`${folder}/${part}/in/file`, part);
            expect(new TextDecoder().decode(await readAll(backend, `${folder}/${part}/in/file`))).toBe(part);
          }
      });
    });

    describe('content', () => {
      test.each([0, 1, 255, 65_536, 262_144, 262_145, 1_000_000, 8_388_608, 8_388_609, 20_000_000])(
        'holds %i bytes',
        async (size) => {
          const folder = await fresh();
          const bytes = bytesOf(size);
          const stored = await backend.write(`${folder}/file`, content(bytes), options);
          if (stored.size !== undefined) expect(stored.size).toBe(size);
          const entry = await backend.stat(`${folder}/file`, options);
          expect(entry?.size).toBe(size);
          const { digest } = backend.can;
          if (entry?.digest !== undefined && digest !== undefined && nodeHost().digest(digest))
            expect(entry.digest).toBe(createHash(digest).update(bytes).digest('hex'));
          expect(isSame(await readAll(backend, `${folder}/file`), bytes)).toBe(true);
        },
        30_000,
      );

      test('is taken before the next piece is asked for, which may overwrite it', async () => {
        const folder = await fresh();
        const size = 80 * 262_144;
        const shared = new Uint8Array(262_144);
        const body = (async function* () {
          for (let index = 0; index < 80; index += 1) yield shared.fill(index + 1);
          shared.fill(0);
        })();
        await backend.write(`${folder}/file`, { size, body }, options);
        const bytes = await readAll(backend, `${folder}/file`);
        const wrong = bytes.findIndex((byte, at) => byte !== Math.floor(at / 262_144) + 1);
        expect([bytes.length, wrong]).toEqual([size, -1]);
      }, 30_000);

      const holdsMuch = async (): Promise<void> => {
        if (!service.takesLarge) return;
        const path = `${await fresh()}/file`;
        const [size, last] = [5 * 1024 ** 3, encoder.encode('the end')];
        const before = process.memoryUsage().rss;
        await backend.write(path, { size, body: zeros(size, last) }, options);
        expect((await backend.stat(path, options))?.size).toBe(size);
        const from = backend.can.ranges ? size - 1_000_000 : 0;
        const reading = await backend.read(path, { ...options, from });
        let [read, end]: [number, Uint8Array] = [from, new Uint8Array()];
        for await (const piece of reading.body) {
          read += piece.length;
          end = Buffer.concat([end, piece.subarray(-last.length)]).subarray(-last.length);
        }
        expect([read, new TextDecoder().decode(end)]).toEqual([size, 'the end']);
        expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 ** 2);
        await backend.remove(path, options);
      };
      // None is skipped in CI, which has no time for it.
      if (process.env['SVC_TEST_FULL']) test('holds 5 GiB, in constant memory', holdsMuch, 600_000);

      test.each([1, 100, 65_536, 299_999, 300_000])('is read from byte %i on', async (from) => {
        if (!backend.can.ranges) return;
        const folder = await fresh();
        const bytes = bytesOf(300_000);
        await put(`${folder}/file`, bytes);
        if (from === bytes.length) return;
        expect(isSame(await readAll(backend, `${folder}/file`, from), bytes.subarray(from))).toBe(true);
      });

      test('that ends with a failure is not taken for whole', async () => {
        const path = `${await fresh()}/file`;
        const body = (async function* () {
          yield* pieces(bytesOf(200_000));
          throw new Error('the source is gone');
        })();
        expect(await failureNamed(backend.write(path, { size: 300_000, body }, options))).not.toBe('no failure');
        if (!backend.can.rename) expect(await backend.stat(path, options)).toBeUndefined();
      });

      test('is replaced as a whole', async () => {
        const folder = await fresh();
        await put(`${folder}/file`, bytesOf(500_000));
        await put(`${folder}/file`, 'short');
        expect(new TextDecoder().decode(await readAll(backend, `${folder}/file`))).toBe('short');
        await put(`${folder}/file`, '');
        expect(await readAll(backend, `${folder}/file`)).toHaveLength(0);
      });

      test('grows where it was left', async () => {
        if (!backend.can.append) return;
        const folder = await fresh();
        const bytes = bytesOf(700_000);
        await put(`${folder}/file`, bytes.subarray(0, 300_001));
        const rest = { size: bytes.length, body: pieces(bytes.subarray(300_001)), from: 300_001 };
        await backend.write(`${folder}/file`, rest, options);
        expect(isSame(await readAll(backend, `${folder}/file`), bytes)).toBe(true);
      });

      test('stays what it was where nothing may be replaced', async () => {
        if (!backend.can.exclusive) return;
        const folder = await fresh();
        await put(`${folder}/file`, 'first');
        const again = backend.write(`${folder}/file`, content(encoder.encode('second'), { exclusive: true }), options);
        expect(await failureNamed(again)).toMatch(/storage-exists|path-taken|EEXIST/);
        expect(new TextDecoder().decode(await readAll(backend, `${folder}/file`))).toBe('first');
        await backend.write(`${folder}/other`, content(encoder.encode('new'), { exclusive: true }), options);
      });

      test('stops being read without harm', async () => {
        const folder = await fresh();
        await put(`${folder}/file`, bytesOf(3_000_000));
        for (let round = 0; round < 5; round += 1) {
          const reading = await backend.read(`${folder}/file`, options);
          for await (const piece of reading.body) if (piece.length > 0) break;
          reading.close();
        }
        expect((await readAll(backend, `${folder}/file`)).length).toBe(3_000_000);
      });

      test('is whole when several write it at once', async () => {
        const folder = await fresh();
        const to = { backend, path: `${folder}/file` };
        const source = memoryBackend(memoryStore(), () => 1);
        const sizes = [200_000, 300_000, 400_000, 500_000];
        for (const size of sizes) await source.write(`f${size}`, content(bytesOf(size)), options);
        await Promise.all(sizes.map((size) => copyFile(tools(), { backend: source, path: `f${size}` }, to)));
        const found = await readAll(backend, `${folder}/file`);
        if (!service.mixesWriters) expect(isSame(found, bytesOf(found.length))).toBe(true);
        expect(sizes).toContain(found.length);
        expect((await listAll(backend, folder)).map((entry) => entry.name)).toEqual(['file']);
      });
    });

    describe('folders and listings', () => {
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
          await put(`${folder}/${path}`, path);
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
          await put(`${folder}/${part}/file`, part);
        }
        expect((await listAll(backend, `${folder}/ab`, true)).map((entry) => entry.path)).toEqual([
          `${folder}/ab/file`,
        ]);
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
        await put(`${folder}/a/file`, 'x');
        expect(await failureNamed(backend.remove(`${folder}/a`, options))).toMatch(
          /storage-folder-not-empty|ENOTEMPTY/,
        );
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
        await put(`${folder}/f`, 'x');
        expect(await failureNamed(readAll(backend, `${folder}/a`))).toMatch(/folder|EISDIR/);
        expect(await failureNamed(listAll(backend, `${folder}/f`))).toMatch(/not-folder|not-a-folder|ENOTDIR/);
      });

      test('lists many over several pages', async () => {
        const folder = await fresh();
        const many = service.pageSize ?? 1050;
        const all = Array.from({ length: many }, (_, at) => `f${String(at).padStart(5, '0')}`);
        let next = 0;
        const work = async (): Promise<void> => {
          for (let file = all[next++]; file !== undefined; file = all[next++]) await put(`${folder}/${file}`, '');
        };
        if (service.fill) await service.fill(folder, all);
        else await Promise.all(Array.from({ length: 16 }, work));
        expect((await listAll(backend, folder)).map((entry) => entry.name).sort()).toEqual(all);
      }, 60_000);
    });

    describe('times and moves', () => {
      test.each([0, 1_000_000_000_000, 1_700_000_000_123])(
        'keeps the time %i, or says that it does not',
        async (time) => {
          const folder = await fresh();
          await backend.write(`${folder}/file`, content(encoder.encode('x'), { mtime_ms: time }), options);
          const { times } = backend.can;
          if (times !== false) await backend.setTime?.(`${folder}/file`, time, options);
          const { mtime_ms } = (await backend.stat(`${folder}/file`, options)) ?? {};
          if (times === false) expect(Math.abs((mtime_ms ?? Date.now()) - Date.now())).toBeLessThan(3_600_000);
          else expect(Math.abs((mtime_ms ?? -1) - time)).toBeLessThanOrEqual(times);
        },
      );

      test('renames over what is there', async () => {
        if (!backend.can.rename) return;
        const folder = await fresh();
        await put(`${folder}/old name`, 'new');
        await put(`${folder}/100%`, 'old');
        await backend.rename?.(`${folder}/old name`, `${folder}/100%`, options);
        expect((await listAll(backend, folder)).map((entry) => entry.name)).toEqual(['100%']);
        expect(new TextDecoder().decode(await readAll(backend, `${folder}/100%`))).toBe('new');
      });
    });

    describe('trouble', () => {
      describeTroubles(() => service, fresh);
    });

    describe('an upload in parts', () => {
      describeResumed(() => service, fresh);
    });

    describe('transfers', () => {
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
          await put(`${folder}/file`, 'what was there');
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
          await copyFile(
            tools({ hurries: true }),
            { backend: source, path: 'file' },
            { backend, path: `${folder}/file` },
          );
          expect(isSame(await readAll(backend, `${folder}/file`), bytesOf(3_000_000))).toBe(true);
          await backend.close();
          service.cut(bytes);
          const target = memoryBackend(memoryStore(), () => 1);
          await copyFile(
            tools({ hurries: true }),
            { backend, path: `${folder}/file` },
            { backend: target, path: 'back' },
          );
          service.cut();
          expect(isSame(await readAll(target, 'back'), bytesOf(3_000_000))).toBe(true);
          expect((await listAll(backend, folder)).map((entry) => entry.name)).toEqual(['file']);
        },
        20_000,
      );

      test('refuses to replace where that was asked for', async () => {
        const folder = await fresh();
        const source = await memory(10);
        await put(`${folder}/file`, 'first');
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
        await put(`${folder}/tree/extra`, 'x');
        for (const path of ['a', 'b c/d', 'b c/e/f']) await source.remove(path, options);
        expect(await failureNamed(planTree(tools(), from, to, { deletes: true }))).toBe('storage-deletes-too-much');
        const deleting = await planTree(tools(), from, to, { deletes: true, maxDelete: 4 });
        await copyTree(tools(), from, to, deleting, { deletes: true });
        const left = (await listAll(backend, `${folder}/tree`, true)).filter((entry) => entry.kind === 'file');
        expect(left.map((entry) => entry.path.slice(folder.length + 6))).toEqual(['ü/%']);
      });
    });
  });
}
