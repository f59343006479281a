import * as d from '#schemas/generated/diagnostics.ts';
import type { Diagnostic, Label } from '#schemas/types/diagnostic.ts';
import type { Span } from '#schemas/types/place.ts';
import { endOfLine } from '#grammar/source/lines.ts';
import { hex } from '#grammar/source/text.ts';

import { shorten, textFix } from '../findings.ts';
import type { Findings } from '../findings.ts';
import { isFirstOnLine } from '../line-layout.ts';
import { reportUnquotedReference } from './findings.ts';
import { quoted } from './quote.ts';

/** Mistake in a YAML text, in words of our own; the readers' error codes and texts are mapped to these. */
export type YamlMistake =
  | 'indentation'
  | 'tab'
  | 'quote-not-closed'
  | 'not-closed'
  | 'comma'
  | 'colon'
  | 'second-colon'
  | 'reserved'
  | 'escape'
  | 'long-key'
  | 'block-header'
  | 'directive'
  | 'anchor-or-tag'
  | 'control-character'
  | 'unexpected';

/** The mistake behind a reason that js-yaml gives. */
export function mistakeOf(reason: string): YamlMistake {
  return REASONS.find(([pattern]) => pattern.test(reason))?.[1] ?? 'unexpected';
}

const REASONS: readonly (readonly [RegExp, YamlMistake])[] = [
  [/^tab characters must not/, 'tab'],
  [/indentation/, 'indentation'],
  [/within a (?:single|double) quoted scalar/, 'quote-not-closed'],
  [/within a flow collection/, 'not-closed'],
  [/missed comma|found ','/, 'comma'],
  [/expected ':'|key-value separator/, 'colon'],
  [/multiline key/, 'long-key'],
  [/escape sequence|hexadecimal/, 'escape'],
  [/chomping|indentation width|line break is expected/, 'block-header'],
  [/directive|YAML version|previously declared/, 'directive'],
  [/anchor|tag|alias node/, 'anchor-or-tag'],
  [/non-printable|valid JSON character/, 'control-character'],
];

/**
 * Reports a mistake at a range of the text. Mistakes that people make most often have words of their own
 * whatever the reader called them: `{{reference}}` and `!condition` without quotes, a second `: ` in a line.
 */
export function reportMistake(text: string, mistake: YamlMistake, place: Span, findings: Findings): void {
  // At the end of the text readers name places behind it.
  const span = { start: Math.min(place.start, text.length), end: Math.min(place.end, text.length) };
  const line = lineAround(text, span.start);
  const reference = unquotedBefore(text, line, span.start);
  if (reference >= 0) return reportUnquotedReference(text, reference, findings);
  const condition = conditionTag(text, line);
  findings.add(
    condition === undefined
      ? diagnostic(text, mistake, line, span, findings)
      : tagForCondition(text, condition, findings),
  );
}

function diagnostic(text: string, mistake: YamlMistake, line: Span, span: Span, findings: Findings): Diagnostic {
  const at = findings.at(span);
  switch (mistake) {
    case 'indentation':
      return (
        closingBracket(text, span, findings) ??
        secondColon(text, line, findings) ??
        d.yamlIndentation({ at: findings.at(inked(text, span)) })
      );
    case 'tab':
      return d.yamlTab({ at });
    case 'quote-not-closed':
      return d.yamlQuoteNotClosed({ at });
    case 'not-closed':
      return d.yamlNotClosed({ at, what: text.charAt(span.start) === '[' ? 'list' : 'object' });
    case 'comma':
      return d.yamlCommaExpected({ at, found: found(text, span) });
    case 'colon':
      return d.yamlColonExpected({ at });
    case 'second-colon':
      return blankMissing(text, line, findings) ?? secondColon(text, line, findings) ?? d.yamlSecondColon({ at });
    case 'reserved':
      return d.yamlReservedCharacter({ at, found: text.charAt(span.start), fixes: quoteRest(text, span.start) });
    case 'escape':
      return d.yamlEscape({
        at: findings.at({ start: span.start, end: Math.min(span.start + 2, text.length) }),
        escape: text.slice(span.start, span.start + 2),
      });
    case 'long-key':
      return d.yamlLongKey({ at });
    case 'block-header':
      return d.yamlBlockHeader({ at });
    case 'directive':
      return directive(text, span, findings);
    case 'anchor-or-tag':
      return bareStar(text, span, findings) ?? d.yamlAnchorOrTag({ at: findings.at(wordBefore(text, span)) });
    case 'control-character':
      return d.yamlControlCharacter({ at, unit: hex(text.charCodeAt(span.start), 4) });
    case 'unexpected':
      return /^[@`%]/.test(text.slice(span.start, span.start + 1))
        ? d.yamlReservedCharacter({ at, found: text.charAt(span.start), fixes: quoteRest(text, span.start) })
        : (keyBelowBrackets(text, line, findings) ??
            colonInBrackets(text, { span, line }, findings) ??
            unexpected(text, { span, line }, at));
  }
}

/** `pattern: *`: a star alone names no anchor, and was meant as text. */
function bareStar(text: string, { start }: Span, findings: Findings): Diagnostic | undefined {
  const at = text.charAt(start) === '*' ? start : start - 1;
  if (!/^\*[ \t]*(?:[,\]}#\r\n]|$)/.test(text.slice(at, endOfLine(text, at) + 1))) return undefined;
  const span = { start: at, end: at + 1 };
  const fixes = [textFix('put the text in quotes', 'safe', span, quoted('*'))];
  return d.yamlReservedCharacter({ at: findings.at(span), found: '*', fixes });
}

/** `{ text: Error: it failed }`: the second colon was meant as text; the next comma or bracket ends it. */
function colonInBrackets(
  text: string,
  { span, line }: { readonly span: Span; readonly line: Span },
  findings: Findings,
): Diagnostic | undefined {
  if (!/[{,][^{},"']*:[ \t]+$/.test(text.slice(line.start, span.start))) return undefined;
  const [value] = /^[A-Za-z0-9][^,[\]{}"'#:]*:[ \t][^,[\]{}"'#]*/.exec(text.slice(span.start, line.end)) ?? [];
  if (value === undefined) return undefined;
  const colon = span.start + value.indexOf(':');
  const whole = { start: span.start, end: span.start + value.trimEnd().length };
  const fixes = [textFix('put the text in quotes', 'safe', whole, quoted(value.trimEnd()))];
  return d.yamlSecondColon({ at: findings.at({ start: colon, end: colon + 1 }), fixes });
}

/** Text that cannot stand there; a curly quotation mark at its beginning was meant as a straight one. */
function unexpected(text: string, { span, line }: { readonly span: Span; readonly line: Span }, at: Label): Diagnostic {
  const quote = /^[“”„‘’]/.exec(text.slice(span.start, span.start + 1))?.[0];
  return d.yamlUnexpected({ at, found: found(text, span), quote, fixes: wholeInQuotes(text, line) });
}

const BEFORE_CONDITION = /^(?:[ \t]*(?:- +)?(?:when|expect|if|until):[ \t]+|[ \t]*- +)/;
const CONDITION_TO_QUOTE = /^(?:(?:"[^"]*"|'[^']*')[ \t]*[=!<>&|].*|[A-Za-z_][\w.[\]]*[ \t]*[=!]=[ \t]*[[{].*[\]}])$/;

/**
 * `when: "{{a}}" == "x"`: the quotes at the beginning are those of a text, and the condition goes on behind them. And
 * `result == {"id": 7}`, where a colon stands in what begins without quotes.
 */
function wholeInQuotes(text: string, line: Span): ReturnType<typeof textFix>[] {
  const written = text.slice(line.start, line.end).trimEnd();
  const [before] = BEFORE_CONDITION.exec(written) ?? [];
  const value = before === undefined ? '' : written.slice(before.length);
  if (before === undefined || !CONDITION_TO_QUOTE.test(value)) return [];
  const start = line.start + before.length;
  const condition = value.replaceAll(/"(\{\{[^"{}]*\}\})"|'(\{\{[^'{}]*\}\})'/g, '$1$2');
  const whole = { start, end: start + value.length };
  return [textFix('put the whole condition in quotes', 'unsafe', whole, quoted(condition))];
}

/** `NAME:{a: 1}`: between a key's colon and its value stands a blank. */
function blankMissing(text: string, line: Span, findings: Findings): Diagnostic | undefined {
  const [whole] = /^[ \t]*(?:- +)*[A-Za-z_][\w-]*:(?=[{["'])/.exec(text.slice(line.start, line.end)) ?? [];
  if (whole === undefined) return undefined;
  const end = line.start + whole.length;
  const fixes = [textFix('put a blank behind it', 'safe', { start: end, end }, ' ')];
  return d.yamlColonExpected({ at: findings.at({ start: end - 1, end }), fixes });
}

/** A key that is indented below an element of a list in brackets: an option of an action, beside nothing. */
function keyBelowBrackets(text: string, line: Span, findings: Findings): Diagnostic | undefined {
  const match = /^([ \t]+)([A-Za-z_][\w-]*):(?:\s|$)/.exec(text.slice(line.start, line.end));
  const [, indent = '', key] = match ?? [];
  const before = text.slice(0, line.start).trimEnd();
  const element = before.slice(Math.max(before.lastIndexOf('\n- '), before.lastIndexOf(' - ')) + 1);
  if (key === undefined || !before.endsWith(']') || !/^(?:- +)+\[/.test(element)) return undefined;
  const start = line.start + indent.length;
  return d.yamlKeyBelowBrackets({ at: findings.at({ start, end: start + key.length }), key });
}

/** A bracket that closes its collection in a column that is not right of the key, as other readers allow. */
function closingBracket(text: string, span: Span, findings: Findings): Diagnostic | undefined {
  const place = inked(text, span);
  if (!/[\]}]/.test(text.charAt(place.start)) || !isFirstOnLine(text, place.start)) return undefined;
  const fixes = [textFix('indent the bracket', 'safe', { start: place.start, end: place.start }, '  ')];
  return d.yamlBracketIndentation({ at: findings.at({ start: place.start, end: place.start + 1 }), fixes });
}

/** The directive in front of the error; without one the error is another. */
function directive(text: string, span: Span, findings: Findings): Diagnostic {
  const start = `\n${text.slice(0, span.start + 1)}`.lastIndexOf('\n%');
  if (start < 0) return d.yamlUnexpected({ at: findings.at(span), found: found(text, span) });
  const at = findings.at({ start, end: endOfLine(text, start) });
  const version = /^%YAML[ \t]+([0-9]+\.[0-9]+)$/.exec(text.slice(start, endOfLine(text, start)).trimEnd())?.[1];
  return version === undefined || version.startsWith('1.') ? d.yamlDirective({ at }) : d.yamlVersion({ at, version });
}

/** The range, or the word that ends in front of it where it is blank. */
function wordBefore(text: string, span: Span): Span {
  if (/\S/.test(text.slice(span.start, span.end))) return span;
  const end = text.slice(0, span.start).trimEnd().length;
  const length = /\S*$/.exec(text.slice(Math.max(0, end - 200), end))?.[0].length ?? 0;
  return length === 0 ? span : { start: end - length, end };
}

/** The range without the blanks in front of it. */
function inked(text: string, { start, end }: Span): Span {
  let from = start;
  while (text.charAt(from) === ' ') from += 1;
  return { start: Math.min(from, text.length), end: Math.max(end, Math.min(from + 1, text.length)) };
}

function found(text: string, { start }: Span): string {
  if (start >= text.length) return 'the end of the file';
  const word = /^(?:"[^"\n]*"|'[^'\n]*'|[^\s,[\]{}]+|[^])/.exec(text.slice(start, start + 60))?.[0] ?? '';
  if (/^\s/.test(word)) return 'the end of the line';
  return /^["']/.test(word) ? shorten(word) : `"${shorten(word)}"`;
}

/** Whether a line is one in which a second colon was meant as text. */
export function hasSecondColon(text: string, offset: number, findings: Findings): boolean {
  return secondColon(text, lineAround(text, offset), findings) !== undefined;
}

/** `key: some text: more`: the first colon of the line divides, the second was meant as text. */
function secondColon(text: string, line: Span, findings: Findings): Diagnostic | undefined {
  const match =
    /^([ \t]*(?:- +)*[^\s"'[\]{}#:&*!|>][^\s"'[\]{}#]*:[ \t]+)([^\s"'[\]{}#&*!|>][^"'#]*?:(?: [^#]*|))$/.exec(
      text.slice(line.start, line.end).trimEnd(),
    );
  const [, before, value] = match ?? [];
  if (before === undefined || value === undefined) return undefined;
  const start = line.start + before.length;
  const colon = start + value.search(/:(?: |$)/);
  const whole = { start, end: start + value.length };
  return d.yamlSecondColon({
    at: findings.at({ start: colon, end: colon + 1 }),
    fixes: [textFix('put the text in quotes', 'safe', whole, quoted(value))],
  });
}

function quoteRest(text: string, start: number): ReturnType<typeof textFix>[] {
  const rest = text
    .slice(start, endOfLine(text, start))
    .replace(/\s+#.*$/, '')
    .trimEnd();
  if (/[,[\]{}]/.test(rest)) return [];
  return [textFix('put the text in quotes', 'safe', { start, end: start + rest.length }, quoted(rest))];
}

/**
 * Offset of an unquoted `{{`, or inside of brackets `${`, that is a value in front of the error, on its line;
 * -1: there is none.
 */
function unquotedBefore(text: string, line: Span, at: number): number {
  const match = /(?:^|[:,[{-])[ \t]*(\{\{(?!\{)|(?<=[[{].*)\$\{)/d.exec(text.slice(line.start, line.end));
  const start = match?.indices?.[1]?.[0];
  if (start === undefined || isQuoted(text.slice(line.start, line.start + start))) return -1;
  return line.start + start <= at ? line.start + start : -1;
}

function isQuoted(before: string): boolean {
  return (before.match(/"/g)?.length ?? 0) % 2 === 1 || (before.match(/'/g)?.length ?? 0) % 2 === 1;
}

function conditionTag(text: string, line: Span): Span | undefined {
  const match = /^[ \t]*(?:- +)*(?:when|expect|until)[ \t]*:[ \t]+(![^\s].*?)[ \t]*(?:[ \t]#.*)?$/d.exec(
    text.slice(line.start, line.end),
  );
  const [from, to] = match?.indices?.[1] ?? [];
  return from === undefined || to === undefined ? undefined : { start: line.start + from, end: line.start + to };
}

function tagForCondition(text: string, span: Span, findings: Findings): Diagnostic {
  const meant = text.slice(span.start, span.end);
  return d.tagForCondition({
    at: findings.at(span),
    text: shorten(meant),
    fixes: [textFix('put it in quotes', 'safe', span, quoted(meant))],
  });
}

function lineAround(text: string, offset: number): Span {
  const start = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  return { start, end: endOfLine(text, start) };
}
