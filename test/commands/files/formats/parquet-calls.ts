import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach } from 'vitest';

import { session, type Session } from '../../session.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Commands of Parquet in a folder and a unit of its own for each test of the file. */
export function parquetCalls() {
  const place = {} as { root: string; unit: Session };
  beforeEach(async () => {
    place.root = await mkdtemp(join(tmpdir(), 'svc-parquet-'));
    place.unit = await session();
  });
  afterEach(async () => {
    await place.unit.end();
    await rm(place.root, { recursive: true, force: true });
  });
  const path = (name = 'file.parquet'): string => join(place.root, name);
  const write = (records: readonly Row[], params: Row = {}): Promise<unknown> =>
    place.unit.call('FA_parquet_write', { path: path(), records, ...params });
  const read = async (params: Row = {}): Promise<readonly Row[]> =>
    (await place.unit.call('FA_parquet_read', { path: path(), ...params })) as readonly Row[];
  return { place, path, write, read };
}
