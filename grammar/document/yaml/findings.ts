import { EVENT_ID, getScalarValue } from 'js-yaml';
import type { AliasEvent, Event, ScalarEvent } from 'js-yaml';

import * as d from '#schemas/generated/diagnostics.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import type { Fix } from '#schemas/types/fix.ts';
import type { Route, Span } from '#schemas/types/place.ts';
import { endOfLine } from '#grammar/source/lines.ts';

import { shorten, textFix } from '../findings.ts';
import type { Findings } from '../findings.ts';
import { propertiesEnd, scalarSpan } from './span.ts';
import { quoted } from './quote.ts';

/** Keys of a step whose values are conditions, which people like to begin with `!`. */
const CONDITION_KEYS = ['when', 'expect', 'until'];
/**
 * Number of equal keys whose first one is named: events are searched again for it, which is too dear for every
 * one of a thousand.
 */
const MOST_RELATED = 100;

/** Reports a key that stands twice. `holder` is the index of its object's event. */
export function reportDuplicate(
  text: string,
  events: readonly Event[],
  holder: number,
  key: ScalarEvent,
  name: string,
  route: Route,
  findings: Findings,
): void {
  const first = findings.diagnostics.length < MOST_RELATED ? firstKey(text, events, holder, name) : undefined;
  const related = first === undefined ? [] : [findings.at(first, 'first')];
  findings.add(d.duplicateKey({ at: findings.at(keySpan(text, key)), key: shorten(name), related }), [...route, name]);
}

function firstKey(text: string, events: readonly Event[], holder: number, name: string): Span | undefined {
  let depth = 0;
  let isKey = true;
  for (let index = holder + 1; index < events.length; index += 1) {
    const event = events[index];
    if (event === undefined || (event.type === EVENT_ID.POP && depth === 0)) return undefined;
    if (depth === 0 && isKey && event.type === EVENT_ID.SCALAR && getScalarValue(text, event) === name)
      return keySpan(text, event);
    if (event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.MAPPING) depth += 1;
    else if (event.type === EVENT_ID.POP) depth -= 1;
    if (depth === 0) isKey = !isKey;
  }
  return undefined;
}

function keySpan(text: string, key: ScalarEvent): Span {
  return key.valueStart < 0 ? { start: 0, end: 0 } : scalarSpan(text, key, propertiesEnd(key));
}

/** Reports a key that is no text: a number, a word that means something, a list, an object, nothing. */
export function reportKey(text: string, event: ScalarEvent, value: unknown, route: Route, findings: Findings): void {
  const isEmpty = event.valueStart < 0;
  const span = isEmpty ? emptyKeySpan(event) : scalarSpan(text, event, propertiesEnd(event));
  const written = text.slice(span.start, span.end);
  const found = isEmpty ? 'an empty key' : kindOf(value, shorten(written));
  const fixes = isEmpty ? [] : [textFix('put the key in quotes', 'safe', span, quoted(written))];
  findings.add(d.keyNotText({ at: findings.at(span), found, fixes }), route);
}

/** `[Asserts]:`, as Hurl heads its sections: a word in brackets, which YAML takes for a list. */
export function withoutBrackets(text: string, start: number): readonly Fix[] {
  const [whole = '', word = ''] = /^\[([A-Za-z_][\w-]{0,80})\](?= *:)/.exec(text.slice(start, start + 100)) ?? [];
  if (whole === '') return [];
  return [textFix('leave out the brackets', 'unsafe', { start, end: start + whole.length }, word)];
}

/** `pattern: *.txt`: an alias whose name is no name, but a pattern of file names that lacks its quotes. */
export function patternInQuotes(text: string, { anchorStart, anchorEnd }: AliasEvent): readonly Fix[] {
  const span = { start: anchorStart - 1, end: anchorEnd };
  const pattern = text.slice(span.start, span.end);
  return /^\*[\w-]*[.*/?]/.test(pattern) ? [textFix('put the text in quotes', 'safe', span, quoted(pattern))] : [];
}

function emptyKeySpan(event: ScalarEvent): Span {
  const end = Math.max(0, propertiesEnd(event));
  return { start: end, end };
}

function kindOf(value: unknown, written: string): string {
  if (value === null) return written === '~' ? '~ (null)' : written;
  return typeof value === 'boolean' ? `the boolean ${written}` : `the number ${written}`;
}

/**
 * The text of an unquoted `{{reference}}` or `${reference}` that begins at `start`; undefined where none stands there.
 */
export function unquotedReference(text: string, start: number): string | undefined {
  const closing = text.startsWith('{{', start) ? '}}' : text.startsWith('${', start) ? '}' : undefined;
  if (closing === undefined) return undefined;
  const close = text.indexOf(closing, start);
  return close < 0 || close > endOfLine(text, start) ? undefined : text.slice(start, close + closing.length);
}

/** Reports `{{name}}` without quotes: from its braces to the end of what was meant as one text. */
export function reportUnquotedReference(text: string, start: number, findings: Findings, route?: Route): void {
  const line = text
    .slice(start, endOfLine(text, start))
    .replace(/\s+#.*$/, '')
    .trimEnd();
  const isWhole = !/[,[\]]/.test(line) && text.slice(start).startsWith(line) && braces(line) === 0;
  const meant = isWhole ? line : (unquotedReference(text, start) ?? line);
  const span = { start, end: start + meant.length };
  findings.add(
    d.unquotedReference({
      at: findings.at(span),
      text: shorten(meant),
      fixes: [textFix('put it in quotes', 'safe', span, quoted(meant))],
    }),
    route,
  );
}

/**
 * Opening braces without their counterpart; negative where a flow collection around the text is closed on the same
 * line.
 */
function braces(line: string): number {
  return (line.match(/\{/g)?.length ?? 0) - (line.match(/\}/g)?.length ?? 0);
}

/** Reports a tag that the core schema lacks. Where a condition stands, the `!` was meant as *not*. */
export function reportTag(text: string, tag: Span, valueEnd: number, route: Route, findings: Findings): void {
  const key = route.findLast((step) => typeof step === 'string');
  const isCondition = key !== undefined && CONDITION_KEYS.includes(key);
  const span = { start: tag.start, end: Math.max(tag.end, valueEnd) };
  const meant = text.slice(span.start, span.end);
  const fixes = /[\r\n]/.test(meant)
    ? []
    : [textFix('put it in quotes', isCondition ? 'safe' : 'unsafe', span, quoted(meant))];
  findings.add(
    isCondition
      ? d.tagForCondition({ at: findings.at(span), text: shorten(meant), fixes })
      : customTag(text, tag, fixes, findings),
    route,
  );
}

function customTag(text: string, tag: Span, fixes: Diagnostic['fixes'], findings: Findings): Diagnostic {
  return d.customTag({ at: findings.at(tag), tag: shorten(text.slice(tag.start, tag.end)), fixes });
}
