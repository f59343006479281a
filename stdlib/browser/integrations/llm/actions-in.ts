import * as fail from '#schemas/generated/failures.ts';
import type { Base } from '#runtime/kernel/ports.ts';
import type { Json } from '#schemas/types/json.ts';
import { parseJson } from '#stdlib/http/parse-json.ts';

/** The list in a reply, from its first bracket to its last. */
export function actionsIn(reply: string, ctx: Base): Json[] {
  const parsed = parseJson(reply.slice(reply.indexOf('['), reply.lastIndexOf(']') + 1));
  if (!('json' in parsed) || !Array.isArray(parsed.json))
    throw fail.llmAnswerUnfit({ reason: `it holds no list of actions: ${ctx.excerpt(reply, 200)}` });
  if (parsed.json.length === 0) throw fail.llmAnswerUnfit({ reason: 'its list of actions is empty' });
  return parsed.json as Json[];
}
