import * as d from '#schemas/generated/diagnostics.ts';

import { written } from '../literals.ts';
import type { ResolvedCall, Rule } from '../rule.ts';
import { shown } from '../texts.ts';

const from = /^(?:source|src|origin|from)|^(?:dir|file)_path$/;
const to = /^(?:target|destination|dest|to)(?:_|$)/;

/** What moves, moves somewhere. */
export default {
  name: 'no-same-source-and-target',
  preset: 'recommended',
  resolved({ calls, report }) {
    for (const call of calls) {
      const place = pathLike(call, to);
      const origin = place && pathLike(call, from);
      if (place && origin && origin.text === place.text)
        report(d.noSameSourceAndTarget({ at: call.argumentAt(place.name), path: shown(place.text) }));
    }
  },
} satisfies Rule;

function pathLike(call: ResolvedCall, pattern: RegExp): { readonly name: string; readonly text: string } | undefined {
  for (const { parameter, text } of written(call))
    if (parameter.role === 'local-path' && pattern.test(parameter.name) && text !== undefined)
      return { name: parameter.name, text: text.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '') };
  return undefined;
}
