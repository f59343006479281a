import type { Blocks } from './contract.ts';
import { KernelBlock } from './steps/block.ts';
import { UnitExecutor } from './steps/unit-executor.ts';

/** Kernel part for plans whose commands hold lists of steps, or run lists that arrive as data. */
export const blocks: Blocks = {
  block: (nodes, attempt) => new KernelBlock(nodes, attempt),
  executor: (attempt) => new UnitExecutor(attempt),
};
