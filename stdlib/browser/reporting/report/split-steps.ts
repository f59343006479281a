import type { RecordedStep } from '#stdlib/browser/recorded-step.ts';

/** Facts about a step in JSON and XML reports, as texts. */
export interface StepTexts {
  readonly [field: string]: string;
  readonly function_name: string;
  readonly param: string;
  readonly time: string;
  readonly exception: string;
  /** Place in the record, from 0. */
  readonly step: string;
}

/** Passed and failed steps by `Success_Test<n>` and `Failure_Test<n>`, each counted from 1. */
export function splitSteps(
  steps: readonly RecordedStep[],
): [passed: Record<string, StepTexts>, failed: Record<string, StepTexts>] {
  const passed: Record<string, StepTexts> = {};
  const failed: Record<string, StepTexts> = {};
  let [good, bad] = [0, 0];
  for (const step of steps) {
    if (step.program_exception === 'None') passed[`Success_Test${(good += 1)}`] = textsOf(step);
    else failed[`Failure_Test${(bad += 1)}`] = textsOf(step);
  }
  return [passed, failed];
}

function textsOf({ function_name, local_param, time, program_exception, index }: RecordedStep): StepTexts {
  return {
    function_name,
    param: JSON.stringify(local_param),
    time,
    exception: program_exception,
    step: String(index),
  };
}
