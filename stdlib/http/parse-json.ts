import type { Json } from '#schemas/types/json.ts';

/** Deeper bodies are an attack on whatever walks through them. */
const deepest = 512;

export type ParsedJson = { readonly json: Json } | { readonly error: string };

/** The JSON of a body from outside, or why it is none. */
export function parseJson(text: string): ParsedJson {
  if (text.length > 2 * deepest && isDeeperThan(text, deepest))
    return { error: `nested deeper than ${deepest} levels` };
  try {
    return { json: JSON.parse(text) as Json };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at);
    else if (code === 0x5b || code === 0x7b) depth++;
    else if (code === 0x5d || code === 0x7d) depth--;
    if (depth > limit) return true;
  }
  return false;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at++;
    else if (code === 0x22) return at;
  }
  return text.length;
}
