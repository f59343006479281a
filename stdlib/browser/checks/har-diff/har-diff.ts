import type { CommandMap } from '#schemas/generated/command-map.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';
import { command } from '#stdlib/command.ts';

import { requestsOf, type HarRequest } from './har.ts';

type HarDiff = CommandMap['WR_diff_har']['result'];

/** Largest archive (bytes). */
const LARGEST = 256 * 1024 * 1024;

export const WR_diff_har = command('WR_diff_har', ({ left, right }) =>
  difference(requestsOf(left, 'left'), requestsOf(right, 'right')),
);

export const WR_diff_har_files = command('WR_diff_har_files', async ({ left_path, right_path }, ctx) => {
  const left = requestsOf(await read(ctx.files, left_path), left_path);
  return difference(left, requestsOf(await read(ctx.files, right_path), right_path));
});

/** Requests of one method and address are paired in their order: the second of the one with the second of the other. */
function difference(left: readonly HarRequest[], right: readonly HarRequest[]): HarDiff {
  const before = numbered(left);
  const after = numbered(right);
  return {
    added: [...after].flatMap(([key, request]) => (before.has(key) ? [] : [{ ...request }])),
    removed: [...before].flatMap(([key, request]) => (after.has(key) ? [] : [{ ...request }])),
    changed: [...before].flatMap(([key, { method, url, status }]) => {
      const other = after.get(key);
      return other && other.status !== status ? [{ method, url, left_status: status, right_status: other.status }] : [];
    }),
  };
}

function numbered(requests: readonly HarRequest[]): ReadonlyMap<string, HarRequest> {
  const counts = new Map<string, number>();
  return new Map(
    requests.map((request) => {
      const key = `${request.method} ${request.url}`;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return [`${count} ${key}`, request];
    }),
  );
}

async function read(files: Files, path: string): Promise<string> {
  const found = await files.find(path);
  if (!found) throw fail.fileNotFound({ path });
  if (found.kind === 'directory') throw fail.isAFolder({ path });
  return new TextDecoder().decode(await files.readRegular(path, { limit: LARGEST }));
}
