import { existsSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
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
const key = Buffer.alloc(32, 7).toString('base64');
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

interface Seen {
  readonly name: string;
  readonly path: string;
}

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

it('the path that versions belong to is on the disk before the first of them', async () => {
  const calls = await watch('FA_version_save', { root: at('versions'), path: at('plain') });
  expectNamedSafely(
    calls,
    calls.findIndex(({ name, path }) => name === 'rename' && /path\.json/.test(path)),
  );
});

it.each(['can', 'Trash'])(
  'a trash can (%s) knows a thing on the disk before it goes, and has it there before the command ends',
  async (can) => {
    await mkdir(at('thing'));
    const calls = await watch('FA_trash_send', { path: at('thing'), trash_dir: at(can) });
    const gone = calls.findIndex(({ name, path }) => name === 'rename' && path === at('thing'));
    expectNamedSafely(
      calls.slice(0, gone),
      calls.findIndex(({ name, path }) => name === 'link' && /\.trash(?:meta\.json|info)/.test(path)),
    );
    expectFolderFlushed(calls, gone);
    const [entry] = (await unit.call('FA_trash_list', { trash_dir: at(can) })) as { trash_id: string }[];
    const back = await watch('FA_trash_restore', { trash_id: entry?.trash_id, trash_dir: at(can) });
    expectFolderFlushed(
      back,
      back.findIndex(({ name, path }) => name === 'rename' && path.startsWith(at(can))),
    );
    expect(existsSync(at('thing'))).toBe(true);
  },
);

it.skipIf(!existsSync(elsewhere) || statSync(elsewhere).dev === statSync(tmpdir()).dev)(
  'what goes into a trash can on another file system, and what comes back, is on that disk before the original goes',
  async () => {
    const sent = await watch('FA_trash_send', { path: at('plain'), trash_dir: join(other, 'can') });
    expectSafe(sent, other);
    const [entry] = (await unit.call('FA_trash_list', { trash_dir: join(other, 'can') })) as { trash_id: string }[];
    const back = await watch('FA_trash_restore', { trash_id: entry?.trash_id, trash_dir: join(other, 'can') });
    expectSafe(back, root);
    expect(existsSync(at('plain'))).toBe(true);
  },
);

async function watch(name: string, params: object): Promise<readonly Seen[]> {
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

/** Expects a flush of the content before the call that gives a file its name, and one of its folder behind that. */
function expectNamedSafely(calls: readonly Seen[], named: number): void {
  const opened = calls.slice(0, Math.max(named, 0)).findLastIndex(({ name }) => name === 'open');
  expect(calls.slice(opened, named).some(({ name }) => name === 'sync')).toBe(true);
  expectFolderFlushed(calls, named);
}

function expectFolderFlushed(calls: readonly Seen[], named: number): void {
  expect(named).toBeGreaterThan(-1);
  expect(calls.slice(named).some(({ name }) => name === 'fsyncSync')).toBe(true);
}

/**
 * Expects, between the last byte of the copy and the end of the original, a flush of the content, its name, and
 * a flush of its folder.
 */
function expectSafe(calls: readonly Seen[], into: string): void {
  const told = calls.map(({ name, path }) => `${name} ${path}`).join('\n');
  const isFlush = ({ name }: Seen): boolean => /^(?:sync|datasync|fsyncSync)$/.test(name);
  const copied = calls.findLastIndex(({ name }) => name === 'write' || name === 'writev');
  const named = calls.findIndex(({ name, path }, at) => at > copied && name === 'rename' && path.startsWith(into));
  const gone = calls.findIndex(
    ({ name, path }, at) => at > named && /^(?:rename|unlink|rm)/.test(name) && path !== '' && !path.startsWith(into),
  );
  expect(copied < named && named < gone, told).toBe(true);
  expect(calls.slice(copied, named).some(isFlush), told).toBe(true);
  expect(calls.slice(named, gone).some(isFlush), told).toBe(true);
}
