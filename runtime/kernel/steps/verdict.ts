import * as fail from '#schemas/generated/failures.ts';
import type { Verdict } from '#schemas/types/command.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { Json } from '#schemas/types/json.ts';

import { isFailure } from '../as-failure.ts';
import type { CommandView } from '../contract.ts';
import { follow, Missing } from '../values/path.ts';

/** Whether a result says that what the command was to verify or change did not succeed. */
export function isNegative(verdict: Verdict, result: unknown): boolean {
  const value = judged(verdict, result);
  switch (verdict.fails_when) {
    case 'false':
      return value === false;
    case 'empty':
      return value === null || value === undefined || sizeOf(value) === 0;
    case 'not-empty':
      return sizeOf(value) > 0;
    case 'none':
      return !elementsOf(value).some((element) => verdict.of?.some((wanted) => wanted === element));
    default:
      return verdict.fails_when satisfies never;
  }
}

function elementsOf(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}

/**
 * The failure of a negative result, in the words that the declaration names, with what the command was called with in
 * them.
 */
export function verdictFailure(
  { name, facts, makeFailure }: CommandView,
  args: Readonly<Record<string, unknown>>,
  result: unknown,
): Failure {
  const options = { ...evidenceOf(facts.verdict, result), result };
  return makeFailure
    ? makeFailure({ ...textsOf(result), ...texts(args), ...options })
    : fail.verdictNegative({ command: name, ...options });
}

/**
 * A false condition of a step whose result is negative, with what the command says of it: `result.ok` alone does not
 * tell what is wrong.
 */
export function withVerdict(
  error: unknown,
  use: CommandView,
  args: Readonly<Record<string, unknown>>,
  result: unknown,
): unknown {
  const { verdict } = use.facts;
  if (!isFailure(error) || error.facts.help !== undefined || verdict?.shows === undefined) return error;
  if (!isNegative(verdict, result)) return error;
  const { facts } = verdictFailure(use, args, result);
  const help = facts.help === undefined ? facts.message : `${facts.message}\n${facts.help}`;
  return new Failure({ ...error.facts, help }, error.options);
}

/** Part of the result that a failure shows; that it is false is said by the message. */
function evidenceOf(verdict: Verdict | undefined, result: unknown): { readonly actual?: Json } {
  if (verdict?.shows !== undefined) {
    const shown = verdict.shows.map((name) => [name, follow(result, [name], 'result')] as const);
    return { actual: Object.fromEntries(shown.filter(([, value]) => !(value instanceof Missing))) as Json };
  }
  const value = judged(verdict, result);
  return typeof value === 'boolean' ? {} : { actual: value as Json };
}

/** Texts and numbers of a result that the verdict's message may name, such as a report. */
function textsOf(result: unknown): Record<string, string | number> {
  return typeof result === 'object' && result !== null ? texts(result as Readonly<Record<string, unknown>>) : {};
}

function texts(args: Readonly<Record<string, unknown>>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(args).filter((entry): entry is [string, string | number] =>
      ['string', 'number'].includes(typeof entry[1]),
    ),
  );
}

function judged(verdict: Verdict | undefined, result: unknown): unknown {
  return follow(result, verdict === undefined || verdict.path === '' ? [] : verdict.path.split('.'), 'result');
}
