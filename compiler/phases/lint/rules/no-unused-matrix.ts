import * as d from '#schemas/generated/diagnostics.ts';
import { eachReference } from '#schemas/types/fold-value.ts';

import { referencesOf } from '../references.ts';
import type { Rule } from '../rule.ts';

/** Each key of a matrix is read. */
export default {
  name: 'no-unused-matrix',
  preset: 'recommended',
  resolved({ unit, calls, at, report }) {
    if (unit.matrix === undefined) return;
    const read = new Set<string>();
    for (const { node } of calls) for (const { ns, name } of referencesOf(node)) if (ns === 'MATRIX') read.add(name);
    if (unit.base_url) eachReference(unit.base_url, ({ name }) => read.add(name));
    for (const key of Object.keys(unit.matrix))
      if (!read.has(key)) report(d.noUnusedMatrix({ at: at(['meta', 'matrix', key], 'key'), key }));
  },
} satisfies Rule;
