import { expect } from 'vitest';

import { isObject } from '#schemas/types/json.ts';

import type { Session, StepOptions } from '../../commands/call.ts';
import type { Scenario } from './scenario.ts';
import { callsOf, type Call, type EngineName } from './verbs.ts';

/** Longest wait (ms) of an action for its element. */
export const patienceMs = 8000;
/** Time limit (s) of a step that must fail; what changes in a page does so within half of it. */
const failsWithinS = 1.6;
export interface Outcome {
  readonly result?: unknown;
  readonly error?: string;
}

/** Outcome of each step. Fails where it is not what the scenario wants of both. */
export async function play(
  unit: Session,
  engine: EngineName,
  { page, steps, differs }: Scenario,
  isOpen: boolean,
): Promise<readonly Outcome[]> {
  if (!isOpen) for (const [command, given] of callsOf(engine, 'open', { url: page })) await unit.call(command, given);
  const outcomes: Outcome[] = [];
  for (const [verb, params, ...wanted] of steps) {
    const calls = callsOf(engine, verb, params);
    // A step that waits for what never comes has less time than others.
    const outcome = await outcomeOf(unit, calls, failsLate(wanted[0]) ? { timeout_s: failsWithinS } : {});
    if (differs === undefined && wanted.length > 0)
      expect({ [engine]: shown(outcome) }, `${verb} ${JSON.stringify(params ?? {})}`).toEqual({ [engine]: wanted[0] });
    if (wanted.length === 0 && differs === undefined) expect(outcome.error, outcome.error).toBeUndefined();
    outcomes.push(outcome);
  }
  return outcomes;
}

function failsLate(wanted: unknown): boolean {
  return isObject(wanted) && ['SVC81031', 'SVC81033', 'SVC81034'].includes(String(wanted['error']));
}

/** `last`: options of the last call, which is the one that the step is about. */
async function outcomeOf(unit: Session, calls: readonly Call[], last: StepOptions): Promise<Outcome> {
  let result: unknown = null;
  for (const [place, [command, given]] of calls.entries()) {
    const ended = await unit.step(command, given, place === calls.length - 1 ? last : {});
    if (ended.failure) return { error: ended.failure.facts.code };
    result = ended.result ?? null;
  }
  return { result: plainly(result) };
}

function shown({ error, result }: Outcome): unknown {
  return error === undefined ? result : { error };
}

/** Handles are alike whatever engine made them. */
function plainly(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainly);
  if (!isObject(value)) return value;
  if (typeof value['$handle'] === 'string') return `<${value['$handle']}>`;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plainly(part)]));
}
