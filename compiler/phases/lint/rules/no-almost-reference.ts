import { late } from '#grammar/language/late.ts';
import * as d from '#schemas/generated/diagnostics.ts';

import { written } from '../literals.ts';
import type { Rule } from '../rule.ts';
import { REFERENCE } from '../texts.ts';

/** Texts that people write when they mean a reference. */
const almost =
  /(?<![$\w{])\$(?:ENV|ROW|env|MATRIX)[.:]\w+|\$\((?:ENV|ROW|MATRIX)\.\w+\)|(?<!\$)\{(?:ENV|ROW|MATRIX)\.\w+\}|%ENV\.\w+%|<%=?\s*\w+\s*%>/;

/** `$HOME` and `%TEMP%` as a piece of a path: shells know them. */
const inPath = /(?<![^\\/])(?:\$[A-Z][A-Z0-9_]*|%[A-Z][A-Z0-9_]*%)(?![^\\/])/;

/** `{name}`, as other tools write a variable. */
const inBraces = /(?<![$\w{}\])])\{([A-Za-z_]\w*)\}(?!\})/g;

/** Signs of which both have one: most texts have none. */
const signs = /[${%]/;

/** A reference is written as one. */
export default {
  name: 'no-almost-reference',
  preset: 'recommended',
  hint: /ENV|ROW|MATRIX|env|%|\$[A-Z]|(?<!\{)\{\w+\}/,
  resolved({ calls, report }) {
    const variables = late(() => new Set(calls.flatMap(({ node }) => node.provides ?? [])));
    for (const call of calls) {
      if (call.info.gate === 'script') continue;
      for (const { parameter, text } of written(call)) {
        if (text === undefined || parameter.text === 'later' || !signs.test(text)) continue;
        const braced = [...text.matchAll(inBraces)].find(([, name]) => variables().has(`variable:${name}`));
        const ofShell = parameter.role === 'local-path' ? inPath.exec(text)?.[0] : undefined;
        const found = almost.exec(text)?.[0] ?? braced?.[0] ?? ofShell;
        if (found === undefined || found.includes(REFERENCE)) continue;
        report(d.noAlmostReference({ at: call.argumentAt(parameter.name), text: found }));
      }
    }
  },
} satisfies Rule;
