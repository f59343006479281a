import * as fail from '#schemas/generated/failures.ts';
import type { Clock } from '#schemas/types/host.ts';
import type { Unit } from '#schemas/types/plan.ts';
import type { StoredSnapshots } from '#schemas/types/run-event.ts';

import { CommandUse } from '../steps/command-use.ts';
import { chanceOf } from '../chance.ts';
import type { Counts } from '../events.ts';
import { UnitEnvironment } from './environment.ts';
import type { Call, CommandView, RunGraph, UnitView } from '../contract.ts';
import { Guard } from '../guard.ts';
import { kernelPort } from './kernel-ports.ts';
import type { BackgroundJob, Chance, Evidence, PortContext, PortName, Ports, SaveState } from '../ports.ts';
import type { Linked } from '../linked.ts';
import { notLinked } from '../not-linked.ts';
import type { RunState } from '../run-state.ts';
import { recordable } from '../records/recordable.ts';
import { Scope } from '../scope.ts';
import type { StepHooks } from '../step-hooks.ts';
import { StepObservers, type StepObserver } from '../step-observer.ts';
import { ListRows } from './list-rows.ts';
import { RowState } from './row-state.ts';
import type { World } from '../values/surroundings.ts';
import { makeWorld, seenEnvironment } from './world.ts';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Time limit (ms) for a port to let go. */
const RELEASE_MS = 10_000;
/** Time limit (ms) for a port to show something of a failed step. */
const EVIDENCE_MS = 5_000;

/** One action file at work: its variables, environment, gates, ports, jobs and counts. */
export class UnitRun implements UnitView {
  readonly run: RunState;
  readonly unit: Unit;
  readonly linked: Linked;
  // Where nothing can be stored, nobody looks.
  readonly scope = import.meta.withoutVariables ? (Object.create(null) as Scope) : new Scope();
  readonly guard: Guard;
  readonly world: World;
  readonly counts: Mutable<Counts> = { passed: 0, flaky: 0, failed: 0, skipped: 0, dry_run: 0 };
  readonly jobs = new Set<BackgroundJob>();
  /** Observers of its steps; made when the first one asks. */
  observers: StepObservers | undefined;
  hooks: StepHooks | undefined;
  /** The variables of the last dataset row: what teardown and later units see. */
  last: Scope | undefined;
  /** Fault outside of the steps: the unit fails then, even where each step that ran has passed. */
  broken: string | undefined;
  /** Set when ports are let go: nothing may begin any more. */
  released = false;
  readonly #environment: UnitEnvironment | undefined;
  /** Number of this run among several of this unit, from 0. */
  readonly repeat: number;
  /** Number of times that steps have asked for chance, by id and row. */
  readonly #turns = new Map<string, number>();
  readonly #uses = new Map<Linked, Map<string, CommandUse>>();
  readonly #ports = new Map<PortName, Promise<unknown>>();
  readonly #evidence = new Map<PortName, (port: unknown) => Promise<readonly Evidence[]>>();
  /** Present where the unit has rows. */
  readonly rows: RowState | undefined;
  /** Ways back of the ports, for lists that run once a row. */
  readonly lists: ListRows | undefined;
  readonly #open: { readonly close: () => void | Promise<void>; readonly name: string }[] = [];

  constructor(run: RunState, unit: Unit, repeat = 0) {
    this.run = run;
    this.unit = unit;
    this.repeat = repeat;
    const { program } = run;
    this.linked = {
      facts: program.plan.commands,
      places: program.places,
      commands: program.commands,
      ports: program.ports,
      validators: program.validators,
      ...(program.verdicts && { verdicts: program.verdicts }),
    };
    this.#environment = import.meta.withoutEnvironment
      ? undefined
      : new UnitEnvironment(
          { env: seenEnvironment(run), parseEnv: run.host.parseEnv },
          (key, value) => {
            if (this.isSecretKey(key)) run.masker.add(value);
          },
          unit.env_keys,
        );
    for (const key of unit.secrets) run.masker.add(run.host.env[key]);
    this.guard = new Guard(run.settings.gates);
    this.lists = import.meta.withoutRows ? undefined : new ListRows(run.host.clock, this.jobs);
    this.rows = import.meta.withoutRows ? undefined : unit.rows && new RowState(run.host.clock, this.jobs);
    if (!import.meta.withoutRows && !import.meta.withoutEnvironment)
      this.#goesBack('environment', () => this.environment.save());
    if (!import.meta.withoutRows) this.#goesBack('gates', () => this.guard.save());
    this.world = makeWorld(this);
  }

  get environment(): UnitEnvironment {
    return this.#environment ?? notLinked('environment');
  }

  isSecretKey(key: string): boolean {
    return this.run.isSecretKey(key, this.unit.secrets);
  }

  use(command: string, linked: Linked): CommandUse {
    let uses = this.#uses.get(linked);
    if (!uses) this.#uses.set(linked, (uses = new Map()));
    let use = uses.get(command);
    if (!use) uses.set(command, (use = new CommandUse(command, linked, this)));
    return use;
  }

  chance(id: string, row: number | undefined, call: Call): Chance {
    // A bundler takes code behind a `return` for used: this must stand in a branch of its own.
    if (!import.meta.withoutChance) {
      const node = row === undefined ? id : `${id} ${row}`;
      const turn = this.#turns.get(node) ?? 0;
      this.#turns.set(node, turn + 1);
      const seed = this.run.options.seed ?? this.unit.seed ?? this.run.seed;
      return chanceOf(seed, `${node} ${this.repeat} ${turn}`, (drawn) => void (call.seed = drawn));
    }
    return notLinked('chance');
  }

  /** Opened at the first use; one that could not be opened is tried again by the next step that needs it. */
  port<Name extends PortName>(name: Name, linked: Linked): Promise<Ports[Name]> {
    let port = this.#ports.get(name);
    if (!port) {
      port = this.#openPort(name, linked);
      this.#ports.set(name, port);
      port.catch(() => this.#ports.delete(name));
    }
    return port as Promise<Ports[Name]>;
  }

  async #openPort(name: PortName, linked: Linked): Promise<unknown> {
    const own = kernelPort(name, this);
    if (own !== undefined) return own;
    const provider = await linked.ports[name]?.();
    if (!provider) throw new Error(`no provider for the port ${name} is linked`);
    const { evidence } = provider;
    if (!(import.meta.withoutEvidence && import.meta.withoutHooks) && evidence)
      this.#evidence.set(name, (port) => evidence.call(provider, port as never, evidenceTime(this.run.host.clock)));
    return provider.open(this.#portContext(name, linked));
  }

  #portContext(name: PortName, linked: Linked): PortContext {
    const { run, guard } = this;
    return {
      host: run.host,
      folders: this.world.folders,
      settings: run.settings,
      release: (close) => void this.#open.push({ close, name }),
      mask: (secret) => run.masker.add(secret),
      masked: (value) => recordable(value, run.masker, undefined, Infinity)?.json as typeof value,
      isOpen: (gate) => guard.isOpen(gate),
      isDenied: (gate) => guard.isDenied(gate),
      keep: (job) => {
        if (import.meta.withoutJobs) return notLinked('jobs');
        this.jobs.add(job);
        void job.done.then(() => this.jobs.delete(job));
      },
      observe: (observer) => (import.meta.withoutObservers ? notLinked('observers') : observe(this, name, observer)),
      hookSteps: (hooks) => (import.meta.withoutHooks ? notLinked('hooks') : void (this.hooks = hooks)),
      showNow: (names) => (import.meta.withoutHooks ? notLinked('hooks') : shown(names, this.#ports, this.#evidence)),
      eachRow: (save) => (import.meta.withoutRows ? undefined : this.#goesBack(name, save)),
      notice: (level, text, options) => {
        if (options?.once === undefined || run.isFirst(options.once)) this.notice(level, text, options);
      },
      say: (stream, lines) =>
        import.meta.withoutLines
          ? notLinked('lines')
          : run.emit({ kind: 'lines', stream, lines: lines.map((line) => run.masker.text(line)) }),
      ofRun: (key, make) => run.shared(key, make),
      port: (other) => this.port(other, linked),
    };
  }

  /** Waits for the locks of the unit; they are let go when all that it has opened has been. */
  async lock(names: readonly string[], signal: AbortSignal): Promise<void> {
    if (import.meta.withoutLocks) return notLinked('locks');
    const take = (await this.run.program.parts?.locks?.()) ?? notLinked('locks');
    await take(names, {
      host: this.run.host,
      root: this.world.folders.root,
      signal,
      release: (close) => void this.#open.push({ close, name: 'locks' }),
      waits: (name, holder) => {
        this.notice('info', `waits for the lock "${name}" of ${holder}`);
        this.run.flush();
      },
    });
  }

  #goesBack(name: string, save: SaveState): void {
    if (import.meta.withoutRows) return;
    this.rows?.add(name, save);
    this.lists?.add(name, save);
  }

  /** Loads the part that runs steps at the same time; linked only where a plan has some. */
  async graph(): Promise<RunGraph> {
    const graph = await this.run.program.parts?.graph?.();
    return graph ?? notLinked('graph');
  }

  /** Evidence from the open ports of a failed step; undefined where none has something. */
  evidence(use: CommandView): Promise<readonly Evidence[]> | undefined {
    return import.meta.withoutEvidence || !this.run.showsEvidence ? undefined : evidenceOf(use, this.#evidence);
  }

  notice(level: 'info' | 'warning', text: string, options?: { readonly snapshots?: StoredSnapshots }): void {
    if (this.run.hasReporters)
      this.run.emit({
        kind: 'notice',
        level,
        text: this.run.masker.text(text),
        source: this.unit.source,
        ...(import.meta.withoutSnapshots ? {} : options?.snapshots && { snapshots: options.snapshots }),
      });
  }

  /**
   * Stops jobs and lets go of everything, the last opened first. A part that fails or hangs does not hold up the
   * others.
   */
  async release(): Promise<void> {
    this.released = true;
    if (!import.meta.withoutJobs)
      for (const job of [...this.jobs].reverse()) await this.#letGo(job.name, () => job.stop());
    for (let next = this.#open.pop(); next; next = this.#open.pop()) await this.#letGo(next.name, next.close);
  }

  async #letGo(name: string, close: () => void | Promise<void>): Promise<void> {
    const { clock } = this.run.host;
    let cancel: (() => void) | undefined;
    const limit = new Promise<never>((_, reject) => {
      cancel = clock.timer(RELEASE_MS, () => reject(fail.releaseTimedOut({ name, seconds: RELEASE_MS / 1000 })));
    });
    try {
      await Promise.race([Promise.resolve(close()), limit]);
    } catch (error) {
      this.notice('warning', fail.releaseFailed({ name, reason: messageOf(error) }).message);
    } finally {
      cancel?.();
    }
  }
}

function evidenceTime(clock: Clock): AbortSignal {
  const controller = new AbortController();
  clock.timer(EVIDENCE_MS, () => controller.abort(new Error('showing evidence took too long')), { background: true });
  return controller.signal;
}

function observe(work: UnitRun, name: PortName, observer: StepObserver): () => void {
  return (work.observers ??= new StepObservers()).add(observer, (error) => {
    if (work.run.isFirst(`observer ${name}`))
      work.notice('warning', fail.observerFailed({ name, reason: messageOf(error) }).message);
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

type Shows = ReadonlyMap<PortName, (port: unknown) => Promise<readonly Evidence[]>>;

/** Evidence of the first port that has some. */
async function shown(
  names: readonly PortName[],
  ports: ReadonlyMap<PortName, Promise<unknown>>,
  shows: Shows,
): Promise<readonly Evidence[]> {
  for (const name of names) {
    const show = shows.get(name);
    const port: unknown = await ports.get(name)?.catch(() => undefined);
    const pieces = show && port !== undefined ? await show(port).catch(() => []) : [];
    if (pieces.length > 0) return pieces;
  }
  return [];
}

function evidenceOf({ shared }: CommandView, evidence: Shows): Promise<readonly Evidence[]> | undefined {
  const shows = shared.flatMap(({ name, port }) => {
    const show = evidence.get(name);
    return show ? [() => show(port)] : [];
  });
  if (shows.length === 0) return undefined;
  return Promise.all(shows.map((show) => show().catch(() => []))).then((pieces) => pieces.flat());
}
