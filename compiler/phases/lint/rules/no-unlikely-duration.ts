import * as d from '#schemas/generated/diagnostics.ts';
import type { Label, Report } from '#schemas/types/diagnostic.ts';

import type { ResolvedCall, Rule } from '../rule.ts';

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
  resolved({ groups, report }) {
    for (const call of groups.having('timeout_s')) {
      const value = call.node.timeout_s;
      if (value !== undefined)
        judge({ name: 'timeout_s', value, unit: 'seconds', at: () => call.optionAt('timeout_s') }, report);
    }
    for (const call of groups.having('retry')) {
      const value = call.node.retry?.interval_s;
      if (value !== undefined)
        judge({ name: 'interval_s', value, unit: 'seconds', at: () => intervalAt(call) }, report);
    }
  },
} satisfies Rule;

interface Duration {
  readonly name: string;
  readonly value: number;
  readonly unit: 'milliseconds' | 'seconds';
  readonly at: () => Label;
}

function judge({ name, value, unit, at: placeOf }: Duration, report: Report): void {
  const isUnlikely = unit === 'seconds' ? value >= 1000 && value % 500 === 0 : value > 0 && value < 50;
  if (!isUnlikely) return;
  const meant = unit === 'seconds' ? value / 1000 : value * 1000;
  const at = placeOf();
  const fix = {
    title: `write ${meant}`,
    safety: 'unsafe',
    operations: [{ kind: 'replace', route: at.route, value: meant }],
  } as const;
  report(d.noUnlikelyDuration({ at, name, unit, meant: shown(value, unit), fixes: [fix] }));
}

function intervalAt(call: ResolvedCall): Label {
  const at = call.optionAt('retry');
  return { ...at, route: [...at.route, 'interval_s'] };
}

function shown(value: number, unit: Duration['unit']): string {
  if (unit === 'milliseconds') return `${value / 1000} s`;
  return value < 3600 ? `${Math.round(value / 60)} minutes` : `${Math.round(value / 360) / 10} hours`;
}
