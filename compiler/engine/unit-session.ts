/// <reference lib="esnext.disposable" preserve="true" />
import { nodeHost } from '#runtime/hosts/node.ts';
import { Cancellation } from '#runtime/kernel/cancellation.ts';
import type { Frame } from '#runtime/kernel/contract.ts';
import { Pool } from '#runtime/kernel/pool.ts';
import type { Base, PortName, Ports, Settings } from '#runtime/kernel/ports.ts';
import { callFunction } from '#runtime/adapters/modules/call-module.ts';
import type { Implementation } from '#runtime/kernel/linked.ts';
import { RunState } from '#runtime/kernel/run-state.ts';
import { StepObservers } from '#runtime/kernel/step-observer.ts';
import { runStep } from '#runtime/kernel/steps/step.ts';
import { UnitRun } from '#runtime/kernel/units/unit-run.ts';
import type { CommandFacts } from '#schemas/types/command.ts';
import type { Host } from '#schemas/types/host.ts';
import type { JsonObject } from '#schemas/types/json.ts';
import type { Unit } from '#schemas/types/plan.ts';

import { sessionObservers } from './observed.ts';
import { programOfPlan } from './program.ts';

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
}

/**
 * Called as functions of modules are: the values by position, then the keywords as one object, and only behind keywords
 * a context with the signal of the step.
 */
export type OwnFunction = (...given: never[]) => unknown;
/** Functions by the name that action lists call them by. */
export type Functions = Readonly<Record<string, OwnFunction>>;

/** What a function gets that asks for these ports: the same as a command that needs them. */
export type Given<Need extends PortName> = Base & Pick<Ports, Need>;

type Work = (base: Base) => unknown;
type Commands = Record<string, () => Implementation>;

/** A failure of steps inside a step: what became of each stands in the result. */
const NESTED = 'SVC80032';

/**
 * A unit without an action file: functions run in it one after the other as steps do, and share its ports, variables and
 * environment. `close` lets go of everything that they opened.
 */
export class Session implements AsyncDisposable {
  readonly #state: RunState;
  readonly #frame: Frame & { readonly unit: UnitRun };
  readonly #facts: Record<string, CommandFacts> = {};
  readonly #commands: Commands;
  readonly #waiting = new Map<string, Work>();
  readonly #leave: () => void;
  readonly #functions: Functions;
  #count = 0;

  private constructor(options: SessionOptions) {
    const { settings = {}, signal, host = nodeHost(), functions = {} } = options;
    this.#functions = functions;
    const program = programOfPlan(
      { plan: { version: 1, units: [emptyUnit], commands: this.#facts }, hash: '0'.repeat(64) },
      {},
      { gates: {}, ...settings },
    );
    this.#commands = program.commands as Commands;
    this.#state = new RunState(program, { root: host.cwd }, host, { pool: new Pool(1), keepsRecords: false });
    const unit = new UnitRun(this.#state, emptyUnit);
    for (const observer of sessionObservers()) (unit.observers ??= new StepObservers()).add(observer, () => undefined);
    this.#frame = {
      unit,
      world: unit.world,
      scope: unit.scope,
      linked: unit.linked,
      part: 'body',
      cancel: new Cancellation(this.#state.cancel),
      depth: 0,
      dry: false,
    };
    const stop = (): void => this.#state.stop(String(signal?.reason ?? 'stopped'));
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
    this.#leave = () => signal?.removeEventListener('abort', stop);
  }

  /** Nothing is opened before it is asked for. */
  static async open(options: SessionOptions = {}): Promise<Session> {
    const session = new Session(options);
    await session.#state.open();
    return session;
  }

  /**
   * Runs a function as a step with these ports. Rejects with its failure; one of steps that it runs in turn is told by its
   * result alone. The same name always comes with the same ports.
   */
  async step<Need extends PortName, Result>(
    name: string,
    needs: readonly Need[],
    work: (given: Given<Need>) => Result | Promise<Result>,
  ): Promise<Result> {
    const id = `library#${this.#count++}`;
    let done: { readonly result: Result } | undefined;
    this.#waiting.set(id, async (base) => (done = { result: await work(base as Given<Need>) }).result);
    this.#facts[name] ??= { effects: [], needs, repeat: 'once' };
    this.#commands[name] ??= () => (_params, base) => this.#waiting.get(base.step.id)?.(base);
    const { failure } = await runStep({ id, command: name, args: {} }, this.#frame);
    this.#waiting.delete(id);
    if (done && (!failure || failure.facts.code === NESTED)) return done.result;
    throw failure ?? new Error(`${name} was not run`);
  }

  /**
   * Runs one action as an action file would: names and parameters are checked, nested lists too, references are filled.
   * Rejects with its failure; one of steps in its lists is told by its result alone.
   */
  async action(name: string, params: JsonObject): Promise<unknown> {
    const id = `library#${this.#count++}`;
    const { host } = this.#state;
    // Only who runs action lists pays for the compiler.
    const { makeCompileActions } = await import('./compile-actions.ts');
    const compiled = await makeCompileActions(new Set(Object.keys(this.#functions))).list([[name, params]], id, {
      host,
      root: host.cwd,
      here: host.cwd,
    });
    const node = compiled.parts[0]?.body[0];
    if (!node) throw new Error(`${name} gave no step`);
    let done: { readonly result: unknown } | undefined;
    const watched = async (): Promise<Implementation> => {
      const implementation = await compiled.commands[name]?.();
      return async (given, base) => {
        const result = await implementation?.(given, base);
        if (base.step.id === node.id) done = { result };
        return result;
      };
    };
    const commands = { ...compiled.commands, ...this.#ownCommands(), [name]: watched };
    const { failure } = await runStep(node, { ...this.#frame, linked: { ...compiled, commands } });
    if (failure && !(done && failure.facts.code === NESTED)) throw failure;
    return done?.result;
  }

  #ownCommands(): Commands {
    return Object.fromEntries(
      Object.entries(this.#functions).map(([name, own]) => [
        name,
        () => (params, base) => callFunction(own as (...given: unknown[]) => unknown, params, base),
      ]),
    );
  }

  /** Releases what was opened: connections, watchers, jobs, temporary files. */
  async close(): Promise<void> {
    this.#leave();
    this.#frame.cancel.end();
    await this.#frame.unit.release();
    await this.#state.removeTemporary();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Calls a function as the only step of a session of its own. */
export async function once<Need extends PortName, Result>(
  name: string,
  needs: readonly Need[],
  work: (given: Given<Need>) => Result | Promise<Result>,
  options?: SessionOptions,
): Promise<Result> {
  await using session = await Session.open(options);
  return await session.step(name, needs, work);
}

const emptyUnit: Unit = {
  source: 'library',
  tags: [],
  inputs: [],
  secrets: [],
  modules: [],
  setup: [],
  body: [],
  teardown: [],
  order: { kind: 'list', on_failure: 'continue' },
  after: [],
  needs: { commands: [], effects: [], ports: [], gates: [], env: [], files: [], hosts: [], packages: [] },
};
