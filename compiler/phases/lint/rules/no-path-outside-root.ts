import * as d from '#schemas/generated/diagnostics.ts';
import type { Callable } from '#schemas/types/command.ts';
import { literalOf } from '#schemas/types/fold-value.ts';
import type { Value } from '#schemas/types/plan.ts';

import type { Rule } from '../rule.ts';
import { shown, textsOf } from '../texts.ts';

/** Files are written below the working directory. */
export default {
  name: 'no-path-outside-root',
  preset: 'recommended',
  resolved({ groups, report }) {
    const paths = new Map<Callable, readonly string[]>();
    const calls = groups.of((info) => {
      paths.set(info, pathsOf(info));
      return paths.get(info)?.length !== 0;
    });
    for (const call of calls)
      for (const parameter of paths.get(call.info) ?? []) {
        const value = call.node.args[parameter];
        for (const text of value ? pathsIn(value) : [])
          if (leadsOut(text)) report(d.noPathOutsideRoot({ at: call.argumentAt(parameter), path: shown(text) }));
      }
  },
} satisfies Rule;

/** The paths of a value; most are one text. */
function pathsIn(value: Value): readonly string[] {
  const literal = literalOf(value);
  return typeof literal === 'string' ? [literal] : textsOf(value).map(({ text }) => text);
}

/** Parameters that name what a command changes. */
function pathsOf({ params }: Callable): readonly string[] {
  return params.filter(({ access }) => access?.some((each) => each !== 'read')).map(({ name }) => name);
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
