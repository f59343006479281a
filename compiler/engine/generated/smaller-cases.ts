import type { TestCase } from '#grammar/openapi/generate/test-case.ts';
import { isObject, type Json, type JsonObject } from '#schemas/types/json.ts';

/**
 * Tests that are one step smaller than a given one, the boldest first: without a query parameter, a header, a cookie
 * or a field of the body, or with a shorter value in one of them. Only the last step is changed: those before make what
 * it needs.
 */
export function* smallerCases(test: TestCase): Generator<TestCase> {
  const last = test.steps.at(-1);
  if (!last) return;
  const fixed = new Set(last.fixed);
  // A right value stays as it is: a smaller one might be wrong.
  const mayChange = test.kind === 'negatives' || test.kind === 'random';
  for (const params of smallerParams(last.params, fixed, mayChange))
    yield { ...test, steps: [...test.steps.slice(0, -1), { ...last, params }] };
}

function* smallerParams(params: JsonObject, fixed: ReadonlySet<string>, mayChange: boolean): Generator<JsonObject> {
  for (const part of ['json', 'params', 'headers', 'cookies']) {
    const value = params[part];
    if (value === undefined) continue;
    const { [part]: _part, ...rest } = params;
    const holdsFixed = [...fixed].some((key) => key === part || key.startsWith(`${part} `));
    if (!holdsFixed) yield rest;
    if (!isObject(value)) continue;
    for (const [key, item] of Object.entries(value)) {
      if (fixed.has(`${part} ${key}`)) continue;
      const { [key]: _field, ...others } = value;
      yield { ...params, [part]: others };
      for (const smaller of mayChange ? smallerValues(item ?? null, 0) : [])
        yield { ...params, [part]: { ...value, [key]: smaller } };
    }
  }
}

function* smallerValues(value: Json, depth: number): Generator<Json> {
  if (depth > 8) return;
  if (typeof value === 'string' && value.length > 1 && !/\$\{|\{\{/.test(value)) {
    yield value.slice(0, Math.ceil(value.length / 2));
    yield value.slice(0, -1);
  } else if (typeof value === 'number' && value !== 0) {
    yield 0;
    yield Math.trunc(value / 2);
  } else if (Array.isArray(value)) {
    for (const index of value.keys()) yield (value as readonly Json[]).filter((_, at) => at !== index);
    for (const [index, item] of (value as readonly Json[]).entries())
      for (const smaller of smallerValues(item, depth + 1)) yield (value as Json[]).with(index, smaller);
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      const { [key]: _field, ...rest } = value;
      yield rest;
    }
    for (const [key, item] of Object.entries(value))
      for (const smaller of smallerValues(item ?? null, depth + 1)) yield { ...value, [key]: smaller };
  }
}
