import { follow, Missing } from '#runtime/kernel/values/path.ts';
import type { Json } from '#schemas/types/json.ts';

import { equalJson } from '../../equal-json.ts';
import type { Names } from '../../look-up.ts';
import { PathError, readPath } from '../../read-path.ts';
import { handlerAnswer } from './handlers.ts';
import type { MockAnswer, MockControls, MockHandler, MockRequest } from './port.ts';
import { fillFor, templateAnswer } from './template-answer.ts';

export interface DynamicRule {
  /** Compares a field of the JSON body; without it the rule always fits. */
  readonly when?: { readonly field_path: string; readonly expected: Json };
  readonly answer: MockAnswer;
  readonly handler?: MockHandler;
}

/** The answer of the first rule that fits. A handler that throws is passed over, and `failed` hears of it. */
export async function dynamicAnswer(
  rules: readonly DynamicRule[],
  request: MockRequest,
  controls: MockControls,
  names: Names,
  failed: (error: unknown) => void,
): Promise<MockAnswer> {
  for (const rule of rules) {
    if (rule.when && !fits(rule.when, request, names)) continue;
    try {
      return rule.handler
        ? await handlerAnswer(rule.handler, request, controls)
        : templateAnswer(rule.answer, request, names);
    } catch (error) {
      failed(error);
    }
  }
  return { status: 404, body: 'no matching dynamic rule' };
}

function fits(
  { field_path: path, expected }: NonNullable<DynamicRule['when']>,
  request: MockRequest,
  names: Names,
): boolean {
  const route = readPath(path);
  if (route instanceof PathError) return false;
  const actual = follow(request.json, route, 'json');
  return !(actual instanceof Missing) && equalJson(actual as Json, fillFor(expected, request, names));
}
