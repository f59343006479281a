import type { Json } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';

import { prepared } from './answer.ts';
import type { MockAnswer, MockControls, MockHandler, MockRequest } from './port.ts';

const answerKeys = new Set(['body', 'status', 'headers']);

/**
 * A body, or an object that has one and beside it at most `status` and `headers`. Rejects for a body that JSON cannot
 * say.
 */
export async function handlerAnswer(
  handler: MockHandler,
  request: MockRequest,
  controls: MockControls,
): Promise<MockAnswer> {
  const value = ((await handler(request, controls)) ?? null) as Json;
  if (!isObject(value) || !Object.hasOwn(value, 'body') || !Object.keys(value).every((key) => answerKeys.has(key)))
    return prepared({ body: value });
  const { body = null, status, headers } = value;
  return prepared({
    body,
    ...(typeof status === 'number' ? { status } : {}),
    ...(isObject(headers) ? { headers: headers as Readonly<Record<string, string>> } : {}),
  });
}
