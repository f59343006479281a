import { outcomeOf, type RecordedStep } from '../recorded-step.ts';

/** A test case of the result-file format: one a file of actions. */
export interface ResultCase {
  readonly uuid: string;
  readonly name: string;
  readonly fullName: string;
  readonly status: 'passed' | 'failed';
  readonly stage: 'finished';
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly stop: number;
  readonly steps: ResultStep[];
  readonly statusDetails: { readonly message?: string };
  readonly labels: { readonly name: string; readonly value: string }[];
}

type ResultStep = {
  readonly name: string;
  readonly status: 'passed' | 'failed';
  readonly stage: 'finished';
  readonly start: number;
  readonly stop: number;
  readonly parameters: { readonly name: string; readonly value: string }[];
  readonly statusDetails: { readonly message?: string };
};

export function resultCases(steps: readonly RecordedStep[], uuid: () => string): ResultCase[] {
  return [...Map.groupBy(steps, ({ file }) => file)].map(([file, own]) => {
    const cases = own.map(stepOf);
    const failed = cases.find(({ status }) => status === 'failed');
    return {
      uuid: uuid(),
      name: file,
      fullName: file,
      status: failed ? 'failed' : 'passed',
      stage: 'finished',
      start: Math.min(...spread(cases.map(({ start }) => start))),
      stop: Math.max(...spread(cases.map(({ stop }) => stop))),
      steps: cases,
      statusDetails: failed?.statusDetails ?? {},
      labels: [
        { name: 'framework', value: 'svc' },
        { name: 'language', value: 'yaml' },
      ],
    };
  });
}

function stepOf(step: RecordedStep): ResultStep {
  const start = Date.parse(step.started_at);
  const status = outcomeOf(step);
  return {
    name: step.function_name,
    status,
    stage: 'finished',
    start,
    stop: Math.round(start + step.duration_ms),
    parameters: [{ name: 'local_param', value: JSON.stringify(step.local_param) }],
    statusDetails: status === 'failed' ? { message: step.program_exception } : {},
  };
}

/** The least and the most of a list of any length, so that no call takes more arguments than it may. */
function spread(values: readonly number[]): readonly number[] {
  return values.length < 1000
    ? values
    : [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
}
