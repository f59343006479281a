import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { memoryHost } from '#runtime/hosts/memory.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import type { Files } from '#schemas/types/host.ts';

let root = '';
let files: Files = nodeHost().files;
const at = (name: string): string => join(root, name);
const text = async (name: string): Promise<string> => new TextDecoder().decode(await files.read(at(name)));
const names = async (name = '.'): Promise<string[]> => (await files.list(at(name))).map((entry) => entry.name).sort();
const code = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: { code?: string }) => error.code,
  );

async function* chunks(...parts: (string | Error)[]): AsyncIterable<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield new TextEncoder().encode(part);
  }
}

async function collected(stream: AsyncIterable<Uint8Array>): Promise<string> {
  let all = '';
  for await (const chunk of stream) all += new TextDecoder().decode(chunk);
  return all;
}

const hosts = [
  [
    'real',
    (): Files => {
      root = mkdtempSync(join(tmpdir(), 'svc-host-'));
      return nodeHost().files;
    },
  ],
  [
    'in memory',
    (): Files => {
      root = '/work';
      return memoryHost().files;
    },
  ],
] as const;

describe.each(hosts)('files, %s', (kind, open) => {
  beforeEach(() => void (files = open()));
  afterEach(() => void (kind === 'real' && rmSync(root, { recursive: true, force: true })));

  test('what is written is read; nothing else is left', async () => {
    await files.write(at('a.txt'), 'one');
    await files.write(at('a.txt'), Uint8Array.from([0x32]));
    await files.write(at('b/c/d.txt'), 'x'.repeat(300_000), { parents: true });
    await files.append(at('a.txt'), '3');
    expect(await text('a.txt')).toBe('23');
    expect((await files.stat(at('b/c/d.txt'))).size).toBe(300_000);
    expect([await names(), await names('b/c')]).toEqual([['a.txt', 'b'], ['d.txt']]);
  });

  test('a stream becomes the target only when it has ended', async () => {
    await files.write(at('a.txt'), 'old');
    await expect(files.writeStream(at('a.txt'), chunks('half', new Error('broken')))).rejects.toThrow('broken');
    expect([await text('a.txt'), await names()]).toEqual(['old', ['a.txt']]);
    await files.writeStream(at('a.txt'), chunks('new ', 'text'));
    expect(await text('a.txt')).toBe('new text');
  });

  test('many files are copied over what is there, each with an outcome of its own', async () => {
    await files.write(at('s/a'), 'new', { parents: true });
    await files.write(at('s/b'), 'b');
    await files.setTimes(at('s/a'), 1_000, 2_000);
    await files.setMode(at('s/a'), 0o640);
    await files.write(at('outside'), 'old');
    await files.makeDirectory(at('t/b'), { recursive: true });
    await files.link('../outside', at('t/a'));
    const surveyed = (await files.survey(at('s'))).toSorted((one, other) => one.name.localeCompare(other.name));
    expect(surveyed.map(({ name, stat }) => [name, stat.kind, stat.size])).toEqual([
      ['a', 'file', 3],
      ['b', 'file', 1],
    ]);
    const outcomes = await files.copyMany(
      surveyed.map(({ name, stat }) => ({ from: at(`s/${name}`), to: at(`t/${name}`), seen: stat })),
    );
    expect(outcomes.map((outcome) => (outcome instanceof Error && 'code' in outcome ? outcome.code : outcome))).toEqual(
      ['copied', 'EISDIR'],
    );
    const { kind, mode, mtime_ms } = await files.lstat(at('t/a'));
    expect([kind, mode & 0o777, mtime_ms, await text('t/a'), await text('outside')]).toEqual([
      'file',
      0o640,
      2_000,
      'new',
      'old',
    ]);
    expect([await files.sameContent(at('s/a'), at('t/a')), await files.sameContent(at('s/a'), at('outside'))]).toEqual([
      true,
      false,
    ]);
    expect(files.isTemporary(files.temporaryBeside(at('s/a')).slice(at('s/').length))).toBe(true);
    await files.sweep(at('s'));
    expect(await names('s')).toEqual(['a', 'b']);
  });

  test('`exclusive` refuses what is there', async () => {
    await files.write(at('a.txt'), 'one', { exclusive: true });
    expect(await code(files.write(at('a.txt'), 'two', { exclusive: true }))).toBe('EEXIST');
    expect([await text('a.txt'), await names()]).toEqual(['one', ['a.txt']]);
  });

  test('permission bits stay, unless others are given', async () => {
    await files.write(at('a.txt'), 'one');
    await files.setMode(at('a.txt'), 0o640);
    await files.write(at('a.txt'), 'two');
    expect((await files.stat(at('a.txt'))).mode & 0o777).toBe(0o640);
    await files.write(at('a.txt'), 'three', { mode: 0o600 });
    expect((await files.stat(at('a.txt'))).mode & 0o777).toBe(0o600);
  });

  test('a symbolic link stays one, also one that leads nowhere yet', async () => {
    await files.write(at('a.txt'), 'one');
    await files.link('a.txt', at('link'));
    await files.write(at('link'), 'two');
    await files.link('later.txt', at('dangling'));
    await files.write(at('dangling'), 'three');
    expect([
      await text('a.txt'),
      await text('later.txt'),
      await files.readLink(at('link')),
      (await files.lstat(at('dangling'))).kind,
    ]).toEqual(['two', 'three', 'a.txt', 'symlink']);
  });

  test('errors have a code', async () => {
    await files.makeDirectory(at('folder'));
    await files.write(at('a.txt'), '');
    expect(
      await Promise.all([
        code(files.read(at('none'))),
        code(files.write(at('none/a'), '')),
        code(files.write(at('folder'), '')),
        code(files.read(at('folder'))),
        code(files.stat(at('a.txt/b'))),
        code(files.makeDirectory(at('folder'))),
        code(files.remove(at('none'))),
        code(files.list(at('none'))),
        code(files.rename(at('none'), at('x'))),
      ]),
    ).toEqual(['ENOENT', 'ENOENT', 'EISDIR', 'EISDIR', 'ENOTDIR', 'EEXIST', 'ENOENT', 'ENOENT', 'ENOENT']);
    expect([await files.find(at('none')), await files.find(at('a.txt/b'))]).toEqual([undefined, undefined]);
    // No file can be called so.
    expect(await files.find(at('a'.repeat(300)))).toBeUndefined();
    expect(await files.find(at('a/'.repeat(3000)))).toBeUndefined();
  });

  test('folders: made with parents, removed only when empty, or as a tree that follows no links', async () => {
    await files.makeDirectory(at('a/b/c'), { recursive: true });
    await files.makeDirectory(at('a/b/c'), { recursive: true });
    await files.write(at('outside.txt'), 'kept');
    await files.link('../outside.txt', at('a/link'));
    expect(await code(files.remove(at('a')))).toBe('ENOTEMPTY');
    await files.removeTree(at('a'));
    expect([await names(), await text('outside.txt')]).toEqual([['outside.txt'], 'kept']);
  });

  test('parts of a file', async () => {
    await files.write(at('a.txt'), '0123456789');
    const file = await files.open(at('a.txt'));
    expect([file.size, new TextDecoder().decode(await file.readAt(8, 5))]).toEqual([10, '89']);
    await file.close();
    expect(await collected(files.stream(at('a.txt'), { start: 2, end: 5 }))).toBe('234');
    expect(await collected(files.stream(at('a.txt'), { start: 5, end: 5 }))).toBe('');
  });

  test('copies carry bits, and times when asked', async () => {
    await files.write(at('a.txt'), 'one', { mode: 0o600 });
    await files.setTimes(at('a.txt'), 1_000_000_000_000, 1_000_000_000_000);
    await files.copy(at('a.txt'), at('b.txt'));
    await files.copy(at('a.txt'), at('c.txt'), { metadata: true });
    expect([(await files.stat(at('b.txt'))).mode & 0o777, (await files.stat(at('c.txt'))).mtime_ms]).toEqual([
      0o600, 1_000_000_000_000,
    ]);
    expect((await files.stat(at('b.txt'))).mtime_ms).not.toBe(1_000_000_000_000);
    expect(await names()).toEqual(['a.txt', 'b.txt', 'c.txt']);
  });

  test.each([3, 9 * 1024 * 1024])('a copy of %d bytes from before 1970 keeps its time', async (size) => {
    await files.write(at('a.txt'), new Uint8Array(size));
    await files.setTimes(at('a.txt'), -1000, -86_400_000);
    await files.copy(at('a.txt'), at('b.txt'), { metadata: true });
    expect((await files.stat(at('b.txt'))).mtime_ms).toBe(-86_400_000);
  });

  test('real paths go through links', async () => {
    await files.makeDirectory(at('a/b'), { recursive: true });
    await files.link('a/b', at('link'));
    await files.write(at('a/b/x'), '');
    expect(await files.realPath(at('link/x'))).toBe(await files.realPath(at('a/b/x')));
  });
});

describe('real files', () => {
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'svc-host-'));
    files = nodeHost().files;
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  test('an abort leaves the old content and no temporary file', async () => {
    await files.write(at('a.bin'), 'old');
    const controller = new AbortController();
    async function* slow(): AsyncIterable<Uint8Array> {
      yield new Uint8Array(100_000);
      controller.abort(new Error('stop'));
      yield new Uint8Array(100_000);
    }
    await expect(files.writeStream(at('a.bin'), slow(), { signal: controller.signal })).rejects.toThrow('stop');
    expect([await text('a.bin'), await names()]).toEqual(['old', ['a.bin']]);
  });

  test('a rename into a folder that is missing is told of that folder', async () => {
    await files.write(at('a.txt'), 'x');
    await expect(files.rename(at('a.txt'), at('none/b.txt'))).rejects.toMatchObject({
      code: 'ENOENT',
      path: at('none'),
    });
    await expect(files.rename(at('b.txt'), at('c.txt'))).rejects.toMatchObject({ code: 'ENOENT', path: at('b.txt') });
  });

  test.skipIf(process.getuid?.() !== 0)(
    'who may not read, or not write, is told of the path that this is about',
    async () => {
      await files.write(at('closed'), 'x');
      await files.setMode(at('closed'), 0);
      await files.write(at('open'), 'x');
      await files.makeDirectory(at('fixed'));
      await files.setMode(root, 0o777);
      await files.setMode(at('fixed'), 0o555);
      process.seteuid?.(65_534);
      try {
        await expect(files.copy(at('closed'), at('copy'))).rejects.toMatchObject({
          code: 'EACCES',
          path: at('closed'),
        });
        await expect(files.copy(at('open'), at('fixed/copy'))).rejects.toMatchObject({
          code: 'EACCES',
          path: at('fixed/copy'),
        });
        await expect(files.rename(at('open'), at('fixed/open'))).rejects.toMatchObject({
          code: 'EACCES',
          path: at('fixed/open'),
        });
      } finally {
        process.seteuid?.(0);
      }
    },
  );

  test('a device stays a device', async () => {
    await files.write('/dev/null', 'gone');
    expect((await files.stat('/dev/null')).kind).toBe('device');
  });

  test('a pipe keeps the bits that it has: a device, written to in the same way, would be taken from everybody else', async () => {
    execFileSync('mkfifo', ['-m', '644', at('pipe')]);
    const reading = readFile(at('pipe'));
    await files.write(at('pipe'), 'secret', { mode: 0o600, durable: true });
    await reading;
    expect((await files.stat(at('pipe'))).mode & 0o777).toBe(0o644);
  });

  test('a pipe takes content', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    const reading = new Promise<string>((resolve) => {
      void import('node:child_process').then(({ execFile }) =>
        execFile('cat', [at('pipe')], (_, stdout) => resolve(stdout)),
      );
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    await files.writeStream(at('pipe'), chunks('through'));
    expect([await reading, (await files.stat(at('pipe'))).kind]).toEqual(['through', 'fifo']);
  });

  test.each([10, 300_000])('who writes %i bytes into a pipe that nobody reads from can be stopped', async (length) => {
    execFileSync('mkfifo', [at('pipe')]);
    const controller = new AbortController();
    const writing = files.write(at('pipe'), 'x'.repeat(length), { signal: controller.signal });
    // Everything else goes on meanwhile.
    setTimeout(() => controller.abort(new Error('stop')), 1);
    await expect(writing).rejects.toThrow('stop');
  });

  test('a pipe that comes to be full takes the rest as it is read', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    const writing = files.write(at('pipe'), 'x'.repeat(1_000_000));
    const size = await new Promise<number>((resolve) =>
      execFile('sh', ['-c', 'wc -c < "$0"', at('pipe')], (_, stdout) => resolve(Number(stdout))),
    );
    await writing;
    expect(size).toBe(1_000_000);
  });

  test.runIf(existsSync('/dev/full'))('a device that takes no more is named', async () => {
    for (const length of [1, 300_000])
      await expect(files.write('/dev/full', 'x'.repeat(length))).rejects.toMatchObject({
        code: 'ENOSPC',
        path: '/dev/full',
      });
  });

  test.runIf(existsSync('/proc/version'))(
    'a file of the system that says it is empty is copied with what it holds',
    async () => {
      await files.copy('/proc/version', at('version'));
      expect(await text('version')).toBe(await readFile('/proc/version', 'utf8'));
    },
  );

  test('names that are not UTF-8 are listed, read, copied and removed', async () => {
    const raw = Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9]), Buffer.from('.txt')]);
    writeFileSync(raw, 'bytes');
    const [name] = await names();
    expect(name).toBe('caf\udce9.txt');
    expect(await text(name ?? '')).toBe('bytes');
    await files.copy(at(name ?? ''), at('copy.txt'));
    await files.rename(at(name ?? ''), at('\udcff.txt'));
    await files.remove(at('\udcff.txt'));
    expect(await names()).toEqual(['copy.txt']);
  });

  test('`durable` writes land too', async () => {
    await files.write(at('a.txt'), 'safe', { durable: true });
    expect([await text('a.txt'), await names()]).toEqual(['safe', ['a.txt']]);
  });

  test('many writers of one file never mix', async () => {
    const contents = Array.from({ length: 20 }, (_, index) => String(index % 10).repeat(200_000));
    await Promise.all(contents.map((content) => files.write(at('a.txt'), content)));
    expect([contents.includes(await text('a.txt')), await names()]).toEqual([true, ['a.txt']]);
  });
});
