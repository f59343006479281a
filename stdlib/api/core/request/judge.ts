import * as fail from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { pathText } from '#runtime/kernel/values/path.ts';
import { counted } from '#grammar/source/counted.ts';

import { equalJson } from '../../equal-json.ts';
import { diffJson } from '../assert/diff-json.ts';
import { writePath } from '../diff/diff-payloads.ts';
import { fieldOf } from '#stdlib/http/result.ts';
import type { HttpResult } from '#stdlib/http/result.ts';

/**
 * The failure of an answer that the step does not accept; undefined: it does. A status of 400 and above counts
 * unless the step speaks of the status itself; all checks are made, not only up to the first that differs.
 */
export function judge(result: HttpResult, checks: JsonObject | null, statusJudged: boolean): Failure | undefined {
  if (result.status_code >= 400 && !speaksOfStatus(checks, statusJudged)) return statusFailure(result);
  const differing = Object.keys(checks ?? {}).filter(
    (name) => !holds(name, fieldOf(result, name), checks?.[name] ?? null),
  );
  return differing.length === 0 ? undefined : checksFailure(result, checks ?? {}, differing);
}

/** Whether the step itself says which status it wants. */
export function speaksOfStatus(checks: JsonObject | null, statusJudged: boolean): boolean {
  return statusJudged || (checks !== null && Object.hasOwn(checks, 'status_code'));
}

/** Names of headers ignore case. */
function holds(name: string, actual: Json, expected: Json): boolean {
  return equalJson(
    name === 'headers' ? lowerKeys(actual) : actual,
    name === 'headers' ? lowerKeys(expected) : expected,
  );
}

function lowerKeys(value: Json): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toLowerCase(), item]));
}

/** Fields that differ, each place inside them for itself where both sides hold values. */
function placesOf(result: HttpResult, checks: JsonObject, names: readonly string[]): readonly Place[] {
  return names.map((name) => {
    const lower = name === 'headers' ? lowerKeys : (value: Json): Json => value;
    const differences = diffJson(lower(checks[name] ?? null), lower(fieldOf(result, name)), [name]);
    const [first] = differences;
    const isWhole = differences.length === 1 && first?.at.length === 1;
    const place = first && writePath(first.at);
    const label =
      isWhole || !place
        ? name
        : differences.length === 1
          ? place
          : `${name} (${counted(differences.length, 'place')}, the first at ${place})`;
    return { label, differences };
  });
}

interface Place {
  readonly label: string;
  readonly differences: ReturnType<typeof diffJson>;
}

/** A sentence on a field that holds what was wanted, and more: it is compared as a whole. */
function onlyMore(checks: JsonObject, names: readonly string[], places: readonly Place[]): string | undefined {
  const name = names[places.findIndex(({ differences }) => differences.every(({ kind }) => kind === 'added'))];
  const wanted = name === undefined ? undefined : checks[name];
  const [first] = isObject(wanted) ? Object.entries(wanted) : [];
  if (name === undefined || first === undefined || typeof first[1] === 'object') return undefined;
  const part = `${pathText('result', [name, first[0]])} == ${JSON.stringify(first[1])}`;
  return `\`${name}\` is compared as a whole, and holds more than is wanted; \`expect\` asks for parts, as \`${part}\`.`;
}

function checksFailure(result: HttpResult, checks: JsonObject, differing: readonly string[]): Failure {
  const places = placesOf(result, checks, differing);
  const all = places.flatMap(({ differences }) => differences);
  const facts = {
    method: result.request_method,
    url: result.request_url,
    count: differing.length,
    total: Object.keys(checks).length,
    fields: places.map(({ label }) => label).join(', '),
    help: onlyMore(checks, differing, places),
    expected: Object.fromEntries(
      all.flatMap(({ at, expected }) => (expected === undefined ? [] : [[writePath(at), expected]])),
    ),
    actual: Object.fromEntries(
      all.flatMap(({ at, actual }) => (actual === undefined ? [] : [[writePath(at), actual]])),
    ),
    result,
  };
  return result.status_code >= 500 ? fail.httpChecksServerError(facts) : fail.httpChecks(facts);
}

function statusFailure(result: HttpResult): Failure {
  const { status_code: status, reason, request_method: method, request_url: url } = result;
  const facts = { method, url, status, reason, result, expected: 'status below 400', actual: status };
  if (status === 408 || status === 425 || status === 429) {
    const after = result.headers['retry-after'];
    return fail.httpTryLater({ ...facts, wait: after === undefined ? '' : ` (Retry-After: ${after})` });
  }
  if (status === 502 || status === 503 || status === 504) return fail.httpUnavailable(facts);
  return status >= 500 ? fail.httpServerError(facts) : fail.httpStatus(facts);
}
