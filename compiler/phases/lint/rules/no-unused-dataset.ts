import * as d from '#schemas/generated/diagnostics.ts';

import { referencesOf } from '../references.ts';
import type { Rule } from '../rule.ts';

/** Rows are there to be read. */
export default {
  name: 'no-unused-dataset',
  preset: 'recommended',
  resolved({ unit: { rows }, calls, at, report }) {
    if (rows === undefined) return;
    if (!calls.some(({ node }) => referencesOf(node).some(({ ns }) => ns === 'ROW')))
      report(d.noUnusedDataset({ at: at(['meta', 'dataset']) }));
  },
} satisfies Rule;
