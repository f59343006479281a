import { parseText, rangesOf } from '#grammar/reference/parse.ts';
import * as d from '#schemas/generated/diagnostics.ts';

import type { Rule } from '../rule.ts';

/** A key that is used stands in every environment that a file may run with, or in none of them. */
export default {
  name: 'no-partial-environment-key',
  preset: 'recommended',
  hint: /ENV\./,
  insteadOf: 'unknown-environment-key',
  texts({ profiles, at, report }) {
    if (profiles.length < 2) return undefined;
    const said = new Set<string>();
    return (text, path) => {
      if (!text.includes('${ENV.')) return;
      for (const [index, part] of parseText(text).parts.entries()) {
        if (typeof part === 'string' || part.ns !== 'ENV' || part.default !== undefined || said.has(part.name))
          continue;
        const lacking = profiles.filter(({ keys }) => !keys.has(part.name));
        const having = profiles.find(({ keys }) => keys.has(part.name));
        if (lacking.length === 0 || having === undefined) continue;
        said.add(part.name);
        const found = having.keys.get(part.name);
        const position = { line: found?.line ?? 1, column: 1 };
        const place = {
          source: found?.file ?? '',
          route: [],
          part: 'value',
          position,
          text: 'it stands here',
        } as const;
        report(
          d.noPartialEnvironmentKey({
            at: at(path(), rangesOf(text)[index] ?? 'value'),
            key: part.name,
            profiles: lacking.map(({ name = '.env' }) => `"${name}"`).join(', '),
            related: [place],
          }),
        );
      }
    };
  },
} satisfies Rule;
