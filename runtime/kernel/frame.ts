import type { Node } from '#schemas/types/plan.ts';

import type { Cancellation } from './cancellation.ts';
import type { BlockRetry, WriteObserver } from './ports.ts';
import type { Linked } from './program.ts';
import type { Scope } from './scope.ts';
import type { Call } from './steps/step-context.ts';
import type { UnitRun } from './units/unit-run.ts';
import type { Surroundings } from './values/surroundings.ts';

/** Where a list of steps runs: its unit, the variables it sees, and what can cancel it. */
export interface Frame extends Surroundings {
  readonly unit: UnitRun;
  readonly scope: Scope;
  readonly linked: Linked;
  readonly part: 'setup' | 'body' | 'teardown';
  readonly cancel: Cancellation;
  /** The step that holds this list. */
  readonly parent?: string;
  /** How many lists lie around this one. */
  readonly depth: number;
  /** Who decides about another try of a step that failed, and the list that this was given for. */
  readonly retry?: { readonly policy: BlockRetry; readonly nodes: readonly Node[] };
  /** What the commands around this list hold while they run it. */
  readonly holds?: readonly string[];
  /** The calls of the steps around this list. */
  readonly calls?: readonly Call[];
  /** Who hears of what the steps of this list do to files. */
  readonly onWrite?: WriteObserver;
}
