import * as d from '#schemas/generated/diagnostics.ts';

import { quoted } from '../../3-parse/fields.ts';
import { referencesOf } from '../references.ts';
import type { Rule } from '../rule.ts';

/** Columns of a dataset are there to be read. */
export default {
  name: 'no-unused-column',
  preset: 'strict',
  resolved({ unit, columns, calls, at, report }) {
    if (unit.rows === undefined || columns.length === 0) return;
    const read = new Set<string>();
    for (const { node } of calls) for (const { ns, name } of referencesOf(node)) if (ns === 'ROW') read.add(name);
    const unread = columns.filter((name) => !read.has(name));
    // Without any that is read, the dataset itself is of no use: another rule says so.
    if (read.size > 0 && unread.length > 0)
      report(d.noUnusedColumn({ at: at(['meta', 'dataset']), columns: quoted(unread.slice(0, SHOWN)) }));
  },
} satisfies Rule;

const SHOWN = 8;
