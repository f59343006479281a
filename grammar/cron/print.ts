import { FIELDS } from './ast.ts';
import type { Cron, CronPart } from './ast.ts';

/** A cron expression as text, values as numbers. */
export function printCron(cron: Cron): string {
  return FIELDS.map(({ name }) => cron[name].map(printPart).join(',')).join(' ');
}

function printPart({ kind, from, to, step }: CronPart): string {
  const base = kind === 'any' ? '*' : kind === 'value' ? String(from) : `${from}-${to}`;
  return step === undefined ? base : `${base}/${step}`;
}
