import { isBlock } from '#schemas/types/fold-value.ts';
import type { Node } from '#schemas/types/plan.ts';
import { blocksOf } from '#schemas/types/walk-nodes.ts';

import type { Frame, StepEnd } from '../contract.ts';
import { hideByKey } from '../records/hide-by-key.ts';
import type { StepReport } from './step-report.ts';
import { Filling } from '../values/surroundings.ts';

/** Tells what a step would call, and what the steps of its lists would; calls nothing. */
export function showDry(
  node: Node,
  frame: Frame,
  report: StepReport,
  runStep: (node: Node, frame: Frame) => unknown,
): StepEnd {
  const filling = new Filling();
  const args: Record<string, unknown> = 'condition' in node ? { [node.command]: node.condition.source } : {};
  const secret = new Set(frame.linked.facts[node.command]?.secret);
  for (const [name, value] of Object.entries(node.args)) {
    if (isBlock(value)) continue;
    if (secret.has(name)) args[name] = 'lit' in value && value.lit === null ? null : '***';
    else
      args[name] =
        'lit' in value ? hideByKey(value.lit) : frame.unit.run.values.fill(value, frame, filling, () => null);
  }
  const end = report.dry(args, filling.secrets);
  if (import.meta.withoutVariables) return end;
  const held: Frame = { ...frame, parent: node.id, depth: frame.depth + 1 };
  const inner = import.meta.withoutControls || node.kind === undefined ? held : frame.unit.run.controls.dry(node, held);
  for (const { nodes } of blocksOf(node)) for (const step of nodes) void runStep(step, inner);
  return end;
}
