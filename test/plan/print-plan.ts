import type { Plan } from '#schemas/types/plan.ts';

/** A plan as a golden holds it: one line a node and a fact, so that it is read in review. */
export function printPlan(plan: Plan): string {
  return `${print(readable(plan), 0)}\n`;
}

/** Keys of a node that stand first. */
const ORDER = [
  'id',
  'command',
  'args',
  'name',
  'tags',
  'when',
  'expect',
  'save_as',
  'retry',
  'timeout_s',
  'on_failure',
  'after',
];

function readable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, readable(item)] as const);
  if (!('id' in value && 'command' in value)) return Object.fromEntries(entries);
  const place = (key: string): number => (ORDER.includes(key) ? ORDER.indexOf(key) : ORDER.length);
  return Object.fromEntries(entries.sort(([a], [b]) => place(a) - place(b)));
}

const WIDE = 160;

/** JSON with short values on one line. */
function print(value: unknown, depth: number): string {
  const short = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || short.length + depth * 2 <= WIDE) return short;
  const indent = '  '.repeat(depth + 1);
  const lines = Array.isArray(value)
    ? value.map((item) => indent + print(item, depth + 1))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => `${indent}${JSON.stringify(key)}: ${print(item, depth + 1)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${lines.join(',\n')}\n${'  '.repeat(depth)}${close}`;
}
