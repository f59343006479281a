import type { Counts, Reporter, RunEvent, RunOutcome, UnitInfo, UnitOutcome } from '#runtime/kernel/events.ts';
import type { RecordSink, RunOptions, SharedByParts } from '#runtime/kernel/options.ts';
import { Outputs } from '#runtime/kernel/outputs.ts';
import { infoOf, showsSeed, start, type Run } from '#runtime/kernel/run.ts';
import { drawnSeed, seedOfAll, type RunUnit } from '#runtime/kernel/run-state.ts';
import { addAll } from '#grammar/source/add-all.ts';
import type { Host } from '#schemas/types/host.ts';

import { narrowed, type PartOptions, type SelectedPart } from './part.ts';

/** A part with what its kernel is told. */
export interface ReadyPart {
  readonly part: SelectedPart;
  readonly options: PartOptions;
  readonly runUnit?: RunUnit;
}

type Reporting = Pick<RunOptions, 'reporters' | 'records'>;

/**
 * Runs several parts one after another, and tells of them as one run: one id, one beginning and end, one stream of
 * events and records. Files that cannot run are told of first.
 */
export function startJoined(id: string, parts: readonly ReadyPart[], reporting: Reporting, host: Host): Run {
  const joined = new JoinedRun(id, parts, reporting, host);
  return { id, outcome: joined.run(), stop: joined.stop };
}

class JoinedRun {
  readonly #id: string;
  readonly #parts: readonly ReadyPart[];
  readonly #reporting: Reporting;
  readonly #outputs: Outputs;
  readonly #host: Host;
  readonly #startedAt: number;
  readonly #seed: number;
  readonly #files: UnitOutcome[] = [];
  #refused: RunOutcome['refused'];
  #current: Run | undefined;
  #stopped: string | undefined;
  #temporary: Promise<string> | undefined;

  constructor(id: string, parts: readonly ReadyPart[], reporting: Reporting, host: Host) {
    this.#id = id;
    this.#parts = parts;
    this.#reporting = reporting;
    this.#outputs = new Outputs(reporting, (error) =>
      this.#emit({ kind: 'notice', level: 'warning', text: error instanceof Error ? error.message : String(error) }),
    );
    this.#host = host;
    this.#startedAt = host.clock.now();
    const own = seedOfAll(parts.flatMap(({ part }) => part.selected.units));
    const given = parts.map(({ options }) => options.seed ?? own ?? options.settings?.seed);
    this.#seed = given.find((seed) => seed !== undefined) ?? drawnSeed(host);
  }

  readonly stop = (reason: string): void => {
    this.#stopped ??= reason;
    this.#current?.stop(reason);
  };

  async run(): Promise<RunOutcome> {
    const begin = this.#host.clock.monotonic();
    this.#emit({
      kind: 'run-started',
      run: this.#id,
      started_at: new Date(this.#startedAt).toISOString(),
      units: this.#units(),
      dry_run: this.#parts[0]?.options.dryRun ?? false,
      ...(this.#parts.some(({ part, options }) => showsSeed(part.selected.units, options, options.settings)) && {
        seed: this.#seed,
      }),
    });
    for (const absent of this.#parts.flatMap(({ part }) => part.absent)) this.#tellAbsent(absent);
    const occurrences = new Map<string, number>();
    for (const ready of this.#parts) if (this.#refused === undefined) await this.#runPart(ready, occurrences);
    await this.#removeTemporary();
    const outcome = this.#outcome(this.#host.clock.monotonic() - begin);
    this.#emit({ kind: 'run-finished', outcome });
    await this.#outputs.end();
    return outcome;
  }

  async #runPart({ part, options, runUnit }: ReadyPart, occurrences: Map<string, number>): Promise<void> {
    if (part.selected.units.length === 0) return;
    const halted = options.failFast === true && this.#files.some(({ status }) => status === 'failed');
    const shared: SharedByParts = {
      startedAt: this.#startedAt,
      seed: this.#seed,
      occurrences,
      temporary: () => this.#makeTemporary(),
      halted,
    };
    const own = {
      ...options,
      run: this.#id,
      shared,
      reporters: [relay((event) => this.#emit(event))],
      ...(this.#reporting.records && { records: kept(this.#outputs) }),
    };
    this.#current = start(narrowed(part), own, this.#host, runUnit);
    if (this.#stopped !== undefined) this.#current.stop(this.#stopped);
    const { files, refused } = await this.#current.outcome;
    addAll(this.#files, files);
    this.#refused = refused;
  }

  #units(): readonly UnitInfo[] {
    const absent = this.#parts
      .flatMap(({ part }) => part.absent)
      .map(({ file }): UnitInfo => ({ source: file, steps: 0, on_failure: 'none' }));
    return [...absent, ...this.#parts.flatMap(({ part }) => part.selected.units.map(infoOf))];
  }

  #tellAbsent(outcome: UnitOutcome): void {
    const { file, ...rest } = outcome;
    this.#files.push(outcome);
    this.#emit({ kind: 'unit-finished', source: file, ...rest });
  }

  #outcome(durationMs: number): RunOutcome {
    const counts = { passed: 0, flaky: 0, failed: 0, skipped: 0, dry_run: 0 };
    for (const file of this.#files)
      for (const key of Object.keys(counts) as (keyof Counts)[]) counts[key] += file.counts[key];
    const failed =
      this.#refused !== undefined ||
      this.#stopped !== undefined ||
      this.#files.some(({ status }) => status !== 'passed');
    return {
      run: this.#id,
      status: failed ? 'failed' : 'passed',
      counts,
      duration_ms: Math.round(durationMs * 1000) / 1000,
      seed: this.#seed,
      files: this.#files,
      ...(this.#stopped !== undefined && { stopped: this.#stopped }),
      ...(this.#refused && { refused: this.#refused }),
    };
  }

  #emit(event: RunEvent): void {
    this.#outputs.emit(event);
  }

  #makeTemporary(): Promise<string> {
    return (this.#temporary ??= this.#host.files.temporaryDirectory('svc-run-'));
  }

  async #removeTemporary(): Promise<void> {
    const made = this.#temporary;
    if (made) await this.#host.files.removeTree(await made).catch(() => undefined);
  }
}

/** Each part begins and ends; the whole does so once. */
function relay(emit: (event: RunEvent) => void): Reporter {
  return {
    event: (event) => {
      if (event.kind !== 'run-started' && event.kind !== 'run-finished') emit(event);
    },
  };
}

/** The records of a part, which does not close what others still write to. */
function kept(outputs: Outputs): RecordSink {
  return { add: (record) => outputs.add(record), flush: () => outputs.flush(), close: () => outputs.flush() };
}
