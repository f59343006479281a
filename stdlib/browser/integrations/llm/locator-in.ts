import type { Base } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { isObject } from '#schemas/types/json.ts';
import { parseJson } from '#stdlib/http/parse-json.ts';

const STRATEGIES = [
  'CLASS_NAME',
  'CSS_SELECTOR',
  'ID',
  'LINK_TEXT',
  'NAME',
  'PARTIAL_LINK_TEXT',
  'TAG_NAME',
  'XPATH',
] as const;

export interface Locator {
  readonly strategy: (typeof STRATEGIES)[number];
  readonly value: string;
}

/** The locator in a reply, from its first brace to its last. */
export function locatorIn(reply: string, ctx: Base): Locator {
  const parsed = parseJson(reply.slice(reply.indexOf('{'), reply.lastIndexOf('}') + 1));
  const found = 'json' in parsed && isObject(parsed.json) ? parsed.json : {};
  const { strategy, value } = found;
  const known = STRATEGIES.find((name) => name === String(strategy).toUpperCase().replaceAll(' ', '_'));
  if (known === undefined || typeof value !== 'string' || value === '')
    throw fail.llmAnswerUnfit({ reason: `it holds no strategy and value: ${ctx.excerpt(reply, 200)}` });
  return { strategy: known, value };
}
