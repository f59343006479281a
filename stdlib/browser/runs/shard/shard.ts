import { isAbsolute, posix, relative, sep } from 'node:path';

import { parseShard, prepareShard, type Shard } from '#grammar/shard/parse.ts';
import { partition } from '#grammar/shard/partition.ts';
import { shardDiagnostic } from '#grammar/shard/report.ts';
import type { Base, Digests, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { command } from '#stdlib/command.ts';

export const WR_partition = command('WR_partition', ({ paths, index, total }, ctx) => {
  if (index > total) throw fail.shardOutside({ index, total });
  return inShard(paths, { index, total }, ctx);
});

export const WR_partition_with_spec = command('WR_partition_with_spec', async ({ paths, spec }, ctx) =>
  inShard(paths, await shardOf(spec), ctx),
);

export const WR_parse_shard_spec = command('WR_parse_shard_spec', async ({ spec }) => {
  const { index, total } = await shardOf(spec);
  const pair: [number, number] = [index, total];
  return pair;
});

async function shardOf(spec: string): Promise<Shard> {
  await prepareShard(spec);
  const { shard, problems } = parseShard(spec);
  if (shard) return shard;
  const [problem] = problems;
  const reason = problem && shardDiagnostic(problem, { source: '', route: [] }).message;
  throw fail.shardUnreadable({ spec, reason: reason ?? '' });
}

function inShard(
  paths: readonly string[],
  shard: Shard,
  ctx: Pick<Base, 'folders'> & Pick<Ports, 'digests'>,
): string[] {
  const sha1 = sha1Of(ctx.digests);
  return paths.filter((path) => partition([knownAs(path, ctx.folders.cwd)], shard, sha1).length > 0);
}

/** A path as all machines write it: where the project lies on each of them does not count. */
function knownAs(path: string, cwd: string): string {
  const within = isAbsolute(path) ? relative(cwd, path) : path;
  const isElsewhere = isAbsolute(within) || within === '..' || (isAbsolute(path) && within.startsWith(`..${sep}`));
  return posix.normalize((isElsewhere ? path : within).replaceAll('\\', '/'));
}

function sha1Of(digests: Digests): (text: string) => string {
  return (text) => {
    const digest = digests.open('sha1');
    digest.update(new TextEncoder().encode(text));
    return digest.hex();
  };
}
