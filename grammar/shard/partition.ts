import type { Shard } from './ast.ts';

/**
 * The paths that a shard takes, in their order (rule of `WR_partition` and `--shard`): a path belongs to shard k when
 * the SHA-1 of its text, read as one big number, modulo total is k - 1. Paths count with forward slashes and without
 * `./`. Each path is in exactly one shard; sizes are only roughly equal.
 */
export function partition(paths: readonly string[], shard: Shard, sha1: (text: string) => string): readonly string[] {
  return paths.filter((path) => BigInt(`0x${sha1(plain(path))}`) % BigInt(shard.total) === BigInt(shard.index - 1));
}

function plain(path: string): string {
  return path.replaceAll('\\', '/').replace(/^(\.\/+)+/, '');
}
