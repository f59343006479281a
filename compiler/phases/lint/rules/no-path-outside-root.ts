import * as d from '#schemas/generated/diagnostics.ts';

import type { ResolvedCall, Rule } from '../rule.ts';
import { shown, textsOf } from '../texts.ts';

const pathParameter = /(?:^|_)(?:path|file|filename|dir|target|dest|folder|zip_name)$/;
/** Where a command has one of these, the other paths are only read. */
const targetParameter = /^(?:target|dest|extract|out)|^(?:zip_name|manifest_path)$/;
/** A way inside a JSON file. */
const notPaths = new Set(['key_path']);

/** Files are written below the working directory. */
export default {
  name: 'no-path-outside-root',
  preset: 'recommended',
  resolved({ calls, report }) {
    for (const call of calls.filter(({ info }) => info.effects.includes('fs-write'))) {
      for (const parameter of writtenPaths(call)) {
        const value = call.node.args[parameter];
        for (const { text } of value ? textsOf(value) : [])
          if (leadsOut(text)) report(d.noPathOutsideRoot({ at: call.argumentAt(parameter), path: shown(text) }));
      }
    }
  },
} satisfies Rule;

function writtenPaths({ info, node }: ResolvedCall): readonly string[] {
  const paths = Object.keys(node.args).filter((name) => pathParameter.test(name) && !notPaths.has(name));
  const reads = info.effects.includes('fs-read');
  const targets = paths.filter((name) => targetParameter.test(name));
  return reads && targets.length > 0 ? targets : paths;
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
