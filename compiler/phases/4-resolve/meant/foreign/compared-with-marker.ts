import * as d from '#schemas/generated/diagnostics.ts';
import type { ConditionTree } from '#schemas/types/condition-tree.ts';
import type { Diagnostic, Label } from '#schemas/types/diagnostic.ts';
import type { Fix } from '#schemas/types/fix.ts';

import { isMarker, markerMeant } from './markers.ts';

type Comparison = Extract<ConditionTree, { kind: 'compare' }>;

/** The finding for a comparison with a marker of Karate, which here is a text like any other. */
export function comparedWithMarker({ left, right }: Comparison, at: Label, source: string): Diagnostic | undefined {
  const side = [right, left].find((each) => each.kind === 'literal' && typeof each.value === 'string');
  const marker = side?.kind === 'literal' && typeof side.value === 'string' ? side.value : '';
  if (!isMarker(marker)) return undefined;
  const meant = wholeMeant(source);
  const write: Fix = {
    title: `write ${meant}`,
    safety: 'unsafe',
    operations: [{ kind: 'replace', route: at.route, value: meant ?? '' }],
  };
  return d.comparedWithMarker({ at, marker, nearest: meant, fixes: meant === undefined ? [] : [write] });
}

/** A condition that is this comparison alone, in other words. */
function wholeMeant(source: string): string | undefined {
  const [, value = '', operator = '', quoted = ''] =
    /^\s*([\w.[\]]+)\s*([=!]=)\s*("[^"]*"|'[^']*')\s*$/.exec(source) ?? [];
  return value === '' ? undefined : markerMeant(value, operator, quoted);
}
