import { isBlock } from '#schemas/types/fold-value.ts';
import type { CommandFacts } from '#schemas/types/command.ts';
import type { Node } from '#schemas/types/plan.ts';
import { previewed, type Would } from './preview.ts';
import { blocksOf } from '#schemas/types/walk-nodes.ts';

import type { Frame, StepEnd } from '../contract.ts';
import { hideByKey } from '../records/hide-by-key.ts';
import type { StepReport } from './step-report.ts';
import { Filling, Unknown } from '../values/surroundings.ts';

/** Tells what a step would call, and what the steps of its lists would; calls nothing. */
export function showDry(
  node: Node,
  frame: Frame,
  report: StepReport,
  runStep: (node: Node, frame: Frame) => unknown,
): StepEnd | Promise<StepEnd> {
  const filling = new Filling();
  const args: Record<string, unknown> = 'condition' in node ? { [node.command]: node.condition.source } : {};
  const facts = frame.linked.facts[node.command];
  const secret = new Set(facts?.secret);
  for (const [name, value] of Object.entries(node.args)) {
    if (isBlock(value)) continue;
    if (secret.has(name)) args[name] = 'lit' in value && value.lit === null ? null : '***';
    else
      args[name] =
        'lit' in value ? hideByKey(value.lit) : frame.unit.run.values.fill(value, frame, filling, () => null);
  }
  // Whether a step inside another one runs, or one with a condition, only a run knows.
  const isSure = !import.meta.withoutVariables && frame.depth === 0 && node.when === undefined;
  const known = isSure ? knownOf(node, args, facts, filling) : undefined;
  const asked = import.meta.withoutPreviews ? undefined : previewed(node, frame, args);
  const show = (would?: Would): StepEnd => report.dry(would ? { ...args, would } : args, filling.secrets, known);
  if (import.meta.withoutVariables) return asked ? asked.then(show) : show();
  const held: Frame = { ...frame, parent: node.id, depth: frame.depth + 1 };
  const inner = import.meta.withoutControls || node.kind === undefined ? held : frame.unit.run.controls.dry(node, held);
  const steps = blocksOf(node).flatMap(({ nodes }) => nodes);
  if (asked) return asked.then((would) => withSteps(show(would), steps, (step) => runStep(step, inner)));
  return withSteps(show(), steps, (step) => runStep(step, inner));
}

/** Shows the steps of lists one after another; takes time only where one of them does. */
function withSteps(end: StepEnd, steps: readonly Node[], show: (step: Node) => unknown): StepEnd | Promise<StepEnd> {
  for (const [index, step] of steps.entries()) {
    const shown = show(step);
    if (shown instanceof Promise) return shown.then(() => withSteps(end, steps.slice(index + 1), show));
  }
  return end;
}

/** The value that the variable gets which the step sets; undefined where it is hidden, or only a run knows it. */
function knownOf(
  { args: written }: Node,
  args: Readonly<Record<string, unknown>>,
  facts: CommandFacts | undefined,
  filling: Filling,
): unknown {
  const sets = facts?.sets;
  if (sets === undefined || filling.secrets !== undefined || holdsUnknown(args[sets])) return undefined;
  const value = written[sets];
  // A value that is hidden by its key stays hidden in later steps.
  const isHidden = value !== undefined && 'lit' in value && JSON.stringify(value.lit) !== JSON.stringify(args[sets]);
  return isHidden ? undefined : args[sets];
}

function holdsUnknown(value: unknown): boolean {
  if (value instanceof Unknown) return true;
  if (typeof value === 'string') return value.includes('<from step ');
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsUnknown);
}
