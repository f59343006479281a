import type { Ajv } from 'ajv';

import { TooMuchWork, Work } from '#grammar/openapi/work.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';

/** Applications of schemas to parts of a value that are always allowed, by code of ajv: less than a second. */
const MOST = 1_000_000;
/** The same where schemas are followed without code. */
export const MOST_FOLLOWED = 100_000;

/** Beginning of the code that ajv makes of a schema, up to the body of its function. */
const HEAD = /function validate\d+\(data, \{.*?\}=\{\}\)\{/s;

/** Adds a count to code of ajv: one for each application of a schema that others refer to. */
export function withCount(code: string): string {
  return code.replace(HEAD, (head) => `${head}self.countApplication?.();`);
}

/** Judges a value by validators of ajv whose code counts. */
export function judgeCounted<Result>(ajv: Ajv, value: Json, judge: () => Result): Result {
  return bounded(new Work(value, MOST), (work) => {
    Object.assign(ajv, { countApplication: () => work.add('') });
    return judge();
  });
}

/** Ends work at its bound: a schema of a kilobyte can refer to itself in more ways than time allows. */
export function bounded<Result>(work: Work, judge: (work: Work) => Result): Result {
  try {
    return judge(work);
  } catch (cause) {
    if (!(cause instanceof TooMuchWork)) throw cause;
    throw fail.schemaBroken({ reason: 'its parts refer to one another in more ways than time allows', cause });
  }
}
