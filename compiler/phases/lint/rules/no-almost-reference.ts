import * as d from '#schemas/generated/diagnostics.ts';

import { written } from '../literals.ts';
import type { Rule } from '../rule.ts';
import { REFERENCE } from '../texts.ts';

/** Texts that people write when they mean a reference. */
const almost =
  /(?<![$\w{])\$(?:ENV|ROW|env|MATRIX)[.:]\w+|\$\((?:ENV|ROW|MATRIX)\.\w+\)|(?<!\$)\{(?:ENV|ROW|MATRIX)\.\w+\}|%ENV\.\w+%|<%=?\s*\w+\s*%>/;

/** A reference is written as one. */
export default {
  name: 'no-almost-reference',
  preset: 'recommended',
  hint: /ENV|ROW|MATRIX|env|%/,
  resolved({ calls, report }) {
    for (const call of calls) {
      for (const { parameter, text } of written(call)) {
        if (text === undefined || parameter.text === 'later' || call.info.gate === 'script') continue;
        const found = almost.exec(text)?.[0];
        if (found === undefined || found.includes(REFERENCE)) continue;
        report(d.noAlmostReference({ at: call.argumentAt(parameter.name), text: found }));
      }
    }
  },
} satisfies Rule;
