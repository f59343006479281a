import * as d from '#schemas/generated/diagnostics.ts';

import type { ResolvedCall, Rule } from '../rule.ts';
import { shown, textsOf } from '../texts.ts';

const absoluteXPath = /^(?:xpath=)?\/html(?:\/|\[|$)/i;
const positions = /:nth-(?:child|of-type)\(|\[\d+\]/g;

/** Positions of elements that mean nothing but their place; rows and cells of a table are counted on purpose. */
const ofBoxes = /\b(?:div|span)(?::nth-(?:child|of-type)\(|\[\d+\])/g;

/** A locator names what an element is, not where it stands. */
export default {
  name: 'no-brittle-locator',
  preset: 'recommended',
  judgesValues: true,
  resolved({ groups, report }) {
    for (const call of groups.of(({ domain }) => domain === 'browser')) {
      for (const parameter of locatorParameters(call)) {
        const value = call.node.args[parameter];
        const [found] = value ? textsOf(value) : [];
        if (found && isBrittle(found.text))
          report(d.noBrittleLocator({ at: call.argumentAt(parameter), locator: shown(found.text) }));
      }
    }
  },
} satisfies Rule;

/** Parameters that hold a locator; the name of a saved test object is one where no other is given. */
function locatorParameters(call: ResolvedCall): readonly string[] {
  const { info, node } = call;
  if (info.domain !== 'browser') return [];
  const own = Object.keys(node.args).filter(
    (name) => (name === 'locator' || /(?:^|_)selector$/.test(name)) && call.isWritten(name),
  );
  return own.length === 0 && Object.hasOwn(node.args, 'test_object_name') ? ['test_object_name'] : own;
}

function isBrittle(locator: string): boolean {
  const count = (pattern: RegExp): number => locator.match(pattern)?.length ?? 0;
  return absoluteXPath.test(locator) || count(positions) >= 3 || count(ofBoxes) >= 2;
}
