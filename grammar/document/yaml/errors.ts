import { CST, Parser, parseDocument } from 'yaml';
import type { YAMLError } from 'yaml';

import type { Span } from '#schemas/types/place.ts';
import { endOfLine } from '#grammar/source/lines.ts';

import type { Findings } from '../findings.ts';
import type { Reading } from '../reading.ts';
import { reportYamlErrors as reportFirst } from './first-error.ts';
import { hasSecondColon, reportMistake } from './syntax.ts';
import type { YamlMistake } from './syntax.ts';

const MOST_ERRORS = 20;

interface Found {
  readonly mistake: YamlMistake;
  readonly span: Span;
}

/**
 * Reports all errors of a YAML text that the fast reader has refused: the error-tolerant reader goes over it again. At
 * most one a line, and none behind an open quote or bracket, where everything would look wrong.
 */
export function reportYamlErrors(
  text: string,
  first: Reading & { readonly kind: 'syntax-error' },
  findings: Findings,
): void {
  const shown = tolerantErrors(text, findings);
  const [earliest] = shown;
  // An error of the fast reader alone, and above all others, is a mistake of its own.
  if (earliest === undefined || endOfLine(text, first.offset) < earliest.span.start) reportFirst(text, first, findings);
  for (const { mistake, span } of shown) reportMistake(text, mistake, span, findings);
}

function tolerantErrors(text: string, findings: Findings): readonly Found[] {
  try {
    const document = parseDocument(text, {
      version: '1.2',
      schema: 'core',
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'silent',
    });
    return likely(
      text,
      document.errors.toSorted((left, right) => left.pos[0] - right.pos[0]),
      opened(text),
      findings,
    );
  } catch (error) {
    // It calls itself for every level of nesting, and damaged texts can nest without bound.
    if (error instanceof RangeError) return [];
    throw error;
  }
}

/** Errors that are likely causes: no more than is useful, looked at one by one. */
function likely(
  text: string,
  errors: readonly YAMLError[],
  open: readonly number[],
  findings: Findings,
): readonly Found[] {
  const result: Found[] = [];
  const doubtful: Found[] = [];
  let lineEnd = -1;
  for (const error of errors) {
    if (error.pos[0] <= lineEnd || result.length + doubtful.length >= MOST_ERRORS) continue;
    const found = foundOf(text, error, open);
    if (found === undefined) continue;
    // It says "nested mapping" also of a line whose successor is indented too far: that one it names too.
    if (found.mistake === 'second-colon' && !hasSecondColon(text, found.span.start, findings)) {
      doubtful.push(found);
      continue;
    }
    result.push(found);
    if (found.mistake === 'not-closed' || found.mistake === 'quote-not-closed') break;
    lineEnd = endOfLine(text, found.span.start);
  }
  return result.length > 0 ? result : doubtful.slice(0, 1);
}

function foundOf(text: string, error: YAMLError, open: readonly number[]): Found | undefined {
  const [start, end] = error.pos;
  const span = { start, end: Math.max(end, start + 1) };
  const mistake = mistakeOf(error);
  if (mistake === undefined) return undefined;
  if (mistake === 'not-closed' || mistake === 'quote-not-closed') {
    const opening = open.findLast((offset) => offset <= start);
    return opening === undefined
      ? { mistake: 'unexpected', span }
      : { mistake, span: { start: opening, end: opening + 1 } };
  }
  if (mistake === 'long-key' || mistake === 'second-colon') return keyMistake(text, mistake, span);
  return { mistake, span };
}

/**
 * Causes for what looks like a key over several lines: a `-` or a line further to the right (or left) is indented
 * wrongly, lines that begin in one column lack a colon.
 */
function keyMistake(text: string, mistake: YamlMistake, span: Span): Found {
  const lines = text.slice(span.start, span.end).split(/\r\n?|\n/);
  if (/^ *-\s/.test(text.slice(span.start, span.start + 200))) return { mistake: 'indentation', span };
  if (lines.length === 1 || /^["']/.test(lines[0] ?? '')) return { mistake, span };
  const column =
    span.start - (Math.max(text.lastIndexOf('\n', span.start - 1), text.lastIndexOf('\r', span.start - 1)) + 1);
  const second = lines.findIndex((line, index) => index > 0 && line.trim() !== '');
  const indent = /^[ ]*/.exec(lines[second] ?? '')?.[0].length ?? 0;
  if (indent === column) return { mistake: 'colon', span: { start: span.start, end: endOfLine(text, span.start) } };
  const start = span.end - (lines.at(-1) ?? '').trimStart().length;
  return { mistake: 'indentation', span: { start, end: Math.max(span.end, start + 1) } };
}

function mistakeOf({ code, message }: YAMLError): YamlMistake | undefined {
  switch (code) {
    case 'ALIAS_PROPS':
    case 'BAD_ALIAS':
    case 'BAD_PROP_ORDER':
    case 'MULTIPLE_ANCHORS':
    case 'MULTIPLE_TAGS':
      return 'anchor-or-tag';
    case 'BAD_DIRECTIVE':
      return 'directive';
    case 'BAD_DQ_ESCAPE':
      return 'escape';
    case 'BAD_INDENT':
      return message.startsWith('Flow') ? 'not-closed' : 'indentation';
    case 'BAD_SCALAR_START':
      return 'reserved';
    case 'BLOCK_AS_IMPLICIT_KEY':
      return message.startsWith('A block sequence') ? 'indentation' : 'second-colon';
    case 'KEY_OVER_1024_CHARS':
    case 'MULTILINE_IMPLICIT_KEY':
      return 'long-key';
    case 'MISSING_CHAR':
      return missing(message);
    case 'TAB_AS_INDENT':
      return 'tab';
    case 'UNEXPECTED_TOKEN':
      return message.startsWith('Block scalar header') ? 'block-header' : 'unexpected';
    case 'BLOCK_IN_FLOW':
    case 'IMPOSSIBLE':
      return 'unexpected';
    // The meaning of a value is the composer's matter.
    default:
      return undefined;
  }
}

function missing(message: string): YamlMistake {
  if (message.startsWith('Missing closing')) return 'quote-not-closed';
  if (/to end with|flow/i.test(message) && /\]|\}/.test(message) && !message.includes(',')) return 'not-closed';
  if (message.includes(',')) return 'comma';
  if (message.startsWith('Implicit')) return 'colon';
  if (message.includes('directives-end')) return 'directive';
  return message.startsWith('Tags and anchors') ? 'anchor-or-tag' : 'unexpected';
}

/** Starts of quoted texts and flow collections that are never closed, in order. */
function opened(text: string): readonly number[] {
  const found: number[] = [];
  for (const token of new Parser().parse(text)) {
    if (token.type !== 'document') continue;
    if (token.value !== undefined) collect(token.value, found);
  }
  return found.toSorted((left, right) => left - right);
}

function collect(token: CST.Token, found: number[]): void {
  if (token.type === 'double-quoted-scalar' || token.type === 'single-quoted-scalar') {
    if (token.source.length < 2 || !token.source.endsWith(token.source.charAt(0))) found.push(token.offset);
    return;
  }
  if (!CST.isCollection(token)) return;
  if (token.type === 'flow-collection' && !token.end.some(({ source }) => source === ']' || source === '}'))
    found.push(token.offset);
  for (const { key, value } of token.items) {
    if (key !== undefined && key !== null) collect(key, found);
    if (value !== undefined) collect(value, found);
  }
}
