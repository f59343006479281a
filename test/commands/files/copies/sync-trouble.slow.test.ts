import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, stat, statfs, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FA_sync_dir } from '#stdlib/files/copies/sync/sync.ts';

import { call, openPlace, type Place } from '../call-here.ts';
import { lacks } from '../../../fixtures/programs.ts';
import { plain } from './sync-calls.ts';

const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
let place: Place;
beforeEach(async () => void (place = await openPlace({ base: memory })));
// Deeper than a path can say, so Node cannot remove it.
afterEach(() => void execFileSync('rm', ['-rf', place.root]));

async function make(files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(place.path(name)), { recursive: true });
    await writeFile(place.path(name), content);
    await utimes(place.path(name), 1_600_000_000, 1_600_000_000);
  }
}

async function sync(
  options: {
    readonly dst?: string;
    readonly delete?: boolean;
    readonly dry_run?: boolean;
    readonly max_delete?: number;
  } = {},
) {
  return call(FA_sync_dir, place, { src: place.path('s'), dst: place.path('t'), ...plain, ...options });
}

async function temporaries(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).filter((name) => place.context.files.isTemporary(basename(name)));
}

/** A small file system of its own at a folder; undefined where this user may not make one. */
function mounted(options: string): { readonly path: string; remount(how: string): void; close(): void } | undefined {
  const path = mkdtempSync(join(tmpdir(), 'svc-mount-'));
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path]);
  if (status !== 0) {
    console.warn(`no mount: a test of synchronizing is skipped (${stderr.toString().trim()})`);
    execFileSync('rmdir', [path]);
    return undefined;
  }
  return {
    path,
    remount: (how) => void execFileSync('mount', ['-o', `remount,${how}`, path]),
    close: () => void execFileSync('sh', ['-c', 'umount "$1" && rmdir "$1"', 'sh', path]),
  };
}

/** As a user without special rights. Yields undefined where this user cannot become one, and is none. */
async function unprivileged<Result>(work: () => Promise<Result>): Promise<Result> {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

describe('FA_sync_dir in trouble', () => {
  it('a full disk: errors that say so, old files whole, and the rest when there is room', async () => {
    const disk = mounted('size=1m');
    if (disk === undefined) return;
    try {
      await make({ 's/a': 'a', 's/big': Buffer.alloc(3 << 20, 1), 's/old': Buffer.alloc(700_000, 2), 's/z': 'z' });
      const dst = join(disk.path, 't');
      await mkdir(dst);
      await writeFile(join(dst, 'old'), Buffer.alloc(600_000, 3));
      const { copied, errors } = await sync({ dst });
      expect([copied, errors]).toEqual([
        ['a', 'z'],
        ['big', 'old'].map((name) => [name, `"${join(dst, name)}": there is no space left.`]),
      ]);
      expect((await readFile(join(dst, 'old'))).equals(Buffer.alloc(600_000, 3))).toBe(true);
      expect(await temporaries(dst)).toEqual([]);
      disk.remount('size=10m');
      expect(await sync({ dst })).toMatchObject({ copied: ['big', 'old'], errors: [] });
    } finally {
      disk.close();
    }
  });

  it('a target that cannot be written to', async () => {
    const disk = mounted('size=1m');
    if (disk === undefined) return;
    try {
      await make({ 's/a': 'a', 's/sub/b': 'b' });
      await writeFile(join(disk.path, 'old'), 'o');
      disk.remount('ro');
      const { copied, errors } = await sync({ dst: disk.path, delete: true, max_delete: 9 });
      expect([copied, errors.map(([name]) => name)]).toEqual([[], ['.', 'a', 'old', 'sub']]);
      expect(new Set(errors.map(([, message]) => message.replace(/^".*"/, '')))).toEqual(
        new Set([': the file system is read-only.']),
      );
    } finally {
      disk.close();
    }
  });

  it('permission denied: what may not be read is told of and nothing is deleted; what may not be written stays', async () => {
    await make({
      's/a': 'a',
      's/secret': 'x',
      's/closed/b': 'b',
      't/a': 'old',
      't/secret': 'older',
      't/closed/b': 'older',
      't/extra': 'e',
      't/more': 'm',
    });
    for (const name of ['', 't', 's', 't/closed']) await chmod(place.path(name), 0o777);
    await chmod(place.path('s/secret'), 0o000);
    await chmod(place.path('s/closed'), 0o000);
    const denied = (name: string): [string, string] => [name, `"${place.path('s', name)}": permission denied.`];
    const first = await unprivileged(() => sync({ delete: true }));
    expect(first.errors).toContainEqual(denied('secret'));
    expect(first.errors).toContainEqual(denied('closed'));
    expect(first).toMatchObject({ copied: ['a'], deleted: [] });
    expect([
      await readFile(place.path('t/secret'), 'utf8'),
      await readFile(place.path('t/closed/b'), 'utf8'),
      await readFile(place.path('t/extra'), 'utf8'),
    ]).toEqual(['older', 'older', 'e']);
    await chmod(place.path('s/closed'), 0o755);
    await chmod(place.path('s/secret'), 0o644);
    await chmod(place.path('t/closed'), 0o555);
    const second = await unprivileged(() => sync({ delete: true }));
    // Where this user owns nothing it cannot open the folder; as the owner it may.
    if (process.geteuid?.() === 0) expect(second.errors.map(([name]) => name)).toContain('closed/b');
    else expect(second.copied).toContain('closed/b');
    expect(await temporaries(place.path('t'))).toEqual([]);
  });

  it.skipIf(lacks('python3'))(
    'folders deeper than a path can say: an error there, all above is copied',
    async () => {
      const deep =
        'import os, sys\nos.makedirs(sys.argv[1])\nos.chdir(sys.argv[1])\nfor level in range(4096):\n  open("f", "w").close()\n  os.mkdir("d")\n  os.chdir("d")\n';
      execFileSync('python3', ['-c', deep, place.path('s')]);
      await make({ 't/extra': 'e', 't/f': '' });
      const { copied, deleted, errors } = await sync({ delete: true });
      const longest = Math.max(...copied.map((name) => place.path('s', name).length));
      expect([copied.length > 1900, longest > 4000 && longest < 4096, deleted]).toEqual([true, true, []]);
      // The names of temporary files are longer than those of the last few files.
      const [kept, ...long] = errors;
      expect([kept?.[0], long.length > 0 && long.length < 30]).toEqual(['.', true]);
      expect(long.every(([, message]) => message.endsWith('": the name is too long for this file system.'))).toBe(true);
    },
    60_000,
  );

  it('a folder that vanishes while it is being looked at and copied', async () => {
    for (let round = 0; round < 20; round += 1) {
      await rm(place.path('s'), { recursive: true, force: true });
      await rm(place.path('t'), { recursive: true, force: true });
      const files = Array.from(
        { length: 200 },
        (_, index) => [`s/d${index % 10}/e${index % 20}/f${index}`, 'x'] as const,
      );
      await make(Object.fromEntries(files));
      const [result] = await Promise.all([
        sync({ delete: true }),
        new Promise((resolve) => setTimeout(resolve, round / 4)).then(() =>
          rm(place.path('s/d3'), { recursive: true, force: true, maxRetries: 5 }),
        ),
      ]);
      expect(result.copied.filter((name) => !name.startsWith('d3')).length).toBe(180);
      expect(result.errors.every(([name]) => name.startsWith('d3') || name === '.')).toBe(true);
      expect(await temporaries(place.path('t'))).toEqual([]);
    }
  }, 60_000);

  it('a folder that a link replaces while files are copied into it', async () => {
    await make({ 's/d/a': 'a', 'outside/keep': 'k' });
    await mkdir(place.path('t'));
    await symlink('../outside', place.path('t/d'));
    await sync();
    expect([await readdir(place.path('outside')), (await stat(place.path('t/d'))).isDirectory()]).toEqual([
      ['keep'],
      true,
    ]);
  });

  const count = process.env['SVC_TEST_FULL'] ? 200_000 : 50_000;
  it(`${count} files in one folder, with memory for their names`, async () => {
    const { bavail, bsize, ffree } = await statfs(memory);
    if (ffree < 2 * count || bavail * bsize < 1 << 30)
      return console.warn(`no room for ${2 * count} files in ${memory}: a test of synchronizing is skipped`);
    execFileSync('sh', [
      '-c',
      'mkdir "$1" && cd "$1" && seq -f f%06g 1 "$2" | xargs touch -d 2020-01-01',
      'sh',
      place.path('s'),
      String(count),
    ]);
    const before = process.memoryUsage().rss;
    const first = await sync();
    expect([first.copied.length, first.errors]).toEqual([count, []]);
    const second = await sync();
    expect([second.skipped.length, second.copied]).toEqual([count, []]);
    expect((process.memoryUsage().rss - before) / count).toBeLessThan(4000);
  }, 300_000);
});
