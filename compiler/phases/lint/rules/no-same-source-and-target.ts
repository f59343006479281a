import * as d from '#schemas/generated/diagnostics.ts';

import { written } from '../literals.ts';
import type { ResolvedCall, Rule } from '../rule.ts';
import { shown } from '../texts.ts';

const from = /^(?:source|src|origin|from)|^(?:dir|file)_path$/;
const to = /^(?:target|destination|dest|to)(?:_|$)/;

/** Source and target of a copy or a move differ. */
export default {
  name: 'no-same-source-and-target',
  preset: 'recommended',
  resolved({ groups, report }) {
    for (const call of groups.of(({ params }) => params.filter(({ role }) => role === 'local-path').length > 1)) {
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
