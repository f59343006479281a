import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { failureOf, session } from '../call.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-downloads-'));
});
afterAll(() => rm(root, { recursive: true }));

it('takes no file that a browser writes first for a download, unless its ending is asked for', async () => {
  await using unit = await session({ root });
  const wait = (suffix?: string): Promise<unknown> =>
    unit.call('WR_wait_for_download', { directory: root, before: [], timeout: 0.1, poll_seconds: 0.01, suffix });
  for (const name of ['a.tmp', 'b.csv.download']) await writeFile(join(root, name), '');
  expect((await failureOf(wait())).facts.code).toBe('SVC81092');
  expect(await wait('.TMP')).toBe(join(root, 'a.tmp'));
  expect(await wait('.csv.download')).toBe(join(root, 'b.csv.download'));
  await writeFile(join(root, 'c.csv'), '');
  expect(await wait()).toBe(join(root, 'c.csv'));
});
