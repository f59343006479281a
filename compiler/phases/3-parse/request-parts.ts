import * as d from '#schemas/generated/diagnostics.ts';
import type { Fix } from '#schemas/types/fix.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import { isStepOption } from '../1-read/vocabulary.ts';

import type { Reading } from './reading.ts';

/** Words of Karate for what a request is made of and what its answer must hold. */
const WORDS: ReadonlySet<string> = new Set([
  ...['url', 'path', 'param', 'params', 'header', 'headers', 'cookie', 'cookies', 'request', 'form field', 'method'],
  ...['status', 'match', 'assert'],
]);
const ABOUT_ANSWERS: ReadonlySet<string> = new Set(['status', 'match', 'assert']);
const METHOD = /^(?:get|post|put|patch|delete|head|options)$/i;

/** Most steps of one request: a list of parts without a request is looked at from each of them. */
const MOST_STEPS = 30;

/** A part of a request: `method` and `get`. */
type Part = readonly [word: string, value: Json];

/**
 * Number of steps from this one on that are parts of requests, as Karate has them (`url`, `path`, `method`, `status`,
 * a step each or keys of one): reported as one mistake. 0 where they are none, or where parts alone are no request.
 */
export function requestInParts(steps: readonly Json[], index: number, route: Route, reading: Reading): number {
  const first = steps[index] ?? null;
  const begun = partsOf(first, reading);
  if (begun === undefined) return 0;
  const parts: Part[] = [...begun];
  let end = index + 1;
  for (; end < steps.length && end - index < MOST_STEPS; end += 1) {
    const more = partsOf(steps[end] ?? null, reading);
    // The next request begins.
    if (more === undefined || (hasWord(parts, isMethod) && hasWord(more, isOfRequest))) break;
    parts.push(...more);
  }
  if (!hasWord(parts, isMethod)) return isKept(parts, steps, end, reading) ? end - index : 0;
  const kept = hasWord(parts, isUrl) ? undefined : urlBefore(steps, index, reading);
  if (!hasWord(parts, isAddress) && kept === undefined) return 0;
  const key = isObject(first) ? Object.keys(first)[0] : undefined;
  const at =
    key === undefined
      ? ({ source: reading.source, route: [...route, index], part: 'value' } as const)
      : ({ source: reading.source, route: [...route, index, key], part: 'key' } as const);
  const whole: readonly Part[] = kept === undefined ? parts : [['url', kept.url], ...parts];
  const isLast = kept?.isAlone === true && !isKept([['url', kept.url]], steps, end, reading);
  const without = isLast ? [{ kind: 'remove', route: [...route, kept.index] } as const] : [];
  const fixes = asOneStep(whole, steps.slice(index, end), [...route, index]).map((fix) => ({
    ...fix,
    operations: [...(fix.operations ?? []), ...without],
  }));
  reading.report(d.requestInParts({ at, fixes }));
  return end - index;
}

/** Steps that are looked at for an address that Karate keeps, or for a request that it is kept for. */
const MOST_BETWEEN = 200;

/** The address that a step before has set: Karate keeps it for all requests up to the next. */
function urlBefore(
  steps: readonly Json[],
  index: number,
  reading: Reading,
): { readonly url: Json; readonly index: number; readonly isAlone: boolean } | undefined {
  for (let at = index - 1; at >= Math.max(0, index - MOST_BETWEEN); at -= 1) {
    const parts = partsOf(steps[at] ?? null, reading) ?? [];
    const [, url] = parts.find(([word]) => isUrl(word)) ?? [];
    if (url === undefined) continue;
    // Where the next step is a part of the same request, that one is written with it.
    const isAlone = parts.length === 1 && partsOf(steps[at + 1] ?? null, reading) === undefined;
    return { url, index: at, isAlone };
  }
  return undefined;
}

/** Whether parts are an address alone that a later request without one of its own is sent to. */
function isKept(parts: readonly Part[], steps: readonly Json[], end: number, reading: Reading): boolean {
  if (parts.length !== 1 || !hasWord(parts, isUrl)) return false;
  for (let at = end; at < Math.min(steps.length, end + MOST_BETWEEN); at += 1) {
    const more = partsOf(steps[at] ?? null, reading) ?? [];
    if (hasWord(more, isUrl)) return false;
    if (hasWord(more, isMethod)) return true;
  }
  return false;
}

function hasWord(parts: readonly Part[], is: (word: string) => boolean): boolean {
  return parts.some(([word]) => is(word));
}

function isMethod(word: string): boolean {
  return word === 'method';
}

function isUrl(word: string): boolean {
  return word === 'url';
}

function isAddress(word: string): boolean {
  return word === 'url' || word === 'path';
}

function isOfRequest(word: string): boolean {
  return !ABOUT_ANSWERS.has(word);
}

/** Parts that a step holds; undefined where it is something else. Commands are the common case. */
function partsOf(step: Json, reading: Reading): readonly Part[] | undefined {
  if (typeof step === 'string') {
    const [, word = '', value = ''] =
      /^(?:(?:Given|When|Then|And|But|\*) )?(url|path|param|header|request|method|status|match|assert) (.+)$/.exec(
        step,
      ) ?? [];
    return word === '' ? undefined : [[word, literal(value)]];
  }
  if (isList(step)) return partsOfPair(step, reading);
  if (!isObject(step)) return undefined;
  let parts: Part[] | undefined;
  for (const key in step) {
    if (isStepOption(key)) continue;
    if (!WORDS.has(key) || reading.isCommand(key)) return undefined;
    const value = step[key] ?? null;
    if (key === 'method' && !(typeof value === 'string' && METHOD.test(value))) return undefined;
    (parts ??= []).push([key, value]);
  }
  return parts;
}

/** `[method, get]` */
function partsOfPair(step: readonly Json[], reading: Reading): readonly Part[] | undefined {
  // By index, for every step that is a list is asked: taken apart by a pattern it would be gone through.
  const word = step[0];
  if (step.length !== 2 || typeof word !== 'string' || !WORDS.has(word)) return undefined;
  const value = step[1] ?? null;
  return partsOf({ [word]: isList(value) && value.length === 1 ? (value[0] ?? null) : value }, reading);
}

/** A text in quotes, a number or JSON, as Karate writes them in a line. */
function literal(text: string): Json {
  const [, , inside] = /^(["'])(.*)\1$/.exec(text) ?? [];
  if (inside !== undefined || !/^(?:\d+$|[[{])/.test(text)) return inside ?? text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    // Karate needs no quotes around keys.
    return text;
  }
}

/** The request as a step of ours, in place of the first; none where a part has no counterpart, or there are several. */
function asOneStep(parts: readonly Part[], steps: readonly Json[], route: Route): readonly Fix[] {
  const given = Object.fromEntries(parts);
  const { url, path, method, status, match, request, param, params, header, headers, ...others } = given;
  const isSingle = new Set(parts.map(([word]) => word)).size === parts.length;
  const options = steps.map(optionsOf).filter((each) => Object.keys(each).length > 0);
  const address = addressOf(url, path);
  if (!isSingle || Object.keys(others).length > 0 || options.length > 1 || address === undefined) return [];
  if ([param, header].some((each) => each !== undefined && !isObject(each))) return [];
  const expect = [
    ...(status === undefined ? [] : [`result.status_code == ${String(status)}`]),
    ...(match === undefined ? [] : [String(match).replaceAll(/\bresponse\b(?=[.[\s])/g, 'result.json')]),
  ];
  const value: Json = {
    AT_test_api_method: {
      http_method: String(method).toLowerCase(),
      test_url: address,
      ...defined({ params: params ?? param, headers: headers ?? header, json: request }),
    },
    ...(expect.length > 0 && { expect: expect.length === 1 ? (expect[0] ?? '') : expect }),
    ...options[0],
  };
  const after = (count: number): Route => [...route.slice(0, -1), Number(route.at(-1)) + count];
  const operations = [
    { kind: 'replace', route, value } as const,
    ...steps.slice(1).map((_, index) => ({ kind: 'remove', route: after(index + 1) }) as const),
  ];
  return [{ title: 'write it as AT_test_api_method: …', safety: 'unsafe', operations }];
}

function optionsOf(step: Json): JsonObject {
  return isObject(step) ? Object.fromEntries(Object.entries(step).filter(([key]) => isStepOption(key))) : {};
}

function defined(values: Readonly<Record<string, Json | undefined>>): JsonObject {
  const given = Object.entries(values).filter((entry): entry is [string, Json] => entry[1] !== undefined);
  return Object.fromEntries(given);
}

/** The address with its path, which Karate keeps apart; an address in a variable stays one. */
function addressOf(url: Json | undefined, path: Json | undefined): string | undefined {
  if (typeof url !== 'string' || (path !== undefined && typeof path !== 'string')) return undefined;
  const base = /^(?:https?:|\{\{|\$\{|\/)/.test(url) ? url : `{{${url}}}`;
  if (path === undefined) return base;
  return `${base.replace(/\/$/, '')}/${path.replace(/^\//, '')}`;
}
