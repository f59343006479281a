import type { SessionOptions } from '#compiler/engine/unit-session.ts';
import type { AiEffort } from '#runtime/services/ai/port.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';
import { jsonOfReply } from '#stdlib/api/tools/ai/reply.ts';

import { once } from '../session.ts';
import { withNames } from './dns.ts';

/** A language model, or what stands in for one. */
export interface AiBackendObject {
  readonly name: string;
  /**
   * Text, empty for no answer; whoever asks has a fallback. Rejects with APIAIBackendException where asking again
   * cannot help.
   */
  complete(prompt: string, context?: Json): Promise<string> | string;
}

const EFFORTS: readonly AiEffort[] = ['low', 'medium', 'high', 'xhigh', 'max'];

let chosen: AiBackendObject | undefined;

/** A backend by name: `noop` contacts nobody, `provider` the server that `SVC_AI_URL` names. */
export function build_ai_backend(
  {
    name = 'noop',
    model = null,
    effort = null,
  }: { readonly name?: string; readonly model?: string | null; readonly effort?: AiEffort | null } = {},
  options: SessionOptions = {},
): AiBackendObject {
  if (name !== 'noop' && name !== 'provider')
    throw fail.aiBackendChoice({ reason: `there is no backend "${name}"; known are noop, provider` });
  if (name === 'noop') {
    if (model !== null || effort !== null)
      throw fail.aiBackendChoice({ reason: 'the backend "noop" has neither a model nor an effort' });
    return static_ai_backend({ name: 'noop' });
  }
  if (model === '') throw fail.aiBackendChoice({ reason: 'the model has no name' });
  if (effort !== null && !EFFORTS.includes(effort))
    throw fail.aiBackendChoice({ reason: `there is no effort "${effort}"; known are ${EFFORTS.join(', ')}` });
  const choice = { name, ...(model !== null && { model }), ...(effort !== null && { effort }) };
  return {
    name,
    complete: (prompt, context = null) =>
      once(
        'complete',
        ['ai'],
        async ({ ai, signal }) => {
          ai.select(choice);
          const material = context === null ? '' : JSON.stringify(context);
          const answer = await ai.ask({ task: prompt, material, signal });
          return answer.kind === 'text' ? answer.text : '';
        },
        withNames(options),
      ),
  };
}

/** A backend that always gives the same answer and contacts nobody. */
export function static_ai_backend({
  response = '',
  name = 'static',
}: { readonly response?: string; readonly name?: string } = {}): AiBackendObject {
  return { name, complete: () => response };
}

/** Makes a backend of one's own the active one; anything without a function `complete` is refused. */
export function set_ai_backend(backend: AiBackendObject): void {
  if (typeof (backend as Partial<AiBackendObject> | null)?.complete !== 'function')
    throw fail.aiBackendChoice({ reason: 'it has no function "complete"' });
  chosen = backend;
}

/** The active backend; the first call without a choice reads `SVC_AI_BACKEND`, `SVC_AI_MODEL` and `SVC_AI_EFFORT`. */
export function ai_backend(): AiBackendObject {
  const [name, model, effort] = ['SVC_AI_BACKEND', 'SVC_AI_MODEL', 'SVC_AI_EFFORT'].map(
    (key) => process.env[key] || null,
  );
  return (chosen ??= build_ai_backend({
    name: name ?? 'noop',
    ...(name === 'provider' && { model: model ?? null, effort: (effort ?? null) as AiEffort | null }),
  }));
}

/** The answer of the active backend. */
export async function complete(prompt: string, { context = null }: { readonly context?: Json } = {}): Promise<string> {
  return await ai_backend().complete(prompt, context);
}

/** The JSON in a model's answer, around which one code fence may stand; throws where it is none. */
export function parse_json_reply(reply: string): Json {
  const value = jsonOfReply(reply);
  if (value === undefined) throw new SyntaxError('the answer holds no JSON');
  return value;
}
