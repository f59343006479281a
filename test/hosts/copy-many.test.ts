import * as fs from 'node:fs';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';
import { makeCopier } from '#runtime/hosts/node/copy/copier.ts';
import type { CopyOutcome, FileCopy } from '#schemas/types/host.ts';

const { files } = nodeHost();
let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-copies-'));
  for (const name of ['from', 'to']) mkdirSync(join(root, name));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function copies(): Promise<FileCopy[]> {
  const entries = await files.survey(join(root, 'from'));
  return entries.map(({ name, stat }) => ({ from: `${root}/from/${name}`, to: `${root}/to/${name}`, seen: stat }));
}

function copyAll(jobs: readonly FileCopy[], signal?: AbortSignal): Promise<readonly CopyOutcome[]> {
  return files.copyMany(jobs, { ...(signal && { signal }) });
}

function fill(count: number): void {
  for (let index = 0; index < count; index += 1)
    writeFileSync(join(root, 'from', `f${index}`), `${index}`.repeat(index % 50));
}

describe('copyMany', () => {
  test.each([3, 999, 2500])('%d files: content, permission bits and times, and nothing else is left', async (count) => {
    fill(count);
    chmodSync(join(root, 'from/f1'), 0o4750);
    utimesSync(join(root, 'from/f2'), 5, 1_000_000.5);
    // Before 1970, and after 2038.
    utimesSync(join(root, 'from/f0'), new Date(-90_000), new Date(-86_401_500));
    if (count > 3) utimesSync(join(root, 'from/f3'), 2 ** 31, 2 ** 32 + 0.25);
    expect(new Set(await copyAll(await copies()))).toEqual(new Set(['copied']));
    expect(readdirSync(join(root, 'to')).sort()).toEqual(readdirSync(join(root, 'from')).sort());
    for (const name of readdirSync(join(root, 'from')))
      expect(readFileSync(join(root, 'to', name), 'utf8')).toBe(readFileSync(join(root, 'from', name), 'utf8'));
    expect((statSync(join(root, 'to/f1')).mode & 0o7777).toString(8)).toBe('4750');
    expect(statSync(join(root, 'to/f2')).mtimeMs).toBe(1_000_000_500);
    expect(statSync(join(root, 'to/f0')).mtimeMs).toBe(-86_401_500);
    if (count > 3) expect(statSync(join(root, 'to/f3')).mtimeMs).toBe(2 ** 32 * 1000 + 250);
  });

  test('outcomes stand in the order of the copies, also over threads and with names that are bytes', async () => {
    fill(2500);
    const jobs = await copies();
    writeFileSync(Buffer.from(`${root}/from/\xff`, 'latin1'), 'bytes');
    const [bytes] = (await copies()).filter(({ from }) => from.endsWith('\udcff'));
    jobs.splice(1700, 0, bytes as FileCopy);
    const failing = new Map([
      [7, 'gone'],
      [2300, 'gone'],
      [2490, 'folder'],
    ]);
    for (const [index, what] of failing) {
      const { from, to } = jobs[index] as FileCopy;
      if (what === 'gone') rmSync(from);
      else mkdirSync(to);
    }
    const outcomes = await copyAll(jobs);
    const bad = outcomes.flatMap((outcome, index) =>
      outcome === 'copied' ? [] : [[index, (outcome as { code?: string }).code, (outcome as { path?: string }).path]],
    );
    expect(bad).toEqual([
      [7, 'ENOENT', jobs[7]?.from],
      [2300, 'ENOENT', jobs[2300]?.from],
      [2490, 'EISDIR', jobs[2490]?.to],
    ]);
    expect(readdirSync(join(root, 'to'), { encoding: 'buffer' })).toHaveLength(2501 - 2);
  });

  test('ends soon when it is told to, in threads too, and leaves no temporary file', async () => {
    fill(2500);
    const jobs = await copies();
    for (let delay = 0; delay < 48; delay += 6) {
      const stopped = new AbortController();
      const timer = setTimeout(() => stopped.abort(new Error('enough')), delay);
      await copyAll(jobs, stopped.signal).catch((error: unknown) => expect(error).toEqual(new Error('enough')));
      clearTimeout(timer);
      expect(readdirSync(join(root, 'to')).filter((name) => files.isTemporary(name))).toEqual([]);
    }
  });

  test('replaces a link itself, and refuses a source that is none of those that were seen', async () => {
    fill(3);
    const jobs = await copies();
    writeFileSync(join(root, 'outside'), 'outside');
    symlinkSync('../outside', join(root, 'to/f1'));
    rmSync(join(root, 'from/f2'));
    symlinkSync('../outside', join(root, 'from/f2'));
    const outcomes = await copyAll(jobs);
    expect(
      outcomes.map((outcome) => (outcome instanceof Error ? (outcome as { code?: string }).code : outcome)),
    ).toEqual(['copied', 'copied', 'ELOOP']);
    expect([
      lstatSync(join(root, 'to/f1')).isFile(),
      readFileSync(join(root, 'outside'), 'utf8'),
      readdirSync(join(root, 'to')),
    ]).toEqual([true, 'outside', ['f0', 'f1']]);
  });

  test('gives up on a source that is being written all the time, and leaves the target as it was', async () => {
    writeFileSync(join(root, 'from/f'), 'x'.repeat(3 << 20));
    writeFileSync(join(root, 'to/f'), 'old');
    const jobs = await copies();
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
      writeFileSync(join(root, 'from/f'), 'y'.repeat((3 << 20) + ticks));
    }, 1);
    const busy = await files.copyMany(jobs.map((job) => ({ ...job, seen: { ...job.seen, mtime_ms: 1 } })));
    clearInterval(timer);
    expect(['changed', 'copied']).toContain(busy[0]);
    expect(readdirSync(join(root, 'to'))).toEqual(['f']);
    expect(['old', 'y'.repeat(statSync(join(root, 'to/f')).size), 'x'.repeat(3 << 20)]).toContain(
      readFileSync(join(root, 'to/f'), 'utf8'),
    );
  });
});

describe('a copier whose n-th call fails', () => {
  type Calls = Parameters<typeof makeCopier>[0];

  /** The calls of the system, the n-th of which fails with EIO. */
  function failingAt(n: number): { readonly calls: Calls; readonly failed: () => string | undefined } {
    let count = 0;
    let failed: string | undefined;
    const calls = Object.fromEntries(
      Object.entries(fs).map(([name, call]) => [
        name,
        typeof call !== 'function'
          ? call
          : (...given: unknown[]): unknown => {
              // Removing what is left and closing are how it cleans up after the failure.
              if (!/^(?:close|unlink)/.test(name) && (count += 1) === n) {
                failed = name;
                throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
              }
              return (call as (...args: unknown[]) => unknown)(...given);
            },
      ]),
    );
    return { calls: calls as unknown as Calls, failed: () => failed };
  }

  test.each([
    ['small', 100, 0],
    ['large', 700_000, 0],
    ['sparse', 300_000, 2_000_000],
  ])('leaves a %s target old or new, and nothing else', (_, size, hole) => {
    const [from, to] = [join(root, 'from/f'), join(root, 'to/f')];
    writeFileSync(from, 'n'.repeat(size));
    fs.truncateSync(from, size + hole);
    chmodSync(from, 0o600);
    const seen = statSync(from);
    const failed = new Set<string>();
    for (let n = 1; ; n += 1) {
      writeFileSync(to, 'old');
      const { calls, failed: failure } = failingAt(n);
      const steps = makeCopier(calls, { prefix: '.t-', durable: true, umask: 0o022 })({
        from,
        to,
        size: seen.size,
        mtimeMs: seen.mtimeMs,
        mode: 0o644,
        realFrom: '',
        realTo: '',
      });
      let step = steps.next();
      while (step.done !== true) step = steps.next();
      expect(readdirSync(join(root, 'to'))).toEqual(['f']);
      const name = failure();
      if (name === undefined) {
        expect([step.value, readFileSync(to).equals(readFileSync(from)), statSync(to).mode & 0o777]).toEqual([
          'copied',
          true,
          0o600,
        ]);
        break;
      }
      failed.add(name);
      expect(step.value).toMatchObject({ code: 'EIO' });
      expect(readFileSync(to, 'utf8')).toBe('old');
    }
    expect([...failed]).toEqual(
      expect.arrayContaining([
        'openSync',
        'readSync',
        'writeSync',
        'fstatSync',
        'fchmodSync',
        'futimesSync',
        'fsyncSync',
        'renameSync',
      ]),
    );
  });
});

describe('survey and sameContent', () => {
  test('a survey follows no link and knows names that are bytes', async () => {
    symlinkSync('nowhere', join(root, 'from/link'));
    writeFileSync(Buffer.from(`${root}/from/\xff`, 'latin1'), 'bytes');
    mkdirSync(join(root, 'from/folder'));
    const found = (await files.survey(join(root, 'from'))).map(({ name, stat }) => `${name} ${stat.kind}`).sort();
    expect(found).toEqual(['folder directory', 'link symlink', '\udcff file']);
    await expect(files.survey(join(root, 'none'))).rejects.toMatchObject({ code: 'ENOENT', path: join(root, 'none') });
  });

  test.each([
    ['', ''],
    ['a', 'b'],
    ['a', 'a'],
    ['a', 'ab'],
    ['x'.repeat(600_000), 'x'.repeat(600_000)],
    ['x'.repeat(600_000), `${'x'.repeat(599_999)}y`],
    ['x'.repeat(262_144), 'x'.repeat(262_145)],
  ])('content is compared to the last byte', async (one, other) => {
    writeFileSync(join(root, 'one'), one);
    writeFileSync(join(root, 'other'), other);
    expect(await files.sameContent(join(root, 'one'), join(root, 'other'))).toBe(one === other);
  });
});
