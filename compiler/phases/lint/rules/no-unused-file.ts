import * as d from '#schemas/generated/diagnostics.ts';

import type { Rule } from '../rule.ts';

/** A file that needs a caller has one. */
export default {
  name: 'no-unused-file',
  preset: 'strict',
  project(units) {
    const used = new Set(
      units.flatMap(({ groups }) =>
        groups.having('kind').flatMap(({ node }) => ('kind' in node && node.kind === 'use' ? [node.source] : [])),
      ),
    );
    for (const { unit, report } of units) {
      const source = unit.file ?? unit.source;
      if (unit.sessions === undefined || used.has(source)) continue;
      report(d.noUnusedFile({ at: { source, route: ['meta', 'sessions'], part: 'key' } }));
    }
  },
} satisfies Rule;
