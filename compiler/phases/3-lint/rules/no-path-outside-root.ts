import * as d from '#schemas/generated/diagnostics.ts';

import { literal, type Rule } from '../rule.ts';

const pathParameter = /(?:path|file|dir|source|target|dest|folder)$/;

/** Files are written below the working directory. */
export default {
  name: 'no-path-outside-root',
  preset: 'recommended',
  resolved({ calls, report }) {
    for (const call of calls.filter(({ info }) => info.effects.includes('fs-write'))) {
      for (const name of Object.keys(call.node.args).filter((parameter) => pathParameter.test(parameter))) {
        const value = literal(call, name);
        if (typeof value === 'string' && leadsOut(value)) report(d.noPathOutsideRoot({ at: call.argumentAt(name), path: value }));
      }
    }
  },
} satisfies Rule;

function leadsOut(path: string): boolean {
  let depth = 0;
  for (const part of path.split(/[\\/]/)) {
    if (part === '..') depth -= 1;
    else if (part !== '.' && part !== '') depth += 1;
    if (depth < 0) return true;
  }
  return false;
}
