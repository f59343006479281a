/// <reference lib="esnext.disposable" preserve="true" />
import { sessionObservers } from '#compiler/engine/observed.ts';
import { openUnit, type Given, type OpenUnit, type SessionOptions } from '#compiler/engine/unit-session.ts';
import type { PortName } from '#runtime/kernel/ports.ts';
import type { JsonObject } from '#schemas/types/json.ts';

/**
 * A unit without an action file: functions run in it one after the other as steps do, and share its ports, variables
 * and environment. `close` lets go of everything that they opened.
 */
export class Session implements AsyncDisposable {
  readonly #unit: OpenUnit;

  private constructor(unit: OpenUnit) {
    this.#unit = unit;
  }

  /** Nothing is opened before it is asked for. */
  static async open(options: SessionOptions = {}): Promise<Session> {
    return new Session(await openUnit({ ...options, unit: { source: 'library' }, observers: sessionObservers() }));
  }

  /**
   * Runs a function as a step with these ports. Rejects with its failure; one of steps that it runs in turn is told by
   * its result alone. The same name always comes with the same ports.
   */
  step<Need extends PortName, Result>(
    name: string,
    needs: readonly Need[],
    work: (given: Given<Need>) => Result | Promise<Result>,
  ): Promise<Result> {
    return this.#unit.within(name, needs, work);
  }

  /**
   * Runs one action as an action file would: names and parameters are checked, nested lists too, references are filled.
   * Rejects with its failure; one of steps in its lists is told by its result alone.
   */
  action(name: string, params: JsonObject): Promise<unknown> {
    return this.#unit.call(name, params);
  }

  /**
   * Releases what was opened: connections, watchers, jobs, temporary files. What still runs is cancelled; later calls
   * reject.
   */
  close(): Promise<void> {
    return this.#unit.close();
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
