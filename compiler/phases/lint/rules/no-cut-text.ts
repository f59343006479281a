import * as d from '#schemas/generated/diagnostics.ts';

import type { Rule } from '../rule.ts';

/** A key or a dash, and an unquoted text behind it that ends with one blank. */
const BEFORE = /^[ \t]*(?:- +)*(?:[\w-]+: +)?([A-Za-z][^"'#:{}[\]]*) $/;

/** A number sign behind a blank begins a comment, in the middle of a text too. */
export default {
  name: 'no-cut-text',
  preset: 'recommended',
  hint: / #\d/,
  source({ document, report }) {
    const { text, source } = document;
    for (const { span, ownLine } of document.comments()) {
      const lost = text.slice(span.start, span.end).trimEnd();
      if (ownLine || !/^#\d/.test(lost)) continue;
      const line = Math.max(text.lastIndexOf('\n', span.start - 1), text.lastIndexOf('\r', span.start - 1)) + 1;
      const [, kept] = BEFORE.exec(text.slice(line, span.start)) ?? [];
      if (kept !== undefined) report(d.noCutText({ at: { source, route: [], part: { text: span } }, lost, kept }));
    }
  },
} satisfies Rule;
