import * as d from '#schemas/generated/diagnostics.ts';

import type { ResolvedCall, Rule } from '../rule.ts';
import { shown } from '../texts.ts';

const from = /^(?:source|src|origin|from)|^(?:dir|file)_path$/;
const to = /^(?:target|destination|dest|to)(?:_|$)/;

/** Source and target of a copy or a move differ. */
export default {
  name: 'no-same-source-and-target',
  preset: 'recommended',
  argument: {
    wants: ({ name, role }) => role === 'local-path' && to.test(name),
    look({ parameter: { name } }, call, report) {
      const place = pathLike(call, to);
      const origin = place?.name === name ? pathLike(call, from) : undefined;
      if (place && origin && origin.text === place.text)
        report(d.noSameSourceAndTarget({ at: call.argumentAt(name), path: shown(place.text) }));
    },
  },
} satisfies Rule;

function pathLike(call: ResolvedCall, pattern: RegExp): { readonly name: string; readonly text: string } | undefined {
  for (const parameter of call.info.params) {
    if (parameter.role !== 'local-path' || !pattern.test(parameter.name)) continue;
    const text = call.writtenAs(parameter)?.text;
    if (text !== undefined) return { name: parameter.name, text: text.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '') };
  }
  return undefined;
}
