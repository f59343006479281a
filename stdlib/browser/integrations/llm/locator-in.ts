import type { Base } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { isObject } from '#schemas/types/json.ts';
import { parseJson } from '#stdlib/http/parse-json.ts';

import type { Locator } from '../../engines/test-objects/locator.ts';

/** Strategies that an answer may name, and what the engines call them. */
const strategies = {
  CLASS_NAME: 'class',
  CSS_SELECTOR: 'css',
  ID: 'id',
  LINK_TEXT: 'link',
  NAME: 'name',
  PARTIAL_LINK_TEXT: 'partial-link',
  TAG_NAME: 'tag',
  XPATH: 'xpath',
} as const satisfies Readonly<Record<string, Locator['strategy']>>;

/** Locator that a model proposes, in the words of action files. */
export type Suggestion = { readonly strategy: keyof typeof strategies; readonly value: string };

/** The locator in a reply, from its first brace to its last. */
export function suggestionIn(reply: string, ctx: Base): Suggestion {
  const parsed = parseJson(reply.slice(reply.indexOf('{'), reply.lastIndexOf('}') + 1));
  const { strategy, value } = 'json' in parsed && isObject(parsed.json) ? parsed.json : {};
  const spelling = String(strategy).toUpperCase().replaceAll(' ', '_');
  if (!isKnown(spelling) || typeof value !== 'string' || value === '')
    throw fail.llmAnswerUnfit({ reason: `it holds no strategy and value: ${ctx.excerpt(reply, 200)}` });
  return { strategy: spelling, value };
}

export function locatorOf({ strategy, value }: Suggestion): Locator {
  return { strategy: strategies[strategy], value };
}

function isKnown(spelling: string): spelling is Suggestion['strategy'] {
  return Object.hasOwn(strategies, spelling);
}
