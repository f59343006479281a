import type { Plan } from '#schemas/types/plan.ts';

import type { Blocks, Controls, RunGraph } from './contract.ts';
import type { CheckSchema, CompileActions, Implementation, Links, Load, ReadRows, TakeLocks } from './linked.ts';
import type { Settings } from './ports.ts';
import type { Values } from './values/values.ts';

/** Input of a run beside the host: the plan and everything that it names. */
export interface Program extends Links {
  readonly plan: Plan;
  /** SHA-256 of the canonical plan, in hex. */
  readonly hash: string;
  /** Parts of a run that not every plan needs. */
  readonly parts?: Parts;
  readonly settings: Settings;
}

/** Linked only where the plan asks for them. */
export interface Parts {
  /** References, conditions, captures and inputs: `runtime/kernel/values/values.ts`. */
  readonly values?: Load<Values>;
  /** Parameters that hold steps, and the port `executor`: `runtime/kernel/blocks.ts`. */
  readonly blocks?: Load<Blocks>;
  /** Control forms: `runtime/kernel/control/controls.ts`. */
  readonly controls?: Load<Controls>;
  /** Units with `order.kind: graph`, and blocks that run at the same time: `runtime/kernel/graph.ts`. */
  readonly graph?: Load<RunGraph>;
  /** Units with `rows`: `runtime/adapters/dataset/read-rows.ts`. */
  readonly rows?: Load<ReadRows>;
  /** Units with `inputs`: `runtime/kernel/values/check-schema.ts`. */
  readonly inputs?: Load<CheckSchema>;
  /** Units with `locks`: `runtime/services/file-locks/take-locks.ts`. */
  readonly locks?: Load<TakeLocks>;
  /** The compiler, for commands that need `executor`. */
  readonly compile?: Load<CompileActions>;
  /** The implementation of all commands of modules (`facts.module`): `runtime/adapters/modules/call-module.ts`. */
  readonly modules?: Load<Implementation>;
}
