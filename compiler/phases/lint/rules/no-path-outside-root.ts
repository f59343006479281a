import * as d from '#schemas/generated/diagnostics.ts';
import type { Value } from '#schemas/types/plan.ts';

import type { Rule, Written } from '../rule.ts';
import { shown, textsOf } from '../texts.ts';

/** Files are written below the working directory. */
export default {
  name: 'no-path-outside-root',
  preset: 'recommended',
  hint: /\.\.|["'\s](?:[\\/~]|[A-Za-z]:[\\/])/,
  argument: {
    wants: ({ access }) => access?.some((each) => each !== 'read') === true,
    look(argument, call, report) {
      for (const text of pathsIn(argument, call.node.args[argument.parameter.name]))
        if (leadsOut(text))
          report(d.noPathOutsideRoot({ at: call.argumentAt(argument.parameter.name), path: shown(text) }));
    },
  },
} satisfies Rule;

/** The paths of a value; most are one text. */
function pathsIn({ text }: Written, value: Value | undefined): readonly string[] {
  if (text !== undefined) return [text];
  return value === undefined ? [] : textsOf(value).map((each) => each.text);
}

/** Whether a path leads out of the root; of one that begins with a reference nothing is known. */
function leadsOut(path: string): boolean {
  if (/^(?:[\\/]|[A-Za-z]:[\\/]|~(?:[\\/]|$))/.test(path)) return true;
  if (!path.includes('..')) return false;
  let depth = 0;
  for (const part of path.split(/[\\/]/)) {
    if (part === '..') depth -= 1;
    else if (part !== '.' && part !== '') depth += 1;
    if (depth < 0) return true;
  }
  return false;
}
