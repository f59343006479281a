import { join } from 'node:path';

import type { RunUnit, RunState } from '#runtime/kernel/run-state.ts';
import type { Scope } from '#runtime/kernel/scope.ts';
import { endUnit } from '#runtime/kernel/units/unit.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Unit } from '#schemas/types/plan.ts';
import { everyNode } from '#schemas/types/walk-nodes.ts';
import type { RunRecord } from '#schemas/types/record.ts';

import { narrowed, type PartOptions, type SelectedPart } from '../run/part.ts';
import { carriedFrom, scopeOf } from './carried.ts';
import { Channel } from './channel.ts';
import { checkFromWorker } from './check-message.ts';
import { plainPlace } from './plain-place.ts';
import type { FromWorker, ToWorker, UnitJob } from './protocol.ts';
import { forkedWorkers, type StartWorker, type Worker } from './worker.ts';

/**
 * A teardown has a minute, and what is open some seconds to let go: a process that takes longer after a stop is killed.
 */
const GRACE_MS = 80_000;

export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The record file, absolute. */
  readonly record?: string;
  /** Folder for the evidence of failed steps, of which each file has one of its own, and bounds of what is written. */
  readonly evidence?: { readonly folder: string; readonly bounds: readonly string[] };
}

/**
 * Runs units in processes of their own (`--isolate`), as many at once as the run has workers: events, evidence, records
 * and final variables come back over a channel.
 */
export function isolatedUnits(
  part: SelectedPart,
  options: PartOptions,
  around: Surroundings,
  { startWorker = forkedWorkers(), longest }: WorkerOptions = {},
): RunUnit {
  const units = new Set<UnitProcess>();
  const killAll = (): void => units.forEach((unit) => unit.kill());
  const occurrences = new Map<string, number>();
  let begun = 0;
  return async (state, unit, before, repeat) => {
    const temporary = await state.temporary();
    const job = jobOf({ part, options, around, state, unit, before, repeat, temporary, occurrences, number: ++begun });
    const own = new UnitProcess(linked(await startWorker(around), longest), state, unit, units);
    if (units.size === 0) process.on('exit', killAll);
    units.add(own);
    try {
      return await own.run(job, occurrences);
    } finally {
      units.delete(own);
      if (units.size === 0) process.off('exit', killAll);
    }
  };
}

/** Ways to reach workers. */
export interface WorkerOptions {
  /** Forked processes, unless others are given. */
  readonly startWorker?: StartWorker;
  /** Longest message (128 Mi characters). */
  readonly longest?: number;
}

interface Linked {
  readonly worker: Worker;
  readonly link: Channel<ToWorker, FromWorker>;
}

function linked(worker: Worker, longest: number | undefined): Linked {
  const limit = longest === undefined ? {} : { longest };
  return { worker, link: new Channel(worker.transport, { check: checkFromWorker, ...limit }) };
}

interface JobParts {
  readonly part: SelectedPart;
  readonly options: PartOptions;
  readonly around: Surroundings;
  readonly state: RunState;
  readonly unit: Unit;
  readonly before: readonly Scope[];
  readonly repeat: number;
  readonly temporary: string;
  readonly occurrences: ReadonlyMap<string, number>;
  /** Number of the process among those of the part, from 1. */
  readonly number: number;
}

function jobOf({
  part,
  options,
  around,
  state,
  unit,
  before,
  repeat,
  temporary,
  occurrences,
  number,
}: JobParts): UnitJob {
  const { plan, hash, places, settings } = narrowed(part);
  const { chosen } = options;
  const resumedAt = options.resumedAt?.[unit.source];
  // Plain copies: a place may be made when it is first looked at.
  const own = Object.fromEntries(
    Object.entries(places)
      .filter(([id]) => id.startsWith(`${unit.source}#`))
      .map(([id, place]) => [id, plainPlace(place, state.showsEvidence)]),
  );
  return {
    kind: 'job',
    program:
      part.file === undefined ? { plan: { ...plan, units: [unit] }, hash, places: own, settings } : { file: part.file },
    source: unit.source,
    repeat,
    ...(chosen && {
      chosen: everyNode(unit.body)
        .filter((node) => chosen(unit, node))
        .map(({ id }) => id),
    }),
    ...(resumedAt !== undefined && { resumedAt }),
    cwd: around.cwd,
    root: options.root,
    run: state.id,
    startedAt: state.startedAt,
    seed: state.seed,
    temporary,
    variables: options.variables ?? {},
    environment: options.environment ?? {},
    settings: options.settings ?? {},
    flags: {
      dryRun: options.dryRun ?? false,
      failFast: options.failFast ?? false,
      once: options.once ?? false,
      retries: options.retries ?? 0,
      repeat: options.repeat ?? 1,
      ...(options.seed !== undefined && { seed: options.seed }),
    },
    ...(around.record !== undefined && { record: around.record }),
    ...(around.evidence && {
      evidence: { ...around.evidence, folder: join(around.evidence.folder, `file-${number}`) },
    }),
    ...(unit.needs.ports.includes('records') && { kept: state.kept ?? [] }),
    ...(state.programs && { programs: state.programs }),
    carried: { variables: carriedFrom(before), secrets: state.masker.secrets(), occurrences: [...occurrences] },
  };
}

type Ended = Awaited<ReturnType<RunUnit>>;

/** One unit in a process of its own, seen from the process of the run. */
class UnitProcess {
  readonly #worker: Worker;
  readonly #link: Channel<ToWorker, FromWorker>;
  readonly #state: RunState;
  readonly #unit: Unit;
  readonly #all: ReadonlySet<UnitProcess>;
  readonly #recorded = new Set<string>();
  readonly #counts = { passed: 0, flaky: 0, failed: 0, skipped: 0, dry_run: 0 };
  #leftOut = 0;
  #ended: Ended | undefined;
  #cut: string | undefined;
  #bug: string | undefined;

  constructor({ worker, link }: Linked, state: RunState, unit: Unit, all: ReadonlySet<UnitProcess>) {
    this.#worker = worker;
    this.#link = link;
    this.#state = state;
    this.#unit = unit;
    this.#all = all;
  }

  async run(job: UnitJob, occurrences: Map<string, number>): Promise<Ended> {
    this.#link.onMessage((message) => this.#receive(message, job, occurrences));
    // Nobody understands what it says: it must not go on.
    const silent = this.#link.ended.then((broken) => {
      if (broken === undefined) return;
      this.#cut ??= broken;
      this.kill();
    });
    const leave = this.#state.cancel.whenCancelled(() => this.#stop());
    try {
      // Behind everything that was sent.
      const [how] = await Promise.all([this.#worker.ended, silent]);
      this.#tellLeftOut();
      if (this.#bug !== undefined) throw new Error(`the process of ${this.#unit.source} failed:\n${this.#bug}`);
      return this.#ended ?? this.#endedEarly(this.#cut ?? how);
    } finally {
      leave();
    }
  }

  kill(): void {
    this.#worker.kill();
  }

  /** The run ends at the first failure, and another unit has failed. */
  halt(): void {
    this.#send({ kind: 'halt' });
  }

  #receive(message: FromWorker, job: UnitJob, occurrences: Map<string, number>): void {
    switch (message.kind) {
      case 'ready':
        this.#send(job);
        if (this.#state.stopped !== undefined) this.#stop();
        return;
      case 'event':
        if (message.event.kind === 'step-finished') this.#note(message.event.record);
        return this.#state.emit(message.event);
      case 'left-out':
        this.#leftOut += message.count;
        return;
      case 'halted':
        this.#state.halted = true;
        for (const unit of this.#all) if (unit !== this) unit.halt();
        return;
      case 'ended':
        for (const secret of message.carried.secrets) this.#state.masker.add(secret);
        for (const [node, count] of message.carried.occurrences) occurrences.set(node, count);
        if (message.lost !== undefined)
          this.#state.outputs.broke(fail.outputNotWritten({ path: job.record ?? '', reason: message.lost }));
        this.#ended = { outcome: message.outcome, scope: scopeOf(message.carried.variables) };
        return;
      case 'cut':
        this.#cut ??= message.reason;
        return;
      case 'bug':
        this.#bug = message.text;
    }
  }

  #tellLeftOut(): void {
    if (this.#leftOut === 0) return;
    const text = `${this.#leftOut} events of ${this.#unit.source} were too large, or came faster than they could be told: records are whole, reports are not`;
    this.#state.emit({ kind: 'notice', level: 'warning', text, source: this.#unit.source });
  }

  #note(record: RunRecord): void {
    this.#recorded.add(record.id);
    this.#state.kept?.push(record);
    if (record.superseded) return;
    const counts = this.#counts;
    if (record.status === 'passed') counts.passed++;
    if (record.flaky) counts.flaky++;
    if (record.status === 'failed') counts.failed++;
    if (record.status === 'skipped') counts.skipped++;
    if (record.status === 'dry-run') counts.dry_run++;
  }

  #stop(): void {
    this.#send({ kind: 'stop', reason: this.#state.stopped ?? '' });
    this.#state.host.clock.timer(GRACE_MS, () => this.kill(), { background: true });
  }

  #send(message: ToWorker): void {
    this.#link.send(message).catch((error: unknown) => {
      this.#cut ??= `its work could not be sent: ${error instanceof Error ? error.message : String(error)}`;
      this.kill();
    });
  }

  /**
   * End of a unit whose process was killed: the steps that it did not come to are skipped, and the file has
   * failed.
   */
  #endedEarly(how: string): Ended {
    return endUnit(
      this.#state,
      this.#unit,
      { recorded: this.#recorded, counts: this.#counts },
      fail.processEndedEarly({ how }).message,
    );
  }
}
