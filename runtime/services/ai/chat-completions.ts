import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import type { AiAnswer, AiQuestion } from './port.ts';
import type { Chosen } from './choice.ts';

/** The body of a question in the chat-completions form. */
export function chatBody(
  { task, material }: Pick<AiQuestion, 'task' | 'material'>,
  { model, effort }: Extract<Chosen, { kind: 'provider' }>,
): JsonObject {
  return {
    ...(model === undefined ? {} : { model }),
    messages: [
      { role: 'system', content: task },
      { role: 'user', content: material },
    ],
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
  };
}

/** An answer, or `rejected` where the same question can never be answered. */
export type ChatResult = AiAnswer | { readonly kind: 'rejected'; readonly status: number; readonly detail: string };

/** Statuses that say "not now"; all others from 400 to 499 say "never". */
const passing: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** Reads the answer of a server of the chat-completions form. */
export function readChat(
  { status, body }: { readonly status: number; readonly body: Uint8Array },
  longest: number,
): ChatResult {
  const text = new TextDecoder().decode(body);
  const json = parsed(text);
  const none = (reason: Extract<AiAnswer, { kind: 'none' }>['reason'], detail: string): ChatResult => ({
    kind: 'none',
    reason,
    detail,
  });
  if (status >= 500) return none('server', `status ${status}`);
  if (passing.has(status)) return none(status === 429 ? 'rate-limit' : 'server', `status ${status}`);
  if (status >= 400) return { kind: 'rejected', status, detail: errorText(json) };
  if (status < 200 || status > 299) return none('unreadable', `status ${status}`);
  const choice = first(isObject(json) ? json['choices'] : undefined);
  if (!choice) return none('unreadable', 'no "choices"');
  const message = isObject(choice['message']) ? choice['message'] : {};
  const { content, refusal } = message;
  const finish = choice['finish_reason'];
  if ((typeof refusal === 'string' && refusal !== '') || finish === 'content_filter')
    return none('refused', 'the model declined');
  if (finish === 'length') return none('cut', 'the answer was cut off');
  const said = contentText(content);
  if (said.trim() === '') return none('empty', 'the answer is empty');
  if (said.length > longest) return none('unreadable', `the answer is longer than ${longest} characters`);
  return { kind: 'text', text: said };
}

/** Text, or the texts of a list of parts. */
function contentText(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return (content as readonly Json[])
    .map((part) => (isObject(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .join('');
}

function first(list: Json | undefined): JsonObject | undefined {
  const [item] = Array.isArray(list) ? (list as readonly Json[]) : [];
  return isObject(item) ? item : undefined;
}

function errorText(json: Json | undefined): string {
  if (!isObject(json)) return 'without a word';
  const { error } = json;
  const said = isObject(error) ? error['message'] : error;
  return typeof said === 'string' && said !== '' ? said.slice(0, 300) : 'without a word';
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
