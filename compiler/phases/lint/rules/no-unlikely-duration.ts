import * as d from '#schemas/generated/diagnostics.ts';
import type { Label } from '#schemas/types/diagnostic.ts';

import { written } from '../literals.ts';
import type { ResolvedCall, Rule } from '../rule.ts';

interface Duration {
  readonly name: string;
  readonly value: number;
  readonly unit: 'milliseconds' | 'seconds';
  readonly at: () => Label;
}

/** Seconds where seconds are counted, milliseconds where those are. */
export default {
  name: 'no-unlikely-duration',
  preset: 'recommended',
  resolved({ groups, report }) {
    const timed = [
      ...groups.of(({ params }) => params.some(({ role }) => role === 'duration')),
      ...groups.having('timeout_s'),
      ...groups.having('retry'),
    ];
    for (const call of new Set(timed)) {
      for (const { name, value, unit, at: placeOf } of durationsOf(call)) {
        const meant = unit === 'seconds' ? value / 1000 : value * 1000;
        const isUnlikely = unit === 'seconds' ? value >= 1000 && value % 500 === 0 : value > 0 && value < 50;
        if (!isUnlikely) continue;
        const at = placeOf();
        const fix = {
          title: `write ${meant}`,
          safety: 'unsafe',
          operations: [{ kind: 'replace', route: at.route, value: meant }],
        } as const;
        report(d.noUnlikelyDuration({ at, name, unit, meant: shown(value, unit), fixes: [fix] }));
      }
    }
  },
} satisfies Rule;

function* durationsOf(call: ResolvedCall): Generator<Duration> {
  // A fixed wait may be short; it has a rule of its own.
  if (call.node.command === 'WR_pw_wait_for_timeout') return;
  for (const { parameter, value } of written(call)) {
    const { name, role, unit } = parameter;
    if (role !== 'duration' || unit === undefined || typeof value !== 'number' || !/timeout|wait/.test(name)) continue;
    yield { name, value, unit, at: () => call.argumentAt(name) };
  }
  const { timeout_s, retry } = call.node;
  if (timeout_s !== undefined)
    yield { name: 'timeout_s', value: timeout_s, unit: 'seconds', at: () => call.optionAt('timeout_s') };
  if (retry?.interval_s !== undefined)
    yield { name: 'interval_s', value: retry.interval_s, unit: 'seconds', at: () => intervalAt(call) };
}

function intervalAt(call: ResolvedCall): Label {
  const at = call.optionAt('retry');
  return { ...at, route: [...at.route, 'interval_s'] };
}

function shown(value: number, unit: Duration['unit']): string {
  if (unit === 'milliseconds') return `${value / 1000} s`;
  return value < 3600 ? `${Math.round(value / 60)} minutes` : `${Math.round(value / 360) / 10} hours`;
}
