import type { Gate } from '#schemas/types/command.ts';

import type { Base, Evidence, StepInfo } from '../ports.ts';
import type { UnitRun } from '../units/unit-run.ts';

/** One call of a command, for as long as it may have effects. */
export interface Call {
  /** Cancelled or timed out: what the command still does must not count. */
  abandoned: boolean;
  readonly evidence: Evidence[];
  /** What goes on after a cancellation in a time of its own, and is waited for: files that have a teardown. */
  lasting?: Set<Promise<unknown>>;
}

/** What every command gets; its ports are added as properties. */
export class StepContext implements Base {
  readonly signal: AbortSignal;
  readonly step: StepInfo;
  readonly folders: Base['folders'];
  readonly durable: boolean;
  readonly #unit: UnitRun;
  readonly #call: Call;

  constructor(unit: UnitRun, step: StepInfo, signal: AbortSignal, call: Call) {
    this.signal = signal;
    this.step = step;
    this.folders = unit.world.folders;
    this.durable = unit.run.settings.durable ?? false;
    this.#unit = unit;
    this.#call = call;
  }

  attach(evidence: Evidence): void {
    if (this.#unit.run.showsEvidence) this.#call.evidence.push(evidence);
  }

  require(gate: Gate, subject: string): void {
    this.#unit.guard.require(gate, subject);
  }

  mask(secret: string): void {
    this.#unit.run.masker.add(secret);
  }
}
