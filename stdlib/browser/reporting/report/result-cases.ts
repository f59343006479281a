import { allureBody, allureResult, type AllureBody, type AllureResult } from '#schemas/types/allure.ts';

import { outcomeOf, type RecordedStep } from '#stdlib/browser/recorded-step.ts';

type Outcome = 'passed' | 'failed';

/** A test case of the result-file format for each file of actions, with a step for each record. */
export function resultCases(steps: readonly RecordedStep[], uuid: () => string): AllureResult<Outcome>[] {
  return [...Map.groupBy(steps, ({ file }) => file)].map(([file, own]) => {
    const cases = own.map(stepOf);
    const failed = cases.find(({ status }) => status === 'failed');
    return allureResult(
      { uuid: uuid(), fullName: file, suite: file },
      {
        name: file,
        status: failed ? 'failed' : 'passed',
        start: cases.reduce((least, { start }) => Math.min(least, start), Infinity),
        stop: cases.reduce((most, { stop }) => Math.max(most, stop), 0),
        steps: cases,
        ...(failed && { statusDetails: failed.statusDetails }),
      },
    );
  });
}

function stepOf(step: RecordedStep): AllureBody<Outcome> {
  const start = Date.parse(step.started_at);
  const status = outcomeOf(step);
  return allureBody({
    name: step.function_name,
    status,
    start,
    stop: start + step.duration_ms,
    parameters: [{ name: 'local_param', value: JSON.stringify(step.local_param) }],
    ...(status === 'failed' && { statusDetails: { message: step.program_exception } }),
  });
}
