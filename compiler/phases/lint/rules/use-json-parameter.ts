import * as d from '#schemas/generated/diagnostics.ts';
import type { Json } from '#schemas/types/json.ts';

import { literal, type Rule } from '../rule.ts';

/** JSON is written as data. */
export default {
  name: 'use-json-parameter',
  preset: 'recommended',
  resolved({ groups, report }) {
    for (const call of groups.of(
      ({ domain, params }) => domain === 'api' && params.some(({ name }) => name === 'json'),
    )) {
      if (call.info.domain !== 'api' || !call.isWritten('data') || call.isWritten('json')) continue;
      if (!call.info.params.some(({ name }) => name === 'json')) continue;
      const text = literal(call, 'data');
      const value = typeof text === 'string' ? parsed(text) : undefined;
      if (value === undefined) continue;
      const at = call.argumentAt('data');
      const operations = [
        { kind: 'rename-key', route: at.route, key: 'json' },
        { kind: 'replace', route: at.route, value },
      ] as const;
      const isKeyed = at.route.at(-1) === 'data';
      report(
        d.useJsonParameter({
          at,
          ...(isKeyed && { fixes: [{ title: 'write it as `json`', safety: 'unsafe', operations }] }),
        }),
      );
    }
  },
} satisfies Rule;

function parsed(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
