import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { session, type Session } from '../../session.ts';
import { services } from './services.ts';

const there = Object.entries(services).filter(([, { lacks }]) => !lacks?.());
const pairs = there.flatMap(([from]) => there.map(([to]) => [from, to] as const));
/** Larger than a piece of any backend, and no text. */
const content = Buffer.from(Array.from({ length: 300_001 }, (_, index) => (index * 31) % 251));
const name = 'ä b#1%.bin';

describe('FA_copy_between', () => {
  const tops = new Map<string, string>();
  const ending = new AsyncDisposableStack();
  let unit: Session;
  const at = (service: string, file: string): string => `${tops.get(service)}${file}`;
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-pairs-'));
    ending.defer(() => rm(folder, { recursive: true, force: true }));
    unit = await session({ root: folder, settings: { gates: { private: true } } });
    ending.defer(() => unit.end());
    await writeFile(join(folder, 'source.bin'), content);
    for (const [service, { start }] of there) {
      const { top, login, server } = await start(folder);
      if (server) ending.use(server);
      tops.set(service, top);
      if (login) await unit.call(...login);
      await unit.call('FA_copy_between', {
        source: join(folder, 'source.bin'),
        target: at(service, name),
      });
    }
  });
  afterAll(() => ending.disposeAsync());

  test.each(pairs)('copies from %s to %s, byte for byte', async (from, to) => {
    const target = at(to, `pairs/from ${from}, ${name}`);
    expect(await unit.call('FA_copy_between', { source: at(from, name), target })).toBe(true);
    const digest = createHash('sha256').update(content).digest('hex');
    expect(await unit.call('FA_file_checksum', { path: target })).toBe(digest);
  });
});
