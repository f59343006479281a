import * as fail from '#schemas/generated/failures.ts';
import type { Verdict } from '#schemas/types/command.ts';
import type { Failure } from '#schemas/types/failure.ts';
import type { Json } from '#schemas/types/json.ts';

import type { MakeFailure } from '../program.ts';
import { follow } from '../values/path.ts';

/** Whether a result says that what the command was to verify or change did not succeed. */
export function isNegative(verdict: Verdict, result: unknown): boolean {
  const value = follow(result, verdict.path === '' ? [] : verdict.path.split('.'), 'result');
  switch (verdict.fails_when) {
    case 'false':
      return value === false;
    case 'empty':
      return value === null || value === undefined || sizeOf(value) === 0;
    case 'not-empty':
      return sizeOf(value) > 0;
    default:
      return verdict.fails_when satisfies never;
  }
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}

/** The failure of a negative result, in the words that the declaration names. */
export function verdictFailure(verdict: Verdict, command: string, result: unknown, make: MakeFailure | undefined): Failure {
  const value = follow(result, verdict.path === '' ? [] : verdict.path.split('.'), 'result');
  const options = { actual: value as Json, result };
  return make ? make(options) : fail.verdictNegative({ command, ...options });
}
