import type { Comment, Document } from '#grammar/document/document.ts';
import { linesOf } from '#grammar/source/lines.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Diagnostic, Label } from '#schemas/types/diagnostic.ts';
import type { Fix } from '#schemas/types/fix.ts';
import { isObject, type Json } from '#schemas/types/json.ts';
import type { Route, Span } from '#schemas/types/place.ts';

/** An author's word that a finding is meant so: `# svc-ignore RULE: reason`, or an entry of `meta.lint.ignore`. */
interface Suppression {
  readonly rule: string;
  readonly reason: string;
  readonly at: Label;
  readonly covers: (span: Span) => boolean;
  readonly removal: Fix;
  used: boolean;
}

const form = /^svc-ignore\b[ \t]*([a-z0-9-]+)?[ \t]*(?::[ \t]*(.*))?$/;

/**
 * Takes away findings that the author has suppressed; errors never. Adds warnings for suppressions without a reason or
 * without a finding. `known` are the names of rules that ran.
 */
export function applySuppressions(findings: readonly Diagnostic[], document: Document, known: ReadonlySet<string>): readonly Diagnostic[] {
  const suppressions = [...fromComments(document), ...fromMeta(document)];
  if (suppressions.length === 0) return findings;
  const kept = findings.filter((finding) => {
    if (finding.severity === 'error') return true;
    const span = document.spanAt(finding.primary.route, finding.primary.part);
    const hits = suppressions.filter((suppression) => suppression.rule === finding.slug && suppression.covers(span));
    for (const suppression of hits) suppression.used = true;
    return hits.length === 0;
  });
  return [...kept, ...suppressions.flatMap((suppression) => complaints(suppression, known))];
}

function complaints({ rule, reason, at, used, removal }: Suppression, known: ReadonlySet<string>): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  if (reason === '') found.push(d.useSuppressionReason({ at, rule: rule === '' ? 'a rule' : rule }));
  if (!used && (rule === '' || known.has(rule))) found.push(d.noUnusedSuppression({ at, rule, fixes: [removal] }));
  if (rule !== '' && !known.has(rule) && !used) found.push(d.noUnknownRule({ at, rule }));
  return found;
}

function fromComments(document: Document): readonly Suppression[] {
  const lines = linesOf(document.text);
  return document.comments().flatMap((comment) => {
    const match = form.exec(comment.text);
    if (!match) return [];
    const covers = comment.ownLine ? nextElement(document, comment, lines) : sameLine(comment, lines);
    const at: Label = { source: document.source, route: [], part: { text: comment.span } };
    return [{ rule: match[1] ?? '', reason: (match[2] ?? '').trim(), at, covers, used: false, removal: removeComment(document.text, comment) }];
  });
}

function removeComment(text: string, { span, ownLine }: Comment): Fix {
  let start = span.start;
  while (start > 0 && (text[start - 1] === ' ' || text[start - 1] === '\t')) start -= 1;
  const end = ownLine ? afterBreak(text, span.end) : span.end;
  return { title: 'remove the comment', safety: 'safe', operations: [{ kind: 'edit-text', span: { start, end }, text: '' }] };
}

function afterBreak(text: string, at: number): number {
  if (text.startsWith('\r\n', at)) return at + 2;
  return at < text.length ? at + 1 : at;
}

function sameLine(comment: Comment, lines: ReturnType<typeof linesOf>): (span: Span) => boolean {
  const { line } = lines.position(comment.span.start);
  return (span) => lines.position(span.start).line === line;
}

/** A comment of its own line speaks of the list element or key that begins on the next line of content. */
function nextElement(document: Document, comment: Comment, lines: ReturnType<typeof linesOf>): (span: Span) => boolean {
  const { text } = document;
  let line = lines.position(comment.span.start).line + 1;
  while (line <= lines.count && /^\s*(?:#|$)/.test(text.slice(lines.span(line).start, lines.span(line).end))) line += 1;
  const { start, end } = lines.span(line);
  const dash = /^\s*(?:- +)?/.exec(text.slice(start, end))?.[0].length ?? 0;
  const element = outermostFrom(document, document.routeAt(start + dash), start + dash);
  const stop = Math.max(end, document.spanAt(element).end);
  return (span) => span.start >= start && span.start < stop;
}

function outermostFrom(document: Document, route: Route, from: number): Route {
  let found = route;
  while (found.length > 1 && document.spanAt(found.slice(0, -1)).start >= from) found = found.slice(0, -1);
  return found;
}

function fromMeta(document: Document): readonly Suppression[] {
  const ignore = field(field(field(document.value, 'meta'), 'lint'), 'ignore');
  if (!Array.isArray(ignore)) return [];
  return ignore.flatMap((entry: Json, index) => {
    const rule = field(entry, 'rule');
    const route = field(entry, 'route');
    const reason = field(entry, 'reason');
    const own: Route = ['meta', 'lint', 'ignore', index];
    if (typeof rule !== 'string' || !Array.isArray(route)) return [];
    const covered = document.spanAt(route.filter((piece) => typeof piece === 'string' || typeof piece === 'number'));
    const covers = (span: Span): boolean => span.start >= covered.start && span.start < Math.max(covered.end, covered.start + 1);
    const removal: Fix = { title: 'remove the entry', safety: 'safe', operations: [{ kind: 'remove', route: own }] };
    return [{ rule, reason: typeof reason === 'string' ? reason.trim() : '', at: { source: document.source, route: own, part: 'value' }, covers, used: false, removal }];
  });
}

function field(value: Json | undefined, key: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
