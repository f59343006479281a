import type { ChildProcess } from 'node:child_process';

import type { RunUnit, RunState } from '#runtime/kernel/run-state.ts';
import type { Scope } from '#runtime/kernel/scope.ts';
import { forkModule } from '#runtime/hosts/node/programs/spawn.ts';
import { endUnit } from '#runtime/kernel/units/unit.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Unit } from '#schemas/types/plan.ts';
import type { RunRecord } from '#schemas/types/record.ts';

import { ownFlags, ownScript } from '../own-command.ts';
import { narrowed, type PartOptions, type SelectedPart } from '../run/part.ts';
import { carriedFrom, scopeOf } from './carried.ts';
import type { FromChild, ToChild, UnitJob } from './message.ts';

/** A teardown has a minute, and what is open some seconds to let go: a process that takes longer after a stop is killed. */
const GRACE_MS = 80_000;

export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The record file, absolute. */
  readonly record?: string;
}

/** Runs units in processes of their own (`--isolate`): events, evidence, records and final variables come back over a channel. */
export function isolatedUnits(part: SelectedPart, options: PartOptions, around: Surroundings): RunUnit {
  const children = new Set<ChildProcess>();
  const killAll = (): void => children.forEach((child) => void child.kill('SIGKILL'));
  const occurrences = new Map<string, number>();
  return async (state, unit, before, repeat) => {
    const job = jobOf({
      part,
      options,
      around,
      state,
      unit,
      before,
      repeat,
      temporary: await state.temporary(),
      occurrences,
    });
    const child = startChild(around);
    if (children.size === 0) process.on('exit', killAll);
    children.add(child);
    try {
      return await new UnitProcess(child, state, unit, children).run(job, occurrences);
    } finally {
      children.delete(child);
      if (children.size === 0) process.off('exit', killAll);
    }
  };
}

function startChild({ cwd, env }: Surroundings): ChildProcess {
  return forkModule(ownScript, ['__unit'], {
    cwd,
    env: env as NodeJS.ProcessEnv,
    execArgv: [...ownFlags],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
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
}

function jobOf({ part, options, around, state, unit, before, repeat, temporary, occurrences }: JobParts): UnitJob {
  const { plan, hash, places, settings } = narrowed(part);
  const { chosen } = options;
  // Plain copies: a place may be made when it is first looked at.
  const own = Object.fromEntries(
    Object.entries(places)
      .filter(([id]) => id.startsWith(`${unit.source}#`))
      .map(([id, { file, line, column, text, expect }]) => [
        id,
        { file, line, column, text, ...(expect && { expect: expect.map((each) => ({ ...each })) }) },
      ]),
  );
  return {
    kind: 'job',
    program:
      part.file === undefined ? { plan: { ...plan, units: [unit] }, hash, places: own, settings } : { file: part.file },
    source: unit.source,
    repeat,
    ...(chosen && { chosen: unit.body.filter((node) => chosen(unit, node)).map(({ id }) => id) }),
    cwd: around.cwd,
    root: options.root,
    run: state.id,
    startedAt: state.startedAt,
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
    },
    ...(around.record !== undefined && { record: around.record }),
    ...(unit.needs.ports.includes('records') && { kept: state.kept ?? [] }),
    ...(state.programs && { programs: state.programs }),
    carried: { variables: carriedFrom(before), secrets: state.masker.secrets(), occurrences: [...occurrences] },
  };
}

type Ended = Awaited<ReturnType<RunUnit>>;

/** One unit in a process of its own, seen from the process of the run. */
class UnitProcess {
  readonly #child: ChildProcess;
  readonly #state: RunState;
  readonly #unit: Unit;
  readonly #all: ReadonlySet<ChildProcess>;
  readonly #recorded = new Set<string>();
  readonly #counts = { passed: 0, flaky: 0, failed: 0, skipped: 0, dry_run: 0 };
  #ended: Ended | undefined;
  #bug: string | undefined;

  constructor(child: ChildProcess, state: RunState, unit: Unit, all: ReadonlySet<ChildProcess>) {
    this.#child = child;
    this.#state = state;
    this.#unit = unit;
    this.#all = all;
  }

  async run(job: UnitJob, occurrences: Map<string, number>): Promise<Ended> {
    const how = new Promise<string>((resolve, reject) => {
      this.#child.once('error', reject);
      this.#child.once('exit', (code, signal) => resolve(signal ?? `status ${code}`));
    });
    // Behind everything that was sent.
    const silent = new Promise<void>((resolve) => void this.#child.once('disconnect', resolve));
    this.#child.on('message', (message: FromChild) => this.#receive(message, job, occurrences));
    const leave = this.#state.cancel.whenCancelled(() => this.#stop());
    try {
      const [ending] = await Promise.all([how, silent]);
      if (this.#bug !== undefined) throw new Error(`the process of ${this.#unit.source} failed:\n${this.#bug}`);
      return this.#ended ?? this.#endedEarly(ending);
    } finally {
      leave();
    }
  }

  #receive(message: FromChild, job: UnitJob, occurrences: Map<string, number>): void {
    switch (message.kind) {
      case 'ready':
        this.#send(job);
        if (this.#state.stopped !== undefined) this.#stop();
        return;
      case 'event':
        if (message.event.kind === 'step-finished') {
          this.#note(message.event.record);
        }
        return this.#state.emit(message.event);
      case 'halted':
        this.#state.halted = true;
        for (const child of this.#all)
          if (child !== this.#child && child.connected) child.send({ kind: 'halt' } satisfies ToChild);
        return;
      case 'ended':
        for (const secret of message.carried.secrets) this.#state.masker.add(secret);
        for (const [node, count] of message.carried.occurrences) occurrences.set(node, count);
        if (message.lost !== undefined)
          this.#state.outputs.broke(fail.outputNotWritten({ path: job.record ?? '', reason: message.lost }));
        this.#ended = { outcome: message.outcome, scope: scopeOf(message.carried.variables) };
        return;
      case 'bug':
        this.#bug = message.text;
    }
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
    this.#state.host.clock.timer(GRACE_MS, () => void this.#child.kill('SIGKILL'), { background: true });
  }

  #send(message: ToChild): void {
    if (this.#child.connected) this.#child.send(message);
  }

  /** It was killed: what it did not come to is skipped, and the file has failed. */
  #endedEarly(how: string): Ended {
    return endUnit(
      this.#state,
      this.#unit,
      { recorded: this.#recorded, counts: this.#counts },
      fail.processEndedEarly({ how }).message,
    );
  }
}
