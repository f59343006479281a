import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { jsonOfReply } from './reply.ts';

/**
 * Commands that a model may write into a test: requests, and those that look at their answers. None that reads
 * files, runs programs or sends elsewhere.
 */
const allowed = /^AT_(?:test_api_method(?:_httpx)?|assert_[a-z_]+|extract_and_store|set_variable)$/;

/** The actions of a reply; undefined: it is no list of actions, or one of them is not allowed. */
export function actionsOfReply(reply: string): [name: string, params: JsonObject][] | undefined {
  const list = jsonOfReply(reply);
  if (!Array.isArray(list) || list.length === 0) return undefined;
  return (list as readonly Json[]).every(isAllowed) ? (list as [string, JsonObject][]) : undefined;
}

function isAllowed(action: Json): boolean {
  if (!Array.isArray(action) || action.length !== 2) return false;
  const [name, params] = action as readonly Json[];
  return typeof name === 'string' && allowed.test(name) && isObject(params ?? null);
}
