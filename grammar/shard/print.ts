import type { Shard } from './ast.ts';

/** `2/4`. */
export function printShard({ index, total }: Shard): string {
  return `${index}/${total}`;
}
