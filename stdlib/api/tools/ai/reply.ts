import type { Json } from '#schemas/types/json.ts';

import { parseJson } from '#stdlib/http/parse-json.ts';

/** The JSON that a language model answered with; one code fence around it is allowed. Undefined: it is none. */
export function jsonOfReply(reply: string): Json | undefined {
  const text = reply.trim();
  const fenced = /^```[\w-]*[^\S\n]*\n([^]*)```$/.exec(text);
  const parsed = parseJson((fenced?.[1] ?? text).trim());
  return 'json' in parsed ? parsed.json : undefined;
}
