import type { CommandFacts } from '#schemas/types/command.ts';
import type { ControlNode } from '#schemas/types/plan.ts';
import { everyNode } from '#schemas/types/walk-nodes.ts';

import type { AttemptView, Controls, Frame } from '../contract.ts';
import { AttemptHold } from './attempt-hold.ts';
import { dryLoop, runForEach } from './for-each.ts';
import { runGroup } from './group.ts';
import { runIf } from './if.ts';
import type { Filling } from '../values/surroundings.ts';
import { runParallel } from './parallel.ts';
import { runUntil } from './until.ts';
import { dryUse, runUse } from './use.ts';

/** The steps inside have effects, and are retried by themselves. */
const facts: CommandFacts = { effects: [], needs: [], repeat: 'once' };

/** Kernel part for plans with control forms. */
export const controls: Controls = {
  use: (kind) => ({
    name: kind,
    facts,
    outside: false,
    ownPorts: [],
    implementation: () => undefined,
    shared: [],
    makeFailure: undefined,
    validate: undefined,
    open: () => Promise.resolve(() => undefined),
  }),
  run: runForm,
  dry: dryFrame,
  provided: (node) => [
    ...new Set(everyNode([node], (_, { kind }) => kind !== 'use').flatMap(({ provides }) => provides ?? [])),
  ],
  hold: (outer) => new AttemptHold(outer),
};

function dryFrame(node: ControlNode, frame: Frame): Frame {
  if (node.kind === 'for_each') return dryLoop(node, frame);
  return node.kind === 'use' ? dryUse(node, frame) : frame;
}

function runForm(
  node: ControlNode,
  args: Readonly<Record<string, unknown>>,
  attempt: AttemptView,
  filling: Filling,
): Promise<unknown> {
  switch (node.kind) {
    case 'for_each':
      return runForEach(node, args, attempt, filling);
    case 'group':
      return runGroup(node, attempt);
    case 'if':
      return runIf(node, attempt);
    case 'parallel':
      return runParallel(node, args, attempt);
    case 'use':
      return runUse(node, args, attempt, filling);
    case 'until':
      return runUntil(node, args, attempt);
    default:
      return node satisfies never;
  }
}
