import type { Comment, Document } from '#grammar/document/document.ts';
import { linesOf, type Lines } from '#grammar/source/lines.ts';
import type { Label } from '#schemas/types/diagnostic.ts';
import type { Fix } from '#schemas/types/fix.ts';
import type { Route, Span } from '#schemas/types/place.ts';

import { ruleNamed } from './rule-names.ts';
import type { Suppression } from './suppression.ts';

const form = /^svc-ignore(?![\w-])[ \t]*([A-Za-z0-9-]+(?:[ \t]*,[ \t]*[A-Za-z0-9-]+)*)?[ \t]*(?::(.*))?/s;

/**
 * `# svc-ignore RULE, RULE: reason`. On a line of its own it speaks of the list element or key that begins on the next
 * line of content, with everything inside; behind something, of its line.
 */
export function commentSuppressions(document: Document): readonly Suppression[] {
  const comments = document.comments().flatMap((comment) => {
    const match = form.exec(comment.text);
    return match ? [{ comment, names: match[1]?.split(/[ \t]*,[ \t]*/) ?? [], reason: match[2]?.trim() ?? '' }] : [];
  });
  if (comments.length === 0) return [];
  const lines = linesOf(document.text);
  const nextElement = elementFinder(document, lines);
  return comments.flatMap(({ comment, names, reason }) => {
    const covers = comment.ownLine ? nextElement(comment) : sameLine(comment, lines);
    const spans = spansOf(names, document.text, comment.span);
    return (names.length === 0 ? [''] : names).map((name, index) => {
      const at: Label = {
        source: document.source,
        route: [],
        part: { text: names.length < 2 ? comment.span : (spans[index] ?? comment.span) },
      };
      const removal = names.length < 2 ? removeComment(document.text, comment) : removeName(spans, index);
      return { rule: ruleNamed(name), reason, at, covers, removal };
    });
  });
}

function spansOf(names: readonly string[], text: string, { start }: Span): readonly Span[] {
  let from = text.indexOf('svc-ignore', start) + 'svc-ignore'.length;
  return names.map((name) => {
    const at = text.indexOf(name, from);
    from = at + name.length;
    return { start: at, end: from };
  });
}

function removeComment(text: string, { span, ownLine }: Comment): Fix {
  let start = span.start;
  while (start > 0 && (text[start - 1] === ' ' || text[start - 1] === '\t')) start -= 1;
  const end = ownLine ? afterBreak(text, span.end) : span.end;
  return {
    title: 'remove the comment',
    safety: 'safe',
    operations: [{ kind: 'edit-text', span: { start, end }, text: '' }],
  };
}

/** Takes a name out of several, with the comma behind it; the last one with the comma before it. */
function removeName(spans: readonly Span[], index: number): Fix {
  const own = spans[index] ?? { start: 0, end: 0 };
  const next = spans[index + 1];
  const span = next
    ? { start: own.start, end: next.start }
    : { start: spans[index - 1]?.end ?? own.start, end: own.end };
  return { title: 'remove the name', safety: 'safe', operations: [{ kind: 'edit-text', span, text: '' }] };
}

function afterBreak(text: string, at: number): number {
  if (text.startsWith('\r\n', at)) return at + 2;
  return at < text.length ? at + 1 : at;
}

function sameLine(comment: Comment, lines: Lines): Suppression['covers'] {
  const { start, end } = lines.span(lines.position(comment.span.start).line);
  return [{ start, end: end + 1 }];
}

/**
 * Finder of the element that begins below a comment. Comments come in order, so those that stand together look
 * for it once.
 */
function elementFinder(document: Document, lines: Lines): (comment: Comment) => Suppression['covers'] {
  const { text } = document;
  let known: { readonly from: number; readonly to: number; readonly covers: Suppression['covers'] } | undefined;
  return (comment) => {
    const from = lines.position(comment.span.start).line + 1;
    if (known && from >= known.from && from <= known.to) return known.covers;
    let to = from;
    while (to <= lines.count && /^\s*(?:#|$)/.test(text.slice(lines.span(to).start, lines.span(to).end))) to += 1;
    known = { from, to, covers: to > lines.count ? [] : elementOn(to, document, lines) };
    return known.covers;
  };
}

function elementOn(line: number, document: Document, lines: Lines): Suppression['covers'] {
  const { text } = document;
  const { start, end } = lines.span(line);
  const dash = /^\s*(?:- +)?/.exec(text.slice(start, end))?.[0].length ?? 0;
  const element = outermostFrom(document, document.routeAt(start + dash), start + dash);
  return [{ start, end: Math.max(end, document.spanAt(element).end) }];
}

function outermostFrom(document: Document, route: Route, from: number): Route {
  let found = route;
  while (found.length > 1 && document.spanAt(found.slice(0, -1)).start >= from) found = found.slice(0, -1);
  return found;
}
