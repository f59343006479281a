import type { Document } from '#grammar/document/document.ts';
import * as d from '#schemas/generated/diagnostics.ts';

import type { Rule } from '../rule.ts';

/** Longest text that is still read as part of a file. */
const MOST = 8 * 1024;

/** Data stand in files of their own. */
export default {
  name: 'no-oversized-literal',
  preset: 'recommended',
  texts({ document, at, report }) {
    if (!mayHoldLong(document)) return undefined;
    return (text, path) => {
      if (text.length > MOST) report(d.noOversizedLiteral({ at: at(path()), kib: Math.round(text.length / 1024) }));
    };
  },
} satisfies Rule;

/** Whether a text of the file may be long: in a short file none is, nor in JSON whose quotes stand close together. */
function mayHoldLong({ format, text }: Document): boolean {
  // Quotes behind a backslash end no text.
  if (text.length <= MOST || format !== 'json' || text.includes('\\')) return text.length > MOST;
  for (let at = 0; at < text.length;) {
    const quote = text.indexOf('"', at);
    if ((quote < 0 ? text.length : quote) - at > MOST) return true;
    if (quote < 0) return false;
    at = quote + 1;
  }
  return false;
}
