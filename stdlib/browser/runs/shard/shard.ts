import { parseShard, prepareShard, type Shard } from '#grammar/shard/parse.ts';
import { partition } from '#grammar/shard/partition.ts';
import { shardDiagnostic } from '#grammar/shard/report.ts';
import type { Digests } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { command } from '#stdlib/command.ts';

export const WR_partition = command('WR_partition', ({ paths, index, total }, ctx) => {
  if (index > total) throw fail.shardOutside({ index, total });
  return [...partition(paths, { index, total }, sha1Of(ctx.digests))];
});

export const WR_partition_with_spec = command('WR_partition_with_spec', async ({ paths, spec }, ctx) => [
  ...partition(paths, await shardOf(spec), sha1Of(ctx.digests)),
]);

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

function sha1Of(digests: Digests): (text: string) => string {
  return (text) => {
    const digest = digests.open('sha1');
    digest.update(new TextEncoder().encode(text));
    return digest.hex();
  };
}
