import type { ParallelNode } from '#schemas/types/plan.ts';
import { blocksOf } from '#schemas/types/walk-nodes.ts';

import type { AttemptView, ListEnd } from '../contract.ts';
import { runList } from '../list.ts';
import { Scope } from '../scope.ts';
import { atOnce } from './at-once.ts';
import { numberOf, type Header } from './header.ts';
import { blockFrame, noteFailures } from './run-block.ts';

/** Runs the blocks at once, each in a branch of its own; what follows sees what all of them wrote. */
export async function runParallel(node: ParallelNode, header: Header, attempt: AttemptView): Promise<null> {
  const frame = blockFrame(attempt);
  const { pool } = frame.unit.run;
  const workers = numberOf(node.kind, header, 'max_workers', { least: 1, isWhole: true }) ?? 1;
  const branches = blocksOf(node).map(({ nodes }) => ({ nodes, scope: Scope.join([frame.scope]) }));
  const ends: ListEnd[] = [];
  pool.widen(workers);
  let begun = 0;
  await atOnce(
    Math.min(workers, branches.length),
    pool,
    () => begun < branches.length,
    async () => {
      const index = begun++;
      const branch = branches[index];
      if (branch)
        ends[index] = await runList(branch.nodes, { ...frame, scope: branch.scope }, { onFailure: 'continue' });
    },
  );
  const scopes = branches.map(({ scope }) => scope);
  frame.scope.adopt(scopes, scopes);
  for (const end of ends) noteFailures(end, attempt);
  return null;
}
