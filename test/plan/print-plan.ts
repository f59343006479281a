import type { Plan } from '#schemas/types/plan.ts';

/** A plan as a golden holds it: one line a node and a fact, so that it is read in review. */
export function printPlan(plan: Plan): string {
  return `${print(plan, 0)}\n`;
}

const WIDE = 160;

/** JSON with short values on one line. */
function print(value: unknown, depth: number): string {
  const short = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || short.length + depth * 2 <= WIDE) return short;
  const indent = '  '.repeat(depth + 1);
  const lines = Array.isArray(value)
    ? value.map((item) => indent + print(item, depth + 1))
    : Object.entries(value).filter(([, item]) => item !== undefined).map(([key, item]) => `${indent}${JSON.stringify(key)}: ${print(item, depth + 1)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${lines.join(',\n')}\n${'  '.repeat(depth)}${close}`;
}
