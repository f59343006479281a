import * as d from '#schemas/generated/diagnostics.ts';
import type { Parameter } from '#schemas/types/command.ts';

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
    look({ parameter: { name }, text = '' }, call, report) {
      // Nearly all differ: which of them is the source is asked of the others alone.
      if (!call.info.params.some((other) => other.name !== name && pathOf(call, other) === bare(text))) return;
      const place = pathLike(call, to);
      const origin = place?.name === name ? pathLike(call, from) : undefined;
      if (place && origin && origin.text === place.text)
        report(d.noSameSourceAndTarget({ at: call.argumentAt(name), path: shown(place.text) }));
    },
  },
} satisfies Rule;

function pathLike(call: ResolvedCall, pattern: RegExp): { readonly name: string; readonly text: string } | undefined {
  for (const parameter of call.info.params) {
    if (!pattern.test(parameter.name)) continue;
    const text = pathOf(call, parameter);
    if (text !== undefined) return { name: parameter.name, text };
  }
  return undefined;
}

function pathOf(call: ResolvedCall, parameter: Parameter): string | undefined {
  const text = parameter.role === 'local-path' ? call.writtenAs(parameter)?.text : undefined;
  return text === undefined ? undefined : bare(text);
}

/** A path without what can be left out at its ends. */
function bare(path: string): string {
  const isBare = !path.startsWith('./') && !path.endsWith('/');
  return isBare ? path : path.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
}
