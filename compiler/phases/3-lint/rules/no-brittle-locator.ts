import * as d from '#schemas/generated/diagnostics.ts';

import { literal, type Rule } from '../rule.ts';

const locatorParameters = new Set(['selector', 'locator', 'value', 'test_object_name']);
const absoluteXPath = /^(?:xpath=)?\/html(?:\/|\[|$)/i;
const positions = /:nth-(?:child|of-type)\(|\[\d+\]/g;

/** A locator names what an element is, not where it stands. */
export default {
  name: 'no-brittle-locator',
  preset: 'recommended',
  resolved({ calls, report }) {
    for (const call of calls.filter(({ info }) => info.effects.includes('browser'))) {
      for (const name of Object.keys(call.node.args).filter((parameter) => locatorParameters.has(parameter))) {
        const value = literal(call, name);
        if (typeof value === 'string' && isBrittle(value)) report(d.noBrittleLocator({ at: call.argumentAt(name), locator: value }));
      }
    }
  },
} satisfies Rule;

function isBrittle(locator: string): boolean {
  return absoluteXPath.test(locator) || (locator.match(positions)?.length ?? 0) >= 3;
}
