import * as d from '#schemas/generated/diagnostics.ts';

import type { ResolvedCall, Rule } from '../rule.ts';
import { shown, textsOf } from '../texts.ts';

/** Files are written below the working directory. */
export default {
  name: 'no-path-outside-root',
  preset: 'recommended',
  resolved({ calls, report }) {
    for (const call of calls) {
      for (const parameter of writtenPaths(call)) {
        const value = call.node.args[parameter];
        for (const { text } of value ? textsOf(value) : [])
          if (leadsOut(text)) report(d.noPathOutsideRoot({ at: call.argumentAt(parameter), path: shown(text) }));
      }
    }
  },
} satisfies Rule;

function writtenPaths({ info, node }: ResolvedCall): readonly string[] {
  const written = info.params.filter(({ access }) => access?.some((each) => each !== 'read'));
  return written.map(({ name }) => name).filter((name) => Object.hasOwn(node.args, name));
}

/** What a reference begins may lead anywhere, so nothing is said of it. */
function leadsOut(path: string): boolean {
  if (/^(?:[\\/]|[A-Za-z]:[\\/]|~(?:[\\/]|$))/.test(path)) return true;
  let depth = 0;
  for (const part of path.split(/[\\/]/)) {
    if (part === '..') depth -= 1;
    else if (part !== '.' && part !== '') depth += 1;
    if (depth < 0) return true;
  }
  return false;
}
