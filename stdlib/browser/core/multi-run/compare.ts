export interface ComparedStep {
  readonly function_name?: string | undefined;
  readonly time?: string | undefined;
  readonly program_exception?: string | undefined;
}

type Status = 'passed' | 'failed';

export interface ComparedSide {
  readonly function_name: string | null;
  readonly status: Status | null;
  readonly exception: string | null;
}

export interface Comparison {
  readonly summary: { readonly len_a: number; readonly len_b: number; readonly length_match: boolean };
  readonly differences: { readonly step: number; readonly a: ComparedSide; readonly b: ComparedSide }[];
}

/**
 * Compares position by position; what one side has beyond the other differs. Texts of errors alone are no difference.
 */
export function compareSides(a: readonly ComparedStep[], b: readonly ComparedStep[]): Comparison {
  const differences: Comparison['differences'] = [];
  for (let step = 0; step < Math.max(a.length, b.length); step += 1) {
    const [left, right] = [sideOf(a[step]), sideOf(b[step])];
    if (left.status !== right.status || left.function_name !== right.function_name)
      differences.push({ step, a: left, b: right });
  }
  return {
    summary: { len_a: a.length, len_b: b.length, length_match: a.length === b.length },
    differences,
  };
}

export interface Disagreement {
  readonly step: number;
  readonly status: Record<string, Status | null>;
  readonly function_name: Record<string, string | null>;
}

/**
 * The steps in which users differ in status or in what was called; null stands for a step that a user does not have.
 */
export function stepsThatDisagree(
  users: readonly (readonly [name: string, steps: readonly ComparedStep[]])[],
): Disagreement[] {
  const longest = users.reduce((most, [, steps]) => Math.max(most, steps.length), 0);
  const found: Disagreement[] = [];
  for (let step = 0; step < longest; step += 1) {
    const sides = users.map(([name, steps]) => [name, sideOf(steps[step])] as const);
    const [, first] = sides[0] ?? [];
    if (sides.every(([, side]) => side.status === first?.status && side.function_name === first.function_name))
      continue;
    found.push({
      step,
      status: Object.fromEntries(sides.map(([name, { status }]) => [name, status])),
      function_name: Object.fromEntries(sides.map(([name, side]) => [name, side.function_name])),
    });
  }
  return found;
}

function sideOf(step: ComparedStep | undefined): ComparedSide {
  if (!step) return { function_name: null, status: null, exception: null };
  const exception = step.program_exception ?? 'None';
  return {
    function_name: step.function_name ?? null,
    status: exception === 'None' ? 'passed' : 'failed',
    exception: exception === 'None' ? null : exception,
  };
}
