import * as d from '#schemas/generated/diagnostics.ts';
import type { Label, Report } from '#schemas/types/diagnostic.ts';

import { literal, type ResolvedCall, type Rule } from '../rule.ts';

/** Durations of a retry, and of a block that waits. */
const OF_RETRY = ['interval_s', 'backoff_base_s', 'backoff_cap_s', 'max_s'] as const;
const OF_UNTIL = ['interval_s', 'max_s'] as const;

/** Seconds where seconds are counted, milliseconds where those are. */
export default {
  name: 'no-unlikely-duration',
  preset: 'recommended',
  argument: {
    wants: ({ name, role, unit }) => role === 'duration' && unit !== undefined && /timeout|wait/.test(name),
    look({ parameter: { name, unit = 'seconds' }, value }, call, report) {
      // A fixed wait may be short; it has a rule of its own.
      if (typeof value !== 'number' || call.node.command === 'WR_pw_wait_for_timeout') return;
      judge({ name, value, unit, at: () => call.argumentAt(name) }, report);
    },
  },
  resolved({ unit, groups, at, report }) {
    for (const call of groups.having('timeout_s')) {
      const value = call.node.timeout_s;
      if (value !== undefined)
        judge({ name: 'timeout_s', value, unit: 'seconds', at: () => call.optionAt('timeout_s') }, report);
    }
    for (const call of groups.having('retry'))
      for (const name of OF_RETRY) {
        const value = call.node.retry?.[name];
        if (value !== undefined) judge({ name, value, unit: 'seconds', at: () => insideRetry(call, name) }, report);
      }
    for (const call of groups.having('kind'))
      for (const name of call.node.kind === 'until' ? OF_UNTIL : []) {
        const value = call.isWritten(name) ? literal(call, name) : undefined;
        if (typeof value === 'number') judge({ name, value, unit: 'seconds', at: () => call.argumentAt(name) }, report);
      }
    if (unit.timeout_s !== undefined)
      judge(
        { name: 'timeout_s', value: unit.timeout_s, unit: 'seconds', at: () => at(['meta', 'timeout_s']), ofAll: true },
        report,
      );
  },
} satisfies Rule;

interface Duration {
  readonly name: string;
  readonly value: number;
  readonly unit: 'milliseconds' | 'seconds';
  readonly at: () => Label;
  /** Present for a whole file, or all that is waited for: an hour and more is nothing unusual. */
  readonly ofAll?: boolean;
}

function judge({ name, value, unit, at: placeOf, ofAll = name === 'max_s' }: Duration, report: Report): void {
  if (!isUnlikely(value, unit, ofAll)) return;
  const meant = unit === 'seconds' ? value / 1000 : value * 1000;
  const at = placeOf();
  const fix = {
    title: `write ${meant}`,
    safety: 'unsafe',
    operations: [{ kind: 'replace', route: at.route, value: meant }],
  } as const;
  report(d.noUnlikelyDuration({ at, name, unit, meant: shown(value, unit), fixes: [fix] }));
}

function isUnlikely(value: number, unit: Duration['unit'], ofAll: boolean): boolean {
  if (unit === 'milliseconds') return value > 0 && value < 50;
  if (value < (ofAll ? 5000 : 1000) || value % 500 !== 0) return false;
  // Quarters of an hour, up to a day, are meant.
  return !ofAll || value % 900 !== 0 || value > 86_400;
}

function insideRetry(call: ResolvedCall, name: string): Label {
  const at = call.optionAt('retry');
  return { ...at, route: [...at.route, name] };
}

function shown(value: number, unit: Duration['unit']): string {
  if (unit === 'milliseconds') return `${value / 1000} s`;
  return value < 3600 ? `${Math.round(value / 60)} minutes` : `${Math.round(value / 360) / 10} hours`;
}
