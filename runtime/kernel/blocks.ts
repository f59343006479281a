import type { Node } from '#schemas/types/plan.ts';

import type { Attempt } from './steps/attempt.ts';
import { KernelBlock } from './steps/block.ts';
import type { Block, Executor } from './ports.ts';
import { UnitExecutor } from './steps/unit-executor.ts';

/** What a plan needs whose commands hold lists of steps, or run lists that arrive as data. Linked only there. */
export interface Blocks {
  block(nodes: readonly Node[], attempt: Attempt): Block;
  executor(attempt: Attempt): Executor;
}

export const blocks: Blocks = {
  block: (nodes, attempt) => new KernelBlock(nodes, attempt),
  executor: (attempt) => new UnitExecutor(attempt),
};
