/// <reference lib="esnext.disposable" preserve="true" />
import { catalogue } from '#compiler/catalogue.ts';
import { callFunction } from '#runtime/adapters/modules/call-module.ts';
import type { CallbackTable } from '#runtime/adapters/modules/callback-table.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import { Cancellation } from '#runtime/kernel/cancellation.ts';
import type { Frame, StepEnd } from '#runtime/kernel/contract.ts';
import type { Reporter } from '#runtime/kernel/events.ts';
import type { CompiledActions, Implementation, Linked } from '#runtime/kernel/linked.ts';
import { Pool } from '#runtime/kernel/pool.ts';
import type { Base, BlockStep, PortName, Ports, Settings } from '#runtime/kernel/ports.ts';
import type { Program } from '#runtime/kernel/program.ts';
import { recordable } from '#runtime/kernel/records/recordable.ts';
import { RunState } from '#runtime/kernel/run-state.ts';
import { StepObservers, type StepObserver } from '#runtime/kernel/step-observer.ts';
import { runParts } from '#runtime/kernel/steps/run-parts.ts';
import { runStep } from '#runtime/kernel/steps/step.ts';
import { stepTold } from '#runtime/kernel/steps/step-told.ts';
import { loadEnvironment } from '#runtime/kernel/units/load-environment.ts';
import type { RunOptions } from '#runtime/kernel/options.ts';
import { UnitRun } from '#runtime/kernel/units/unit-run.ts';
import type { Progress } from '#runtime/services/progress/port.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { CommandFacts } from '#schemas/types/command.ts';
import type { Host } from '#schemas/types/host.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import type { Node, Unit } from '#schemas/types/plan.ts';
import type { RunRecord } from '#schemas/types/record.ts';
import { everyNode } from '#schemas/types/walk-nodes.ts';

import type { JobsOfUnit } from './callers/joined-jobs.ts';
import type { CommonOfUnits } from './lists/common-of-units.ts';
import type { ListRules } from './lists/list-rules.ts';
import { once } from './once.ts';
import { linkedOf, programOfPlan } from './program.ts';
import { unitWith } from './unit-with.ts';

/** Under which rules functions and actions run. */
export interface SessionOptions {
  /** Gates, secrets, limits; those of `svc run` without a configuration by default. */
  readonly settings?: Partial<Settings>;
  /** Stops whatever runs. */
  readonly signal?: AbortSignal;
  /** Files, clock and network; those of Node by default. */
  readonly host?: Host;
  /** Functions that action lists call by these names, beside the commands of the standard library. */
  readonly functions?: Functions;
  /** Filled by `AT_add_package_to_callback_executor` and its WR_ twin: what callback runs may call beside commands. */
  readonly callbacks?: CallbackTable;
}

export interface UnitOptions extends SessionOptions {
  /** Project root, and folder of the unit; the host's working folder by default. */
  readonly root?: string;
  /** Its name, modules, secrets and the like. Steps of it do not run by themselves. */
  readonly unit?: Partial<Unit>;
  readonly variables?: Readonly<Record<string, Json>>;
  /** Environment profile and file; the unit reads `.env` files where this is given. */
  readonly environment?: NonNullable<RunOptions['environment']>;
  /** Hear of every step. */
  readonly reporters?: readonly Reporter[];
  readonly observers?: readonly StepObserver[];
  /** Branches at once (1). */
  readonly workers?: number;
  /** Actions and lists inside of them may name these commands alone; all by default. */
  readonly allows?: (command: string) => boolean;
  /** Looks at what a command is called with at last, and rejects where it may not be. */
  readonly guard?: NonNullable<ListRules['guard']>;
  /** Present where many units are opened for the same caller, or one for many: what they need not find out again. */
  readonly common?: Partial<CommonOfUnits>;
  /** Place where named transfers are seen; a place of its own by default. */
  readonly progress?: Progress;
  /** Jobs beside those of the unit that its steps see and end; its own alone by default. */
  readonly jobs?: JobsOfUnit;
  /** Records of all steps are kept: for `records`, and for commands that ask for them. */
  readonly keepsRecords?: boolean;
}

/**
 * Called as functions of modules are: the values by position, then the keywords as one object, and only behind keywords
 * a context with the signal of the step.
 */
export type OwnFunction = (...given: never[]) => unknown;
/** Functions by the name that action lists call them by. */
export type Functions = Readonly<Record<string, OwnFunction>>;

/** Base of a function that asks for these ports: the same as a command that needs them. */
export type Given<Need extends PortName> = Base & Pick<Ports, Need>;

/** A list of actions before it runs. */
export interface OpenList {
  /** Names of all commands that it may call, in lists inside of it too. */
  readonly commands: readonly string[];
  /** `dry`: what would be called is told, and nothing is. `signal` ends this run alone. */
  run(how?: { readonly dry?: boolean; readonly signal?: AbortSignal }): Promise<readonly ListedStep[]>;
}

/** Outcome of a step of a list, masked. */
export type ListedStep = Omit<BlockStep, 'id'>;

type OwnFrame = Frame & { readonly unit: UnitRun };
type Work = (base: Base) => unknown;
type Commands = Record<string, () => Implementation>;
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Reason for which nothing runs in a unit that was closed. */
const CLOSED = 'it was closed';
/** A failure of steps inside a step: what became of each stands in the result. */
const NESTED = 'SVC80032';

const compileActions = once(() => import('./compile-actions.ts'));

/**
 * One unit kept open: steps run in it one after the other as those of an action file do, and share its ports, variables
 * and environment. Programs, prompts, debuggers, servers and tests run by it. `close` lets go of everything that steps
 * opened.
 */
export class OpenUnit implements AsyncDisposable {
  readonly work: UnitRun;
  readonly #state: RunState;
  readonly #frame: OwnFrame;
  readonly #facts: Record<string, CommandFacts> = {};
  readonly #waiting = new Map<string, Work>();
  readonly #functions: Functions;
  readonly #root: string;
  readonly #lists: ListRules;
  readonly #leave: () => void;
  readonly #readsEnvironment: boolean;
  /** Calls that have not ended yet. */
  readonly #underWay = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;
  #count = 0;

  constructor(options: UnitOptions) {
    const { settings = {}, signal, host = nodeHost(), functions = {}, reporters, workers = 1 } = options;
    this.#functions = functions;
    this.#root = options.root ?? host.cwd;
    const { common } = options;
    const { allows, guard } = options;
    this.#lists = {
      ...(allows && { allows }),
      ...(guard && { guard }),
      ...(common?.lists && { kept: common.lists }),
      ...(common?.threads && { threads: common.threads }),
    };
    this.#readsEnvironment = options.environment !== undefined;
    const asked = unitWith(options.unit);
    const needs = { ...asked.needs, ports: [...asked.needs.ports, 'environment'] };
    const unit = this.#readsEnvironment ? { ...asked, needs } : asked;
    const { kept: _kept, ...rules } = this.#lists;
    const names = new Set(Object.keys(functions));
    const program = programOfPlan(
      { plan: { version: 1, units: [unit], commands: this.#facts }, hash: '0'.repeat(64) },
      {},
      { gates: {}, ...settings },
      names.size > 0 ? { ...rules, functions: names } : this.#lists,
    );
    this.#state = new RunState(
      program,
      {
        root: this.#root,
        ...(reporters && { reporters }),
        ...(common?.environmentSecrets && { environmentSecrets: common.environmentSecrets }),
        ...(options.environment && { environment: options.environment }),
      },
      host,
      {
        pool: new Pool(workers),
        keepsRecords: options.keepsRecords ?? false,
      },
    );
    const { callbacks, progress, jobs } = options;
    if (progress) this.#state.shared('progress', () => progress);
    for (const kind of ['watch', 'schedule', 'integrity'] as const)
      if (jobs) this.#state.shared(kind, () => jobs[kind]);
    if (callbacks) this.#state.shared('callbacks', () => callbacks);
    this.work = new UnitRun(this.#state, unit);
    const { scope, world, linked } = this.work;
    for (const [name, value] of Object.entries(options.variables ?? {})) scope.define(name, value);
    for (const observer of options.observers ?? [])
      (this.work.observers ??= new StepObservers()).add(observer, () => undefined);
    const cancel = new Cancellation(this.#state.cancel);
    this.#frame = { unit: this.work, world, scope, linked, part: 'body', cancel, depth: 0, dry: false };
    const stop = (): void => this.stop(reasonOf(signal));
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
    // A function that is assigned to a property as it is written would live among old objects, and keep the unit for long.
    const leave = (): void => signal?.removeEventListener('abort', stop);
    this.#leave = leave;
  }

  /** Loads what every step needs; ports are opened when a step asks for them. */
  async open(): Promise<this> {
    await this.#state.open();
    if (this.#readsEnvironment) await loadEnvironment(this.work);
    return this;
  }

  /** One for each step that has ended, and for each inside of it. Empty where none are kept. */
  get records(): readonly RunRecord[] {
    return this.#state.kept ?? [];
  }

  /**
   * Runs one step of a plan, with commands of the standard library, or with what is `linked` for it. A failure is told
   * by how it ended: nothing is thrown for it.
   */
  async step(node: Node, linked?: Linked): Promise<StepEnd> {
    if (!linked) await this.#know(everyNode([node]).map(({ command }) => command));
    return await runStep(node, linked ? { ...this.#frame, linked } : this.#frame);
  }

  /**
   * Runs one action as an action file would: names and parameters are checked, nested lists too, references are filled.
   * Rejects with its failure; one of steps in its lists is told by its result alone. `signal` ends this call alone.
   */
  call(name: string, params: JsonObject, signal?: AbortSignal): Promise<unknown> {
    return this.#whileOpen(() => this.#until(signal, (frame) => this.#called(name, params, frame)));
  }

  async #called(name: string, params: JsonObject, frame: OwnFrame): Promise<unknown> {
    const { host } = this.#state;
    const functions = new Set(Object.keys(this.#functions));
    // Only who runs action lists pays for the compiler.
    const { makeCompileActions } = await compileActions();
    const around = { host, root: this.#root, here: this.#root, signal: frame.cancel.signal };
    const { kept: _kept, ...rules } = this.#lists;
    const compiled = await makeCompileActions({ ...rules, functions }).list([[name, params]], this.#nextId(), around);
    const node = compiled.parts[0]?.body[0];
    if (!node) throw new Error(`${name} gave no step`);
    let done: { readonly result: unknown } | undefined;
    const watched = async (): Promise<Implementation> => {
      const implementation = await commands[name]?.();
      return async (given, base) => {
        const result = await implementation?.(given, base);
        if (base.step.id === node.id) done = { result };
        return result;
      };
    };
    const commands = { ...compiled.commands, ...this.#ownCommands() };
    const linked = { ...compiled, commands: { ...commands, [name]: watched } };
    const { failure } = await runStep(node, { ...frame, linked });
    if (failure && !(done && failure.facts.code === NESTED)) throw failure;
    return done?.result;
  }

  /** Runs work that a signal cancels; what else runs in the unit, and what was made in it, stays. */
  async #until<Result>(signal: AbortSignal | undefined, work: (frame: OwnFrame) => Promise<Result>): Promise<Result> {
    if (!signal) return work(this.#frame);
    const cancel = new Cancellation(this.#frame.cancel);
    const stop = (): void => cancel.cancel(fail.runStopped({ reason: this.#state.masker.text(reasonOf(signal)) }));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await work({ ...this.#frame, cancel });
    } finally {
      signal.removeEventListener('abort', stop);
      cancel.end();
    }
  }

  /**
   * Compiles a list of actions that is data; nothing of it has run then. Rejects with what is wrong with it. Its steps
   * run as those of an action file do, and none of them ends the others by its failure.
   */
  async list(actions: Json, signal?: AbortSignal): Promise<OpenList> {
    const { host } = this.#state;
    const { makeCompileActions } = await compileActions();
    const compiled = await makeCompileActions(this.#lists).list(actions, this.#nextId(), {
      host,
      root: this.#root,
      here: this.#root,
      signal: AbortSignal.any([this.#frame.cancel.signal, ...(signal ? [signal] : [])]),
    });
    return {
      commands: Object.keys(compiled.facts),
      run: ({ dry = false, signal: over } = {}) =>
        this.#until(over, (frame) => this.#runList(compiled, { ...frame, linked: compiled, depth: 1, dry })),
    };
  }

  /** One end for each step; of a list that stands behind others on which it depends, also those of the others. */
  async #runList({ parts }: CompiledActions, frame: Frame): Promise<readonly ListedStep[]> {
    const nodes = parts.flatMap(({ setup, body, teardown }) => [...setup, ...body, ...teardown]);
    const { steps } = await runParts(parts, frame);
    return nodes.map((node, index) => stepTold(node, steps[index], this.#state.masker));
  }

  /**
   * Runs a function as a step with these ports. Rejects with its failure; one of steps that it runs in turn is told by
   * its result alone. The same name always comes with the same ports.
   */
  within<Need extends PortName, Result>(
    name: string,
    needs: readonly Need[],
    work: (given: Given<Need>) => Result | Promise<Result>,
  ): Promise<Result> {
    return this.#whileOpen(() => this.#stepOf(name, needs, work));
  }

  async #stepOf<Need extends PortName, Result>(
    name: string,
    needs: readonly Need[],
    work: (given: Given<Need>) => Result | Promise<Result>,
  ): Promise<Result> {
    const id = this.#nextId();
    let done: { readonly result: Result } | undefined;
    this.#waiting.set(id, async (base) => (done = { result: await work(base as Given<Need>) }).result);
    this.define(name, { effects: [], needs, repeat: 'once' }, (_params, base) =>
      this.#waiting.get(base.step.id)?.(base),
    );
    const { failure } = await this.step({ id, command: name, args: {} });
    this.#waiting.delete(id);
    if (done && (!failure || failure.facts.code === NESTED)) return done.result;
    throw failure ?? new Error(`${name} was not run`);
  }

  /**
   * Lets steps call a function by a name that is no command of the standard library. A name keeps what it was defined
   * as.
   */
  define(name: string, facts: CommandFacts, implementation: Implementation): void {
    this.#facts[name] ??= facts;
    (this.work.linked.commands as Commands)[name] ??= () => implementation;
  }

  /** A value as it may leave the run: secrets are hidden. */
  masked<Value extends Json>(value: Value): Value {
    return recordable(value, this.#state.masker, undefined, Infinity)?.json as Value;
  }

  /** Cancels what runs, as an interrupt does; what comes later fails. */
  stop(reason: string): void {
    this.#state.stop(reason);
  }

  /** Resolves when nothing of what steps have begun goes on any more: watches, schedules. */
  async settled(): Promise<void> {
    while (this.work.jobs.size > 0) await Promise.all([...this.work.jobs].map(({ done }) => done));
  }

  /**
   * Releases what was opened: connections, watchers, jobs, temporary files. Calls under way are cancelled first: what
   * they opened later would live on. Later calls reject.
   */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    if (this.#underWay.size > 0) this.stop(CLOSED);
    await Promise.allSettled(this.#underWay);
    this.#leave();
    this.#frame.cancel.end();
    await this.work.release();
    await this.#state.removeTemporary();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #whileOpen<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#closing) throw fail.runStopped({ reason: CLOSED });
    const running = work();
    this.#underWay.add(running);
    try {
      return await running;
    } finally {
      this.#underWay.delete(running);
    }
  }

  #nextId(): string {
    return `${this.work.unit.source}#${this.#count++}`;
  }

  /** Links commands of the standard library. */
  async #know(names: readonly string[]): Promise<void> {
    const fresh = names.filter((name) => this.#facts[name] === undefined);
    if (fresh.length === 0) return;
    // Functions alone need no facts of the compiler's.
    const { factsOf } = await import('#compiler/phases/6-plan/facts.ts');
    await catalogue.prepare(fresh);
    const infos = fresh.flatMap((name) => catalogue.get(name) ?? []);
    const { facts, commands, validators, verdicts } = linkedOf(
      Object.fromEntries(infos.map((info) => [info.name, factsOf(info)])),
      {},
    );
    const linked = this.work.linked as Mutable<Program & Linked>;
    Object.assign(this.#facts, facts);
    Object.assign(linked.commands, commands);
    Object.assign(linked.validators, validators);
    Object.assign(linked.verdicts ?? {}, verdicts);
  }

  #ownCommands(): Commands {
    return Object.fromEntries(
      Object.entries(this.#functions).map(([name, own]) => [
        name,
        () => (params, base) => callFunction(own as (...given: unknown[]) => unknown, params, base),
      ]),
    );
  }
}

function reasonOf(signal: AbortSignal | undefined): string {
  const reason: unknown = signal?.reason ?? 'stopped';
  return reason instanceof Error ? reason.message : String(reason);
}

/** Opens a unit in which nothing has run yet. */
export function openUnit(options: UnitOptions = {}): Promise<OpenUnit> {
  return new OpenUnit(options).open();
}
