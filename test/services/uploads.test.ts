import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { ownIdentity } from '#runtime/services/file-locks/process-identity.ts';
import type { Uploads } from '#runtime/services/uploads/port.ts';
import { provider } from '#runtime/services/uploads/service.ts';

import { unitContext } from '../fixtures/unit-context.ts';

const { signal } = new AbortController();
const key = { place: 'sftp://host', path: 'a', source: 'one' };
const identity = 'sftp://host';
let root: string;
const ends: (() => Promise<void>)[] = [];
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), 'svc-uploads-'))));
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  await rm(root, { recursive: true, force: true });
});

async function unit(): Promise<{ readonly uploads: Uploads; readonly end: () => Promise<void> }> {
  const { context, end } = unitContext();
  ends.push(end);
  return { uploads: await provider.open({ ...context, folders: { cwd: root, root, here: root } }), end };
}
const folder = (): string => join(root, '.svc', 'uploads');
const names = (): Promise<string[]> => readdir(folder()).catch(() => []);

describe('the note of an upload', () => {
  test('is one unit’s alone, and comes back in a later one', async () => {
    const [one, other] = [await unit(), await unit()];
    const held = await one.uploads.take(key, signal);
    expect(held?.note).toBeUndefined();
    expect(await other.uploads.take(key, signal)).toBeUndefined();
    expect(await other.uploads.take({ ...key, source: 'two' }, signal)).toBeDefined();
    await held?.keep({ session: 'x' });
    await held?.end();
    const again = await other.uploads.take(key, signal);
    expect(again?.note).toEqual({ session: 'x' });
    await again?.forget();
    await again?.end();
    expect((await one.uploads.take(key, signal))?.note).toBeUndefined();
  });

  test('is let go by the end of a unit', async () => {
    const one = await unit();
    await (await one.uploads.take(key, signal))?.keep({ session: 'x' });
    await one.end();
    expect((await (await unit()).uploads.take(key, signal))?.note).toEqual({ session: 'x' });
  });

  test('can be read by nobody else, and is nothing that git would take', async () => {
    const held = await (await unit()).uploads.take(key, signal);
    await held?.keep({ session: 'https://host/secret' });
    await held?.end();
    const [name = ''] = await names();
    expect((await stat(join(folder(), name))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(root, '.svc', '.gitignore'), 'utf8')).toBe('*\n');
  });

  test.each(['', 'x', '{}', '{"v":1}', '{"v":2,"place":"p","path":"a","at":1,"note":{}}'])(
    'that is broken (%j) is none',
    async (text) => {
      const held = await (await unit()).uploads.take(key, signal);
      await held?.keep({ session: 'x' });
      await held?.end();
      const [name = ''] = await names();
      await writeFile(join(folder(), name), text);
      const later = await unit();
      expect(await later.uploads.left('sftp://host')).toEqual({ uploads: [], parts: [] });
      expect((await later.uploads.take(key, signal))?.note).toBeUndefined();
    },
  );

  test.each([
    [6, 0],
    [8, 1],
  ])('that nobody has touched for %i days is handed out %i times as left', async (days, count) => {
    const held = await (await unit()).uploads.take(key, signal);
    await held?.keep({ session: 'x' });
    await held?.end();
    const [name = ''] = await names();
    const path = join(folder(), name);
    const note = JSON.parse(await readFile(path, 'utf8')) as { at: number };
    await writeFile(path, JSON.stringify({ ...note, at: note.at - days * 24 * 3_600_000 }));
    const { uploads } = await unit();
    expect((await uploads.left('elsewhere')).uploads).toEqual([]);
    const { uploads: left } = await uploads.left('sftp://host');
    expect(left.map((one) => [one.path, one.note])).toEqual(count === 0 ? [] : [['a', { session: 'x' }]]);
    for (const one of left) await one.forget();
    expect(await names()).toHaveLength(1 - count);
    expect((await uploads.left('sftp://host')).uploads).toEqual([]);
  });
});

describe('the folders with parts of a unit', () => {
  const left = async (): Promise<readonly string[]> =>
    (await (await unit()).uploads.left(identity)).parts.map((part) => part.folder);

  test('are noted once each, and forgotten with the unit', async () => {
    const one = await unit();
    const marks = [await one.uploads.mark(identity, 'a'), await one.uploads.mark(identity, 'b')];
    await one.uploads.mark(identity, 'a');
    expect(new Set(marks).size).toBe(1);
    expect(marks[0]).toMatch(/^[0-9a-f]{16}$/);
    expect((await readFile(join(folder(), `parts-${marks[0]}`), 'utf8')).trim().split('\n')).toHaveLength(3);
    expect(await left()).toEqual([]);
    await one.end();
    expect(await names()).toEqual([]);
  });

  test('of a process that has died are handed out, for one place at a time', async () => {
    const one = await unit();
    const mark = await one.uploads.mark(identity, 'a');
    await one.uploads.mark(identity, 'b');
    await one.uploads.mark('elsewhere', 'c');
    const path = join(folder(), `parts-${mark}`);
    const dead = spawnSync(process.execPath, ['-e', 'process.stdout.write(String(process.pid))'], { encoding: 'utf8' });
    const text = await readFile(path, 'utf8');
    const own = JSON.stringify(ownIdentity());
    const gone = JSON.stringify({ ...ownIdentity(), pid: Number(dead.stdout), started: '1' });
    await writeFile(path, `${text.replace(own, gone)}{"place":"sftp://ho`);
    const { uploads } = await unit();
    const { parts } = await uploads.left(identity);
    expect(parts.map((part) => [part.folder, part.mark])).toEqual([
      ['a', mark],
      ['b', mark],
    ]);
    for (const part of parts) await part.forget();
    expect(await left()).toEqual([]);
    const [other] = (await (await unit()).uploads.left('elsewhere')).parts;
    expect(other?.folder).toBe('c');
    await other?.forget();
    expect(await names()).toEqual([]);
  });

  test('outlive the unit where a part could not be removed', async () => {
    const one = await unit();
    const mark = await one.uploads.mark(identity, 'a');
    one.uploads.leavesPart({ gone: Promise.resolve(false), stop: () => {} });
    await one.end();
    expect(await names()).toEqual([`parts-${mark}`]);
    // The next unit of the same process removes it.
    const [part] = (await (await unit()).uploads.left(identity)).parts;
    expect(part).toMatchObject({ folder: 'a', mark });
    await part?.forget();
    expect(await names()).toEqual([]);
  });

  test.each([true, false])('wait for removals that the end of the unit stops, which succeeded: %s', async (isGone) => {
    const one = await unit();
    const mark = await one.uploads.mark(identity, 'a');
    const removal = Promise.withResolvers<boolean>();
    one.uploads.leavesPart({ gone: removal.promise, stop: () => removal.resolve(isGone) });
    await one.end();
    expect(await names()).toEqual(isGone ? [] : [`parts-${mark}`]);
  });

  test('need no note', async () => {
    await writeFile(join(root, '.svc'), 'a file in the way');
    const { uploads, end } = await unit();
    expect(await uploads.mark(identity, 'a')).toMatch(/^[0-9a-f]{16}$/);
    expect(await uploads.left(identity)).toEqual({ uploads: [], parts: [] });
    await expect(uploads.take(key, signal)).rejects.toThrow('.svc');
    await end();
  });
});
