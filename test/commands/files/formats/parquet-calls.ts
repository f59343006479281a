import { join } from 'node:path';

import type { Session } from '../../session.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Folder of the files, and unit of the calls. */
interface Place {
  readonly root: string;
  readonly unit: Session;
}

/** Commands of Parquet in the place of the test that runs, which is asked for at each call. */
export function parquetCalls(place: () => Place) {
  const path = (name = 'file.parquet'): string => join(place().root, name);
  const write = (records: readonly Row[], params: Row = {}): Promise<unknown> =>
    place().unit.call('FA_parquet_write', { path: path(), records, ...params });
  const read = async (params: Row = {}): Promise<readonly Row[]> =>
    (await place().unit.call('FA_parquet_read', { path: path(), ...params })) as readonly Row[];
  return { path, write, read };
}
