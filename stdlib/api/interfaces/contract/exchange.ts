import type { Json } from '#schemas/types/json.ts';

import type { ContractRequest, ContractResponse } from './contract-file.ts';
import { bodyMismatches, headerMismatches, pathMismatches, queryMismatches } from './match.ts';
import type { FitsPattern, Matching } from './match.ts';
import { MatchingRules } from './rules.ts';

/** A message that came over a wire. */
export interface ActualMessage {
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: there was no body. Text where it is no JSON. */
  readonly body?: Json;
  /** The body as it came. */
  readonly text?: string;
}

/** Why an answer does not fit the expected one; empty: it fits. */
export function responseMismatches(
  expected: ContractResponse,
  actual: ActualMessage & { readonly status: number },
  fits: FitsPattern,
): readonly string[] {
  const matching = { rules: new MatchingRules(expected.matchingRules), fits, isStrict: false };
  return [
    ...(expected.status === actual.status ? [] : [`status: expected ${expected.status}, got ${actual.status}`]),
    ...headerMismatches(expected.headers ?? {}, actual.headers, matching),
    ...messageBody(expected.body, actual, matching),
  ];
}

/** Why a request does not fit the expected one; empty: it fits. */
export function requestMismatches(
  expected: ContractRequest,
  actual: ActualMessage & { readonly method: string; readonly path: string; readonly query: string },
  fits: FitsPattern,
): readonly string[] {
  const matching = { rules: new MatchingRules(expected.matchingRules), fits, isStrict: true };
  const isVerb = expected.method.toUpperCase() === actual.method.toUpperCase();
  return [
    ...(isVerb ? [] : [`method: expected ${expected.method}, got ${actual.method}`]),
    ...pathMismatches(expected.path, actual.path, matching),
    ...queryMismatches(expected.query ?? '', actual.query, matching),
    ...headerMismatches(expected.headers ?? {}, actual.headers, matching),
    ...messageBody(expected.body, actual, matching),
  ];
}

/** Nothing expected: anything may come. Null expected: nothing may come, or null. */
function messageBody(expected: Json | undefined, actual: ActualMessage, matching: Matching): readonly string[] {
  if (expected === undefined) return [];
  const isEmpty = actual.body === undefined || actual.body === null || actual.body === '';
  if (expected === null) return isEmpty ? [] : ['$.body: expected none'];
  if (actual.body === undefined) return ['$.body: is missing'];
  const given = typeof expected === 'string' ? (actual.text ?? actual.body) : actual.body;
  return bodyMismatches(expected, given, matching);
}
