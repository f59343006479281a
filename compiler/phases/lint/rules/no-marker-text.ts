import * as d from '#schemas/generated/diagnostics.ts';
import type { Route } from '#schemas/types/place.ts';

import { isMarker, markerMeant } from '../../4-resolve/meant/foreign/markers.ts';
import type { Rule } from '../rule.ts';
import { insideArgument, textsOf } from '../texts.ts';

/** A value of Karate that is filled: `#(user.id)`. */
const FILLED = /^##?\(\s*([A-Za-z_][\w.[\]]*)\s*\)$/;

/** Values are filled by references, and judged by conditions. */
export default {
  name: 'no-marker-text',
  preset: 'recommended',
  hint: /["']##?[([?a-z]/,
  texts({ at, report }) {
    return (text, path) => {
      const [, name] = FILLED.exec(text) ?? [];
      if (name === undefined) return;
      const place = at(path());
      const nearest = `{{${name}}}`;
      const operations = [{ kind: 'replace', route: place.route, value: nearest }] as const;
      const fix = { title: `write ${nearest}`, safety: 'unsafe', operations } as const;
      report(d.noMarkerText({ at: place, marker: text, nearest: `"${nearest}"`, fixes: [fix] }));
    };
  },
  argument: {
    wants: ({ name }) => name === 'result_check_dict',
    look({ parameter: { name } }, call, report) {
      const value = call.node.args[name];
      for (const { text, path } of value === undefined ? [] : textsOf(value)) {
        if (!isMarker(text) || FILLED.test(text)) continue;
        const condition = markerMeant(`result${steps(path)}`, '==', JSON.stringify(text));
        const nearest = condition === undefined ? undefined : `expect: ${condition}`;
        report(d.noMarkerText({ at: insideArgument(call, name, path), marker: text, nearest }));
      }
    },
  },
} satisfies Rule;

function steps(path: Route): string {
  return path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
}
