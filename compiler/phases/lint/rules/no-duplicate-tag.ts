import * as d from '#schemas/generated/diagnostics.ts';
import type { Label } from '#schemas/types/diagnostic.ts';
import type { Fix } from '#schemas/types/fix.ts';

import { itemAt, type Rule } from '../rule.ts';

/** Each tag is another one. */
export default {
  name: 'no-duplicate-tag',
  preset: 'recommended',
  resolved({ unit, groups, at, report }) {
    const look = (tags: readonly string[], place: (index: number) => Label): void => {
      const seen = new Set<string>();
      for (const [index, tag] of tags.entries()) {
        if (seen.has(tag)) report(d.noDuplicateTag({ at: place(index), tag, fixes: [removal(place(index))] }));
        seen.add(tag);
      }
    };
    look(unit.tags, (index) => at(['meta', 'tags', index]));
    for (const call of groups.having('tags'))
      if (call.node.tags) look(call.node.tags, (index) => itemAt(call, 'tags', index));
  },
} satisfies Rule;

function removal({ route }: Label): Fix {
  return { title: 'remove it', safety: 'safe', operations: [{ kind: 'remove', route }] };
}
