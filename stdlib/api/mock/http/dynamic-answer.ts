import { follow, Missing } from '#runtime/kernel/values/path.ts';
import type { Json } from '#schemas/types/json.ts';

import { equalJson } from '../../equal-json.ts';
import type { Names } from '../../look-up.ts';
import { PathError, readPath } from '../../read-path.ts';
import { handlerAnswer } from './handlers.ts';
import type { MockAnswer, MockHandler, MockRequest, RouteTools } from './port.ts';
import { fillFor, templateAnswer } from './template-answer.ts';

/** Compares a value of a request: of its JSON body, unless `in` names another part. */
export interface RuleCondition {
  readonly in?: 'form' | 'headers' | 'json' | 'path' | 'query';
  readonly field_path: string;
  readonly expected: Json;
}

export interface DynamicRule {
  /** Absent: the rule always fits. */
  readonly when?: RuleCondition;
  /** Answers that it gives; then it fits no more. Absent: any number. */
  readonly times?: number;
  readonly answer: MockAnswer;
  readonly handler?: MockHandler;
}

/** The answer of the first rule that fits. A handler that throws is passed over, and its error is noted. */
export async function dynamicAnswer(
  rules: readonly DynamicRule[],
  request: MockRequest,
  names: Names,
  { controls, counts, note }: RouteTools,
): Promise<MockAnswer> {
  for (const rule of rules) {
    if (rule.when && !fits(rule.when, request, names)) continue;
    const before = counts.get(rule) ?? 0;
    if (before >= (rule.times ?? Infinity)) continue;
    if (rule.times !== undefined) counts.set(rule, before + 1);
    try {
      return rule.handler
        ? await handlerAnswer(rule.handler, request, controls)
        : templateAnswer(rule.answer, request, names);
    } catch (error) {
      note(error);
    }
  }
  return { status: 404, body: 'no matching dynamic rule' };
}

function fits(
  { in: part = 'json', field_path: path, expected }: RuleCondition,
  request: MockRequest,
  names: Names,
): boolean {
  const route = readPath(part === 'headers' ? path.toLowerCase() : path);
  if (route instanceof PathError) return false;
  const actual = follow(part === 'path' ? request.params : request[part], route, part);
  return !(actual instanceof Missing) && equalJson(actual as Json, fillFor(expected, request, names));
}
