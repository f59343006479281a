import * as d from '#schemas/generated/diagnostics.ts';

import type { Rule } from '../rule.ts';
import { insideArgument, REFERENCE, textsOf } from '../texts.ts';

const withPassword = /^\s*[a-z][a-z0-9+.-]*:\/\/[^/?#\s:@]*:([^/?#\s@]+)@/i;

/** Addresses are logged along the way; passwords do not belong in them. */
export default {
  name: 'no-credentials-in-url',
  preset: 'recommended',
  hint: /@/,
  judgesValues: true,
  resolved({ unit, calls, at, report }) {
    for (const call of calls) {
      for (const [parameter, value] of Object.entries(call.node.args)) {
        for (const { text, path } of textsOf(value))
          if (holdsPassword(text)) report(d.noCredentialsInUrl({ at: insideArgument(call, parameter, path) }));
      }
    }
    for (const { text } of unit.base_url ? textsOf(unit.base_url) : [])
      if (holdsPassword(text)) report(d.noCredentialsInUrl({ at: at(['meta', 'base_url']) }));
  },
} satisfies Rule;

/** A password that a reference fills does not stand in the file. */
function holdsPassword(text: string): boolean {
  const [, password] = withPassword.exec(text) ?? [];
  return password !== undefined && !password.includes(REFERENCE);
}
