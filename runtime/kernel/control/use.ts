import * as fail from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';
import type { Json } from '#schemas/types/json.ts';
import type { Input, UseNode } from '#schemas/types/plan.ts';
import { blockOf } from '#schemas/types/walk-nodes.ts';

import { Cancellation } from '../cancellation.ts';
import type { AttemptView, Frame, ListEnd } from '../contract.ts';
import { runList } from '../list.ts';
import * as because from '../reasons.ts';
import { Scope } from '../scope.ts';
import { skipStep } from '../steps/step.ts';
import { Unknown, type Filling } from '../values/surroundings.ts';
import { folderOf } from '../units/world.ts';
import { fillLater } from './fill-later.ts';
import type { Header } from './header.ts';
import { blockFrame, noteFailures, runAlwaysBlock } from './run-block.ts';

/** Runs the steps of a file in a scope of its own, and yields what it returns; null where it returns nothing. */
export async function runUse(node: UseNode, header: Header, attempt: AttemptView, filling: Filling): Promise<unknown> {
  const frame = usedFrame(node, blockFrame(attempt));
  await defineInputs(node, header['with'], frame);
  try {
    const setup = await runList(blockOf(node, 'setup'), frame, { onFailure: 'stop' });
    noteFailures(setup, attempt);
    if (setup.stoppedBy === undefined) noteFailures(await runBody(node, frame), attempt);
    else skipBody(node, frame, because.failedSetup(setup.stoppedBy));
    if (node.returns === undefined || attempt.nestedFailed > 0 || frame.cancel.cancelled) return null;
    return await fillLater(node.returns, frame, filling);
  } finally {
    await runAlwaysBlock(blockOf(node, 'teardown'), frame, attempt);
  }
}

/** The steps of a file in a dry run: its inputs are not known. */
export function dryUse(node: UseNode, frame: Frame): Frame {
  const inner = usedFrame(node, frame);
  for (const { name } of node.inputs) inner.scope.define(name, new Unknown(`{{${name}}}`));
  return inner;
}

/** Everything is the caller's but variables, the folder of the file, and what relative addresses begin with. */
function usedFrame(node: UseNode, frame: Frame): Frame {
  const { world } = frame;
  const here = folderOf(node.source, world.folders.root);
  return {
    ...frame,
    scope: new Scope(),
    world: { ...world, folders: { ...world.folders, here } },
    used: { prefix: `${node.id}.use.`, ...(node.base_url && { base_url: node.base_url }) },
  };
}

async function defineInputs({ inputs, source }: UseNode, given: unknown, frame: Frame): Promise<void> {
  const { run } = frame.unit;
  const check = await run.program.parts?.inputs?.();
  const regex = run.values.regex(run.host);
  const isMatch = (pattern: string, text: string): boolean => regex.match(pattern, 'u', text) !== null;
  for (const input of inputs) {
    const value = valueOf(input, given, source);
    const findings = check?.(input.schema, value as Json, isMatch) ?? [];
    if (findings.length > 0)
      throw fail.inputUnfit({ name: input.name, file: source, reason: run.values.unfit(findings) });
    if (input.secret) run.masker.add(value);
    frame.scope.define(input.name, value, { secret: input.secret });
  }
}

function valueOf({ name, default: fallback }: Input, given: unknown, file: string): unknown {
  if (typeof given === 'object' && given !== null && Object.hasOwn(given, name))
    return (given as Readonly<Record<string, unknown>>)[name];
  if (fallback === undefined) throw fail.inputNotGiven({ name, file });
  return fallback;
}

async function runBody(node: UseNode, outer: Frame): Promise<ListEnd> {
  const body = blockOf(node, 'body');
  const { order, body_timeout_s: seconds } = node;
  const cancel = new Cancellation(outer.cancel);
  const failure: Failure | undefined = seconds === undefined ? undefined : fail.unitTimedOut({ seconds });
  const endTimer = failure && outer.world.clock.timer((seconds ?? 0) * 1000, () => cancel.cancel(failure));
  const frame = { ...outer, cancel };
  try {
    if (order.kind === 'list') return cut(await runList(body, frame, { onFailure: order.on_failure }), cancel, failure);
    const runGraph = await frame.unit.graph();
    frame.unit.run.pool.widen(order.max_workers);
    const end = await runGraph(body, frame, { failed: order.failed, workers: order.max_workers });
    return cut({ ...end, ...firstOf(end) }, cancel, failure);
  } finally {
    endTimer?.();
    cancel.end();
  }
}

/** The time may be over between two steps, when none is there to fail. */
function cut(end: ListEnd, { cancelled, reason }: Cancellation, failure: Failure | undefined): ListEnd {
  return cancelled && failure !== undefined && reason === failure && end.failed === 0
    ? { ...end, failed: 1, failure }
    : end;
}

function firstOf({ steps }: ListEnd): { readonly failure?: Failure } {
  const failure = steps.find((step) => step?.failure)?.failure;
  return failure ? { failure } : {};
}

function skipBody(node: UseNode, frame: Frame, reason: string): void {
  for (const step of blockOf(node, 'body')) skipStep(step, frame, reason);
}
