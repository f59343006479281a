import { didYouMean } from '#compiler/did-you-mean.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Label } from '#schemas/types/diagnostic.ts';

import { itemAt, type ProjectUnit, type Rule } from '../rule.ts';

interface Place {
  readonly at: Label;
  readonly unit: ProjectUnit;
}

/** A tag that stands once, and is written much like one that stands more often, selects what nobody asks for. */
export default {
  name: 'no-lonely-tag',
  preset: 'recommended',
  project(units) {
    const places = new Map<string, Place[]>();
    for (const unit of units)
      for (const [tag, at] of tagsOf(unit)) places.set(tag, [...(places.get(tag) ?? []), { at, unit }]);
    const common = [...places].filter(([, all]) => all.length > 1).map(([tag]) => tag);
    for (const [tag, [only, second]] of places) {
      if (only === undefined || second !== undefined || tag.length < SHORTEST) continue;
      const [nearest] = didYouMean(tag, common, 1);
      if (nearest !== undefined && !isNumbered(tag, nearest))
        only.unit.report(d.noLonelyTag({ at: only.at, tag, nearest }));
    }
  },
} satisfies Rule;

/** Shorter tags are alike by chance. */
const SHORTEST = 4;

/** `group1` and `group2` are two tags. */
function isNumbered(one: string, other: string): boolean {
  return /\d/.test(one + other) && one.replace(/\d+/g, '') === other.replace(/\d+/g, '');
}

function* tagsOf({ unit, groups }: ProjectUnit): Generator<readonly [tag: string, at: Label]> {
  const source = unit.file ?? unit.source;
  for (const [index, tag] of unit.tags.entries())
    yield [tag, { source, route: ['meta', 'tags', index], part: 'value' }];
  for (const call of groups.having('tags'))
    for (const [index, tag] of (call.node.tags ?? []).entries()) yield [tag, itemAt(call, 'tags', index)];
}
