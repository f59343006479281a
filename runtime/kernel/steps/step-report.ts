import type { Failure } from '#schemas/types/failure.ts';
import { isBlock } from '#schemas/types/fold-value.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import type { ConditionPlace, Node, Place } from '#schemas/types/plan.ts';
import type { RunRecord } from '#schemas/types/record.ts';

import type { StepView } from '../events.ts';
import { hideByKey } from '../records/hide-by-key.ts';
import type { Masker } from '../records/masker.ts';
import { maskedEvidence } from '../records/masked-evidence.ts';
import type { Frame, StepEnd, UnitView } from '../contract.ts';
import type { Evidence } from '../ports.ts';
import { recordable, type KnownSecrets } from '../records/recordable.ts';
import { recordedError } from '../records/recorded-error.ts';
import type { StepState } from '../scope.ts';
import { Unknown } from '../values/surroundings.ts';

type Draft = { -readonly [Key in keyof RunRecord]: RunRecord[Key] };

/** Tells of one step: its record, its events, the counts, and what later steps can ask about it. */
export class StepReport {
  readonly #node: Node;
  readonly #frame: Frame;
  readonly #startedAt: number;
  readonly #begin: number;
  readonly #place: Place | undefined;
  #shown: StepView | undefined;
  attempts = 0;
  /** Seed of the values that its last attempt drew. */
  seed: number | undefined;
  evidence: readonly Evidence[] = [];
  /** Arguments of the command's last call. */
  args: Readonly<Record<string, unknown>> | undefined;

  constructor(node: Node, frame: Frame) {
    this.#node = node;
    this.#frame = frame;
    const { clock } = frame.world;
    this.#startedAt = clock.now();
    this.#begin = clock.monotonic();
    this.#place = frame.linked.places[node.id];
  }

  started(): void {
    const { run, observers } = this.#frame.unit;
    if (run.hasReporters) run.emit({ kind: 'step-started', step: this.#told() });
    if (!import.meta.withoutObservers) observers?.started(this.#view());
  }

  attemptFailed(failure: Failure, secrets: KnownSecrets | undefined, waitMs: number): void {
    const { run } = this.#frame.unit;
    if (!import.meta.withoutRetries && run.hasReporters)
      run.emit({
        kind: 'attempt-failed',
        step: this.#told(),
        attempt: this.attempts,
        error: recordedError(failure, run.masker, secrets),
        wait_ms: waitMs,
      });
  }

  /** `waited`: it was tried until what it waits for was there, so that passing late is no sign of chance. */
  passed(result: unknown, secrets: KnownSecrets | undefined, waited: boolean): StepEnd {
    const record = this.#draft('passed');
    if (this.attempts > 1 && !waited) record.flaky = true;
    this.#addResult(record, result, secrets);
    if (!import.meta.withoutVariables)
      for (const provision of this.#node.provides ?? []) this.#frame.scope.made(provision);
    return this.#finish(
      record,
      { status: 'passed', result, ...(!import.meta.withoutLists && { duration_ms: record.duration_ms }) },
      { secrets },
    );
  }

  failed(failure: Failure, result: unknown, secrets: KnownSecrets | undefined): StepEnd {
    const record = this.#draft('failed');
    const failedWith = failure.options.result ?? result;
    this.#addResult(record, failedWith, secrets);
    record.error = recordedError(failure, this.#frame.unit.run.masker, secrets);
    if (!import.meta.withoutVariables) lacks(this.#node, this.#frame, 'failed', failure.options.kept === true);
    const end: StepEnd = {
      status: 'failed',
      failure,
      ...(!import.meta.withoutLists && failedWith !== undefined && { failedWith }),
      ...(!import.meta.withoutLists && { duration_ms: record.duration_ms }),
    };
    return this.#finish(record, end, { secrets, message: record.error.message });
  }

  /** `kept`: what earlier steps made under the same names still counts. */
  skipped(reason: string, kept = false): StepEnd {
    const record = this.#draft('skipped');
    const node = this.#node;
    const { run } = this.#frame.unit;
    record.reason = run.masker.text(reason);
    if (!import.meta.withoutVariables)
      lacks(node, this.#frame, 'skipped', kept, node.kind === undefined ? node.provides : run.controls.provided(node));
    return this.#finish(record, { status: 'skipped', reason });
  }

  /** `known`: the value that the variable which it sets will have. */
  dry(args: unknown, secrets: KnownSecrets | undefined, known: unknown): StepEnd {
    const record = this.#draft('dry-run');
    this.#addResult(record, args, secrets);
    if (!import.meta.withoutVariables) defineDry(this.#node, this.#frame, known);
    return this.#finish(record, { status: 'dry-run' });
  }

  #draft(status: RunRecord['status']): Draft {
    const node = this.#node;
    const frame = this.#frame;
    const { run, unit } = frame.unit;
    const place = this.#place;
    const draft: Draft = { v: 1, run: run.id, plan: run.program.hash, id: node.id } as Draft;
    if (frame.row) draft.row = frame.row.number;
    const occurrence =
      !import.meta.withoutVariables && (frame.depth > 0 || (run.options.repeat ?? 1) > 1 || run.options.shared)
        ? run.occurrence(frame.row ? `${node.id} ${frame.row.number}` : node.id)
        : 0;
    if (occurrence > 0) draft.occurrence = occurrence;
    if (frame.parent !== undefined) draft.parent = frame.parent;
    draft.command = node.command;
    draft.file = place?.file ?? unit.source;
    draft.line = place?.line ?? 1;
    draft.column = place?.column ?? 1;
    draft.status = status;
    draft.started_at = run.isoTime(this.#startedAt);
    draft.duration_ms = Math.round((frame.world.clock.monotonic() - this.#begin) * 1000) / 1000;
    draft.attempts = this.attempts;
    if (!import.meta.withoutChance && this.seed !== undefined) draft.seed = this.seed;
    return draft;
  }

  #addResult(record: Draft, result: unknown, secrets: KnownSecrets | undefined): void {
    if (result === undefined) return;
    const recorded = recordable(result, this.#frame.unit.run.masker, secrets);
    if (!recorded) return;
    record.result = recorded.json;
    if (recorded.truncated) record.truncated = true;
  }

  #finish(
    record: Draft,
    end: StepEnd,
    { secrets, message }: { readonly secrets?: KnownSecrets | undefined; readonly message?: string } = {},
  ): StepEnd {
    const { hold, unit } = this.#frame;
    if (hold) hold.add((superseded) => this.#tell(superseded ? { ...record, superseded } : record, secrets));
    else this.#tell(record, secrets);
    if (!import.meta.withoutVariables && unit.run.remembers)
      this.#frame.scope.note(stateOf(this.#node, this.#frame, end, message));
    return end;
  }

  #tell(record: RunRecord, secrets: KnownSecrets | undefined): void {
    const { run, observers, counts } = this.#frame.unit;
    if (!record.superseded) count(record, counts);
    if (run.hasReporters) {
      const evidence = import.meta.withoutEvidence
        ? []
        : this.evidence.map((piece) => maskedEvidence(piece, run.masker));
      const step = this.#told(record.status === 'failed');
      run.emit({ kind: 'step-finished', step, record, evidence });
    }
    // After its event: a record may name the files in which a reporter keeps evidence.
    run.record(record);
    if (!import.meta.withoutObservers)
      observers?.ended(this.#view(), record, () => shownArgs(this.#node, this.args, this.#frame, secrets));
  }

  /** The step as reporters are told of it: masked, since text of the file may be a secret that is known only now. */
  #told(failed = false): StepView {
    const view = this.#view();
    const { name, place } = view;
    const { row, unit } = this.#frame;
    const { masker } = unit.run;
    return {
      ...view,
      ...(!import.meta.withoutRows &&
        failed &&
        row && { values: recordable(hideByKey(row.values), masker)?.json as JsonObject }),
      ...(name !== undefined && { name: masker.text(name) }),
      ...(place && { place: new ShownPlace(place, masker, failed) }),
    };
  }

  #view(): StepView {
    return (this.#shown ??= this.#makeView());
  }

  #title(name: string): string {
    const { title } = this.#node;
    return !import.meta.withoutVariables && title ? this.#frame.unit.run.values.title(title, this.#frame) : name;
  }

  #makeView(): StepView {
    const node = this.#node;
    const { row, parent, part, unit } = this.#frame;
    const place = this.#place;
    return {
      id: node.id,
      command: node.command,
      ...(node.name !== undefined && { name: this.#title(node.name) }),
      ...(row && { row: row.number }),
      ...(parent !== undefined && { parent }),
      part,
      source: unit.unit.source,
      ...(place && { place }),
    };
  }
}

function count({ status, flaky }: RunRecord, counts: UnitView['counts']): void {
  counts[status === 'dry-run' ? 'dry_run' : status]++;
  if (flaky) counts.flaky++;
}

/**
 * A place as it is shown: secrets that are known by then are hidden, and the conditions are shown of a step that
 * failed. Texts are worked out for who asks: most reporters show no more than one line of a run.
 */
class ShownPlace implements Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly #place: Place;
  readonly #masker: Masker;
  readonly #ofFailure: Place | undefined;

  constructor(place: Place, masker: Masker, failed: boolean) {
    this.file = place.file;
    this.line = place.line;
    this.column = place.column;
    this.#place = place;
    this.#masker = masker;
    if (failed) this.#ofFailure = place;
  }

  get text(): string {
    return this.#masker.text(this.#place.text);
  }

  get expect(): readonly ConditionPlace[] | undefined {
    return import.meta.withoutVariables ? undefined : shown(this.#ofFailure?.expect, this.#masker);
  }

  get save_as(): readonly ConditionPlace[] | undefined {
    return import.meta.withoutVariables ? undefined : shown(this.#ofFailure?.save_as, this.#masker);
  }

  get when(): ConditionPlace | undefined {
    if (import.meta.withoutVariables) return undefined;
    const when = this.#ofFailure?.when;
    return when && shown([when], this.#masker)?.[0];
  }

  get condition(): ConditionPlace | undefined {
    if (import.meta.withoutControls) return undefined;
    const condition = this.#ofFailure?.condition;
    return condition && shown([condition], this.#masker)?.[0];
  }

  get source(): string | undefined {
    if (import.meta.withoutEvidence) return undefined;
    const { source } = this.#place;
    return source === undefined ? undefined : this.#masker.text(source);
  }

  /** In an event that is written: without the whole step. */
  toJSON(): Place {
    const shown = { ...this, text: this.text };
    if (import.meta.withoutVariables) return shown;
    const { expect, save_as, when, condition } = this;
    return { ...shown, expect, save_as, when, ...(!import.meta.withoutControls && { condition }) };
  }
}

function shown(places: readonly ConditionPlace[] | undefined, masker: Masker): readonly ConditionPlace[] | undefined {
  return places?.map((each) => ({ ...each, text: masker.text(each.text) }));
}

/** Variables after a step that was only shown: known, or told whence they will come. */
function defineDry({ id, provides = [], save_as = [] }: Node, { scope }: Frame, known: unknown): void {
  for (const provision of provides) {
    const name = provision.startsWith('variable:') ? provision.slice('variable:'.length) : '';
    if (name === '') continue;
    const isKnown = known !== undefined && save_as.every((capture) => capture.name !== name);
    scope.define(name, isKnown ? known : new Unknown(`from step ${ownPart(id)}`));
  }
}

/** The id within its file. */
function ownPart(id: string): string {
  return id.slice(id.indexOf('#') + 1);
}

/** Facts about a step that later steps can ask for. */
function stateOf({ id, command }: Node, { used }: Frame, end: StepEnd, message: string | undefined): StepState {
  return {
    id: used && id.startsWith(used.prefix) ? id.slice(used.prefix.length) : ownPart(id),
    command,
    status: end.status,
    ...('result' in end && { result: end.result }),
    ...(message !== undefined && { message }),
  };
}

/** Lists of steps are left out: they have records of their own. */
function shownArgs(
  node: Node,
  args: Readonly<Record<string, unknown>> | undefined,
  frame: Frame,
  secrets: KnownSecrets | undefined,
): Json | undefined {
  if (!args) return undefined;
  const plain = Object.entries(args).filter(([name]) => !isBlock(node.args[name]));
  return recordable(Object.fromEntries(plain), frame.unit.run.masker, secrets)?.json;
}

/**
 * Notes that the provisions of a step are missing. `kept`: what an earlier step made under the same name still
 * counts.
 */
function lacks(
  { id, provides: own }: Node,
  { scope }: Frame,
  status: 'failed' | 'skipped',
  kept: boolean,
  provides = own,
): void {
  for (const provision of provides ?? []) {
    // Any answer sets it, also that of a step which failed.
    const answered = provision === 'variable:last_response' && status === 'failed';
    scope.notMade(provision, { id, status }, kept || answered);
  }
}
