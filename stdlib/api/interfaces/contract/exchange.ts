import type { Json } from '#schemas/types/json.ts';

import type { ContractRequest, ContractResponse } from './contract-file.ts';
import { bodyMismatches, headerMismatches, pathMismatches, queryMismatches } from './match.ts';
import type { Matching } from './match.ts';
import type { FitsPattern } from './match-value.ts';
import { xmlMismatches, type XmlElement } from './match-xml.ts';
import { MatchingRules, type MatchingRule } from './rules.ts';

/** A message that came over a wire. */
export interface ActualMessage {
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: there was no body. Text where it is no JSON. */
  readonly body?: Json;
  /** The body as it came. */
  readonly text?: string;
}

/** Reads XML; a text says why it is none. */
export type ReadXml = (text: string) => XmlElement | string;

/** Reasons why an answer does not fit the expected one; empty: it fits. */
export function responseMismatches(
  expected: ContractResponse,
  actual: ActualMessage & { readonly status: number },
  fits: FitsPattern,
  readXml: ReadXml,
): readonly string[] {
  const matching = { rules: new MatchingRules(expected.matchingRules), fits, isStrict: false };
  return [
    ...statusMismatches(expected.status, actual.status, matching.rules.own(['status'])),
    ...headerMismatches(expected.headers ?? {}, actual.headers, matching),
    ...messageBody(expected, actual, matching, readXml),
  ];
}

const classes: Readonly<Record<string, (status: number) => boolean>> = {
  info: (status) => status < 200,
  success: (status) => status >= 200 && status < 300,
  redirect: (status) => status >= 300 && status < 400,
  clientError: (status) => status >= 400 && status < 500,
  serverError: (status) => status >= 500,
  nonError: (status) => status < 400,
  error: (status) => status >= 400,
};

function statusMismatches(expected: number, actual: number, rule: MatchingRule | undefined): readonly string[] {
  const wanted = rule?.match === 'statusCode' ? (rule.status ?? [expected]) : [expected];
  const fits = typeof wanted === 'string' ? classes[wanted]?.(actual) : wanted.includes(actual);
  return fits === true
    ? []
    : [`status: expected ${typeof wanted === 'string' ? wanted : wanted.join(' or ')}, got ${actual}`];
}

/** Reasons why a request does not fit the expected one; empty: it fits. */
export function requestMismatches(
  expected: ContractRequest,
  actual: ActualMessage & {
    readonly method: string;
    readonly path: string;
    readonly query: string;
  },
  fits: FitsPattern,
  readXml: ReadXml,
): readonly string[] {
  const matching = { rules: new MatchingRules(expected.matchingRules), fits, isStrict: true };
  const isVerb = expected.method.toUpperCase() === actual.method.toUpperCase();
  return [
    ...(isVerb ? [] : [`method: expected ${expected.method}, got ${actual.method}`]),
    ...pathMismatches(expected.path, actual.path, matching),
    ...queryMismatches(expected.query ?? '', actual.query, matching),
    ...headerMismatches(expected.headers ?? {}, actual.headers, matching),
    ...messageBody(expected, actual, matching, readXml),
  ];
}

/** Nothing expected: anything may come. Null expected: nothing may come, or null. No body is an empty text. */
function messageBody(
  { body: expected, headers }: Pick<ContractResponse, 'body' | 'headers'>,
  actual: ActualMessage,
  matching: Matching,
  readXml: ReadXml,
): readonly string[] {
  if (expected === undefined) return [];
  const isEmpty = actual.body === undefined || actual.body === null || actual.body === '';
  if (expected === null) return isEmpty ? [] : ['$.body: expected none'];
  if (actual.body === undefined) return expected === '' ? [] : ['$.body: is missing'];
  if (typeof expected !== 'string') return bodyMismatches(expected, actual.body, matching);
  const given = actual.text ?? actual.body;
  const wanted = isXml(expected, headers) ? readXml(expected) : '';
  // A value that is no XML itself can only be meant as text.
  if (typeof wanted === 'string' || typeof given !== 'string') return bodyMismatches(expected, given, matching);
  const root = readXml(given);
  return typeof root === 'string' ? [`$.body: it is no XML: ${root}`] : xmlMismatches(wanted, root, matching);
}

/** A text that says that it is XML, or that its media type says it of. */
function isXml(text: string, headers: ContractResponse['headers'] = {}): boolean {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return /^\s*<\?xml\s/.test(text) || /^[^;]*[/+]xml\s*(?:;|$)/i.test(type);
}
