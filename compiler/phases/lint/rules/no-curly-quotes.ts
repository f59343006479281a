import type { Document } from '#grammar/document/document.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Route } from '#schemas/types/place.ts';

import { betweenCurlyQuotes } from '../../3-parse/curly-quotes.ts';
import type { Rule } from '../rule.ts';
import { literalTexts } from '../texts.ts';

/** Text that stands in curly quotation marks alone was meant to stand in straight ones. */
export default {
  name: 'no-curly-quotes',
  preset: 'recommended',
  source({ document, at, report }) {
    // Without one in the file there is none in a text: where it is written as an escape, something else quotes it.
    if (!/[\u2018-\u201f\u00ab\u00bb\u2039\u203a\u300c-\u300f]/.test(document.text)) return;
    for (const { text, path } of literalTexts(document.value)) {
      const inside = betweenCurlyQuotes(text);
      if (inside === undefined || !isPlain(document, path, text)) continue;
      const fix = {
        title: 'leave them out',
        safety: 'unsafe',
        operations: [{ kind: 'replace', route: path, value: inside }],
      } as const;
      report(d.noCurlyQuotes({ at: at(path), fixes: [fix] }));
    }
  },
} satisfies Rule;

/** Whether nothing else quotes the text: inside quotes of the file it was meant as it is. */
function isPlain(document: Document, path: Route, text: string): boolean {
  return document.text[document.spanAt(path, 'value').start] === text[0];
}
