import type { Gate } from '#schemas/types/command.ts';

import type { Call, UnitView } from '../contract.ts';
import { notLinked } from '../not-linked.ts';
import type { Base, Evidence, StepInfo } from '../ports.ts';

/** Context that every command gets; its ports are added as properties. */
export class StepContext implements Base {
  readonly signal: AbortSignal;
  readonly step: StepInfo;
  readonly folders: Base['folders'];
  readonly durable: boolean;
  readonly #unit: UnitView;
  readonly #call: Call;

  constructor(unit: UnitView, step: StepInfo, signal: AbortSignal, call: Call) {
    this.signal = signal;
    this.step = step;
    this.folders = unit.world.folders;
    this.durable = unit.run.settings.durable ?? false;
    this.#unit = unit;
    this.#call = call;
  }

  attach(evidence: Evidence): void {
    if (import.meta.withoutEvidence) return;
    const isBrief = evidence.kind === 'text' && evidence.isBrief === true;
    if (isBrief || this.#unit.run.showsEvidence) this.#call.evidence.push(evidence);
  }

  require(gate: Gate, subject: string): void {
    this.#unit.guard.require(gate, subject);
  }

  mask(secret: string): void {
    this.#unit.run.masker.add(secret);
  }

  excerpt(text: string, length: number): string {
    return import.meta.withoutExcerpts ? notLinked('cuts') : this.#unit.run.masker.head(text, length).toWellFormed();
  }
}
