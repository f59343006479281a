import * as d from '#schemas/generated/diagnostics.ts';

import type { Rule } from '../rule.ts';

/** Longest text that is still read as part of a file. */
const MOST = 8 * 1024;

/** Data stand in files of their own. */
export default {
  name: 'no-oversized-literal',
  preset: 'recommended',
  texts({ document, at, report }) {
    // Nothing in a short file is long.
    if (document.text.length <= MOST) return undefined;
    return (text, path) => {
      if (text.length > MOST) report(d.noOversizedLiteral({ at: at(path()), kib: Math.round(text.length / 1024) }));
    };
  },
} satisfies Rule;
