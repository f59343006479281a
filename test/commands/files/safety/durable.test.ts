import { existsSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { makeFailing } from '../failing-calls.ts';
import { session, type Session } from '../../session.ts';

/** A file system of its own where there is one in memory, for what is moved from one to another. */
const elsewhere = '/dev/shm';

let root = '';
let other = '';
let unit: Session;
const at = (name: string): string => join(root, name);
const key = 'ab'.repeat(32);
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-durable-'));
  if (existsSync(elsewhere)) other = await mkdtemp(join(elsewhere, 'svc-durable-'));
  unit = await session({ root });
  await writeFile(at('plain'), 'content '.repeat(50_000));
});
afterEach(async () => {
  await unit.end();
  for (const folder of [root, other]) if (folder !== '') await rm(folder, { recursive: true });
  other = '';
});

interface Flushed {
  /** Names of calls up to the one that gives the file its name, and behind it. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** The calls of one command, around the last rename or link to a name. */
async function callsOf(name: string, params: object, target: RegExp): Promise<Flushed> {
  const watched = await makeFailing('/', 0);
  try {
    watched.begin();
    await unit.call(name, params as Readonly<Record<string, unknown>>);
    watched.end();
  } finally {
    watched.restore();
  }
  const { calls } = watched;
  const turn = calls.findLastIndex(({ name: call, path }) => /^(?:rename|link)/.test(call) && target.test(path));
  expect(turn, JSON.stringify(calls.map(({ name: call, path }) => `${call} ${path}`))).toBeGreaterThan(-1);
  return {
    before: calls.slice(0, turn).map(({ name: call }) => call),
    after: calls.slice(turn + 1).map(({ name: call }) => call),
  };
}

/** Content is on the disk before the name is, and the name before the command ends. */
function expectFlushed({ before, after }: Flushed): void {
  const written = Math.max(...['write', 'writev', 'writeSync'].map((name) => before.lastIndexOf(name)));
  const flushed = Math.max(...['sync', 'datasync', 'fsyncSync'].map((name) => before.lastIndexOf(name)));
  expect(flushed, before.join(' ')).toBeGreaterThan(written);
  expect(
    after.some((name) => name === 'fsyncSync' || name === 'sync'),
    after.join(' '),
  ).toBe(true);
}

it('what is encrypted, and what is decrypted, is on the disk when the command ends', async () => {
  expectFlushed(await callsOf('FA_encrypt_file', { source: at('plain'), target: at('x.enc'), key }, /x\.enc/));
  expectFlushed(await callsOf('FA_decrypt_file', { source: at('x.enc'), target: at('again'), key }, /again/));
  expect(await readFile(at('again'), 'utf8')).toBe(await readFile(at('plain'), 'utf8'));
});

it('a version that was saved, and one that was brought back, is on the disk when the command ends', async () => {
  expectFlushed(await callsOf('FA_version_save', { root: at('versions'), path: at('plain') }, /versions/));
  await writeFile(at('plain'), 'changed');
  const restored = await callsOf(
    'FA_version_restore',
    { root: at('versions'), path: at('plain'), version: 1 },
    /plain|\.tmp$/,
  );
  expectFlushed(restored);
});

it.skipIf(!existsSync(elsewhere) || statSync(elsewhere).dev === statSync(tmpdir()).dev)(
  'what goes into a trash can on another file system, and what comes back, is on that disk before the original goes',
  async () => {
    const sent = await watch('FA_trash_send', { path: at('plain'), trash_dir: join(other, 'can') });
    expectSafe(sent);
    const [entry] = (await unit.call('FA_trash_list', { trash_dir: join(other, 'can') })) as { trash_id: string }[];
    const back = await watch('FA_trash_restore', { trash_id: entry?.trash_id, trash_dir: join(other, 'can') });
    expectSafe(back);
    expect(existsSync(at('plain'))).toBe(true);
  },
);

async function watch(
  name: string,
  params: object,
): Promise<readonly { readonly name: string; readonly path: string }[]> {
  const watched = await makeFailing('/', 0);
  try {
    watched.begin();
    await unit.call(name, params as Readonly<Record<string, unknown>>);
    watched.end();
  } finally {
    watched.restore();
  }
  return watched.calls;
}

/** Between the last byte of the copy and the removal of the original lie a flush of the content and one of its folder. */
function expectSafe(calls: readonly { readonly name: string; readonly path: string }[]): void {
  const told = calls.map(({ name, path }) => `${name} ${path}`).join('\n');
  const names = calls.map(({ name }) => name);
  const copied = Math.max(
    ...['write', 'writev', 'writeSync', 'copyFile', 'copyFileSync'].map((name) => names.lastIndexOf(name)),
  );
  const named = names.findLastIndex((name) => /^(?:rename|link)/.test(name));
  const gone = names.findLastIndex((name) => /^(?:unlink|rm)/.test(name));
  const between = names.slice(0, gone);
  expect(gone, told).toBeGreaterThan(-1);
  expect(
    between.slice(0, named).some((name) => /sync/i.test(name)),
    told,
  ).toBe(true);
  expect(
    between.slice(named).some((name) => name === 'fsyncSync' || name === 'sync'),
    told,
  ).toBe(true);
  expect(copied < gone, told).toBe(true);
}
