import * as fail from '#schemas/generated/failures.ts';
import type { Host, SettledPrograms } from '#schemas/types/host.ts';
import type { Unit } from '#schemas/types/plan.ts';
import type { RunRecord } from '#schemas/types/record.ts';

import { Cancellation } from './cancellation.ts';
import type { Blocks, Controls, RunView } from './contract.ts';
import type { RunEvent, UnitOutcome } from './events.ts';
import { localGates } from './guard.ts';
import { notLinked } from './not-linked.ts';
import type { RunOptions } from './options.ts';
import { Outputs } from './outputs.ts';
import type { Settings } from './ports.ts';
import type { Program } from './program.ts';
import { Masker } from './records/masker.ts';
import type { Pool } from './pool.ts';
import type { Scope } from './scope.ts';
import { isSecretOf, secretsOf } from './secret-environment.ts';
import type { Values } from './values/values.ts';

/** Runs a unit, with the variables of those before it; `repeat` counts from 0. */
export type RunUnit = (
  state: RunState,
  unit: Unit,
  before: readonly Scope[],
  repeat: number,
) => Promise<{ readonly outcome: UnitOutcome; readonly scope: Scope }>;

/** State that all units of one run share. */
export class RunState implements RunView {
  readonly program: Program;
  readonly options: RunOptions;
  readonly host: Host;
  readonly settings: Settings;
  readonly masker = new Masker();
  readonly cancel = new Cancellation();
  readonly pool: Pool;
  readonly outputs: Outputs;
  /** Runs a unit elsewhere, in place of running it here. */
  readonly runUnit: RunUnit | undefined;
  readonly id: string;
  readonly startedAt: number;
  /** Decides fake values where neither the run nor the file says a seed. */
  readonly seed: number;
  /** Reason why the run ends early from outside. */
  stopped: string | undefined;
  /** A step failed and the run ends at the first failure. */
  halted: boolean;
  /** Records so far, where some command asks for them. */
  readonly kept: RunRecord[] | undefined;
  /** Whether some reference asks what became of earlier steps. */
  remembers = false;
  /** Programs that the run may start by itself, as they were before the first step. */
  programs: SettledPrograms | undefined;
  #values: Values | undefined;
  #blocks: Blocks | undefined;
  #controls: Controls | undefined;
  #lastTime = -1;
  #lastIso = '';
  readonly #occurrences: Map<string, number>;
  readonly #told = new Set<string>();
  readonly #shared = new Map<string, unknown>();
  #temporary: Promise<string> | undefined;

  constructor(
    program: Program,
    options: RunOptions,
    host: Host,
    made: { readonly pool: Pool; readonly keepsRecords: boolean; readonly runUnit?: RunUnit },
  ) {
    this.program = program;
    this.options = options;
    this.host = host;
    this.settings = {
      ...program.settings,
      ...options.settings,
      gates: { ...localGates, ...program.settings.gates, ...options.settings?.gates },
    };
    this.pool = made.pool;
    this.outputs = new Outputs(options, (error) =>
      this.emit({
        kind: 'notice',
        level: 'warning',
        text: this.masker.text(error instanceof Error ? error.message : String(error)),
      }),
    );
    this.runUnit = made.runUnit;
    this.kept = made.keepsRecords ? [] : undefined;
    this.id = options.run ?? host.random.uuid();
    const own = import.meta.withoutChance ? undefined : seedOfAll(program.plan.units);
    this.seed = options.seed ?? own ?? this.settings.seed ?? options.shared?.seed ?? drawnSeed(host);
    this.startedAt = options.shared?.startedAt ?? host.clock.now();
    this.halted = options.shared?.halted ?? false;
    this.#occurrences = options.shared?.occurrences ?? new Map<string, number>();
    this.masker.add(options.environmentSecrets ?? secretsOf(host.env, this.settings));
  }

  /** Loads the parts that the plan was linked with and notes which programs there are, before anything runs. */
  async open(): Promise<void> {
    const { parts, plan } = this.program;
    const { executable_path: browser, driver_path: driver } = this.settings.browser ?? {};
    const named = [browser, driver].filter((path) => path !== undefined);
    this.programs = this.host.processes.settle(named, this.options.shared?.programs);
    this.#values = await parts?.values?.();
    this.#blocks = await parts?.blocks?.();
    this.#controls = await parts?.controls?.();
    this.remembers = this.#values !== undefined && plan.units.some(this.#values.asksForThePast);
  }

  get values(): Values {
    return this.#values ?? notLinked('values');
  }

  get blocks(): Blocks {
    return this.#blocks ?? notLinked('blocks');
  }

  get controls(): Controls {
    return this.#controls ?? notLinked('controls');
  }

  /** No new steps, cancels what runs; teardown and release still happen. */
  stop(reason: string): void {
    if (this.stopped !== undefined) return;
    // It may quote what somebody threw.
    this.stopped = this.masker.text(reason);
    this.cancel.cancel(fail.runStopped({ reason }));
  }

  isSecretKey(key: string, more: readonly string[] = []): boolean {
    return isSecretOf(this.settings, key, more);
  }

  get hasReporters(): boolean {
    return (this.options.reporters?.length ?? 0) > 0;
  }

  /** Whether what commands show beside their results reaches anybody. */
  get showsEvidence(): boolean {
    return this.options.reporters?.some((reporter) => reporter.showsEvidence !== false) ?? false;
  }

  emit(event: RunEvent): void {
    this.outputs.emit(event);
  }

  record(record: RunRecord): void {
    this.outputs.add(record);
    this.kept?.push(record);
  }

  flush(): void {
    this.outputs.flush();
  }

  /** A moment as records tell it: ISO 8601, UTC. Many steps share a millisecond. */
  isoTime(at: number): string {
    if (at !== this.#lastTime) {
      this.#lastTime = at;
      this.#lastIso = new Date(at).toISOString();
    }
    return this.#lastIso;
  }

  /** Number of earlier runs of this node in this run and row; counts this one. */
  occurrence(key: string): number {
    const count = this.#occurrences.get(key) ?? 0;
    this.#occurrences.set(key, count + 1);
    return count;
  }

  /** Whether this is asked for the first time in this run. */
  isFirst(key: string): boolean {
    return this.#told.size < this.#told.add(key).size;
  }

  /** Something of one kind for all units, made when it is first asked for. */
  shared<Thing>(key: string, make: () => Thing): Thing {
    if (!this.#shared.has(key)) this.#shared.set(key, make());
    return this.#shared.get(key) as Thing;
  }

  temporary(): Promise<string> {
    return this.options.shared?.temporary() ?? (this.#temporary ??= this.host.files.temporaryDirectory('svc-run-'));
  }

  /** Removes what this run has made beside its work. */
  async removeTemporary(): Promise<void> {
    if (this.#temporary) await this.host.files.removeTree(await this.#temporary);
  }
}

/** Seed that all units which make up values say: it is that of the run, so that who gives it again gets the same. */
export function seedOfAll(units: readonly Unit[]): number | undefined {
  const seeds = new Set(units.filter(({ needs }) => needs.ports.includes('chance')).map(({ seed }) => seed));
  const [only] = seeds;
  return seeds.size === 1 ? only : undefined;
}

/** A seed by chance, short enough to be typed again. */
export function drawnSeed({ random }: Pick<Host, 'random'>): number {
  return Math.floor(random.number() * 1e9);
}
