import { once } from '#grammar/language/once.ts';

import type { ParsedCondition } from './ast.ts';
import { scanCondition } from './scan.ts';

export type { ConditionProblem, ConditionReference, ParsedCondition } from './ast.ts';

/**
 * The door of the condition language (`compiler/language/conditions.md`: `when`, `expect`, `until`). Like references: a
 * linear scanner reads the common forms, a Chevrotain grammar the rest. Await `prepareConditions` with the texts at
 * hand, then call `parseCondition`.
 */
const grammar = once(async () => {
  const [{ makeConditionGrammar }, { makeReferenceGrammar }] = await Promise.all([
    import('./parser.ts'),
    import('#grammar/reference/parser.ts'),
  ]);
  return makeConditionGrammar(makeReferenceGrammar());
});

/** Loads the grammar if one of the texts needs it. */
export async function prepareConditions(texts: Iterable<string>): Promise<void> {
  if (grammar.loaded !== undefined) return;
  for (const text of texts) {
    if (scanCondition(text) !== undefined) continue;
    await grammar.load();
    return;
  }
}

/**
 * Reads a condition. Never throws: what is wrong is a problem with its place, and there is no tree then. A text for
 * which nothing was prepared gets the problem `unreadable` instead of an exact one.
 */
export function parseCondition(text: string): ParsedCondition {
  return (
    scanCondition(text) ??
    grammar.loaded?.(text) ?? { refs: [], problems: [{ key: 'unreadable-condition', from: 0, to: text.length }] }
  );
}
