import type { JsonObject } from '#schemas/types/json.ts';

import { failureRows, sentFields, successRows } from './fields.ts';
import type { Exchanges } from './fields.ts';

type Texts = Record<string, Record<string, string>>;

/** The objects of the JSON report: every value is text, numbered from 1 in the order of recording. */
export function jsonReport({ passed, failed }: Exchanges): [successes: Texts, failures: Texts] {
  const successes = passed.map((record, index) => [
    `Success_Test${index + 1}`,
    Object.fromEntries(successRows(record)),
  ]);
  const failures = failed.map((failure, index) => [
    `Failure_Test${index + 1}`,
    {
      ...Object.fromEntries(failureRows(failure)),
      ...sentFields(failure),
      ...(failure.status === null ? {} : { status_code: String(failure.status) }),
      ...(failure.elapsed_ms === null ? {} : { elapsed_ms: String(failure.elapsed_ms) }),
    },
  ]);
  return [Object.fromEntries(successes) as Texts, Object.fromEntries(failures) as Texts];
}

/** JSON as the saved report has it: four spaces. */
export function indented(value: JsonObject): string {
  return `${JSON.stringify(value, null, 4)}\n`;
}
