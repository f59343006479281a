import type { Document } from '#grammar/document/document.ts';
import { linesOf, type Lines } from '#grammar/source/lines.ts';
import { addAll } from '#grammar/source/add-all.ts';
import type { Diagnostic, Label } from '#schemas/types/diagnostic.ts';
import type { Position, SourceId, Span } from '#schemas/types/place.ts';
import { shortened } from '#schemas/types/message-text.ts';

/** A source as findings need it: its text, and its document where it could be read. */
export interface SourceText {
  readonly text: string;
  /** Document as written: findings of migrate speak of it. */
  readonly document?: Document;
  /** Document with migrations laid over it: all later findings speak of it. */
  readonly migrated?: Document;
}
export type Sources = ReadonlyMap<SourceId, SourceText>;

/** Hides secrets in what is printed. */
export interface Mask {
  text(text: string): string;
  /** The same length: places in the text stay. */
  blank(text: string): string;
}

/** A diagnostic whose places are known. */
export interface Located {
  readonly diagnostic: Diagnostic;
  readonly primary: LocatedLabel;
  readonly related: readonly LocatedLabel[];
}

export interface LocatedLabel {
  readonly source: SourceId;
  readonly span: Span;
  readonly start: Position;
  readonly end: Position;
  readonly text?: string;
  /** Absent where the source could not be read at all. */
  readonly file?: FileText;
}

export interface FileText {
  readonly text: string;
  readonly lines: Lines;
  /** Hides secrets in a part of the text that is shown; the same length. */
  readonly hide?: (part: string) => string;
}

const nowhere: Position = { line: 1, column: 1 };

/**
 * Finds places; sorts by file, place and code; merges findings of one code at one place (YAML aliases). Texts are
 * `shortened`; with a mask, none shows a secret.
 */
export function locate(diagnostics: readonly Diagnostic[], sources: Sources, mask?: Mask): readonly Located[] {
  const files = new Map<SourceId, FileText>();
  const fileOf = (source: SourceId): FileText | undefined => {
    const known = files.get(source);
    const text = known ? undefined : sources.get(source)?.text;
    if (text === undefined) return known;
    const file = { text, lines: linesOf(text), ...(mask && { hide: (part: string) => mask.blank(part) }) };
    files.set(source, file);
    return file;
  };
  const located = diagnostics.map((diagnostic) => {
    const label = (written: Label): LocatedLabel =>
      new PlacedLabel(written, documentOf(diagnostic, sources.get(written.source)), fileOf(written.source));
    const shown = told(diagnostic, mask);
    const { related } = shown;
    return {
      diagnostic: shown,
      primary: label(shown.primary),
      related: related.length === 0 ? NONE : related.map(label),
    };
  });
  return merged(located.sort(byPlace));
}

/** Shared, as all that a finding does not need of its own is: a file of mistakes has half a million of them. */
const NONE: readonly never[] = [];

/** Sorted findings, of those that say the same at one place the first. */
function merged(located: readonly Located[]): readonly Located[] {
  let here: Located | undefined;
  let messages = new Set<string>();
  return located.filter((finding) => {
    const { message } = finding.diagnostic;
    if (here !== undefined && byPlace(here, finding) === 0) return messages.size < messages.add(message).size;
    here = finding;
    messages = new Set([message]);
    return true;
  });
}

/** A finding whose texts hide secrets and quote at most a few words of what a file holds. */
function told(diagnostic: Diagnostic, mask: Mask | undefined): Diagnostic {
  const { message, help, primary, related, fixes } = diagnostic;
  const shown = (text: string): string => shortened(mask ? mask.text(text) : text);
  const isShown = (text: string | undefined): boolean => text === undefined || shown(text) === text;
  if (
    isShown(message) &&
    isShown(help) &&
    isShown(primary.text) &&
    related.every(({ text }) => isShown(text)) &&
    fixes.every(({ title }) => isShown(title))
  )
    return diagnostic;
  const label = (written: Label): Label =>
    written.text === undefined ? written : { ...written, text: shown(written.text) };
  return {
    ...diagnostic,
    message: shown(message),
    ...(help !== undefined && { help: shown(help) }),
    primary: label(primary),
    related: related.map(label),
    fixes: fixes.map((fix) => ({ ...fix, title: shown(fix.title) })),
  };
}

/** The document whose routes a finding speaks. */
export function documentOf({ code }: Diagnostic, source: SourceText | undefined): Document | undefined {
  return code.startsWith('SVC2') ? source?.document : (source?.migrated ?? source?.document);
}

/** A label whose lines and columns are worked out when they are asked for: most findings of many are only counted. */
class PlacedLabel implements LocatedLabel {
  readonly span: Span;
  readonly text?: string;
  readonly file?: FileText;
  readonly #label: Label;

  constructor(label: Label, document: Document | undefined, file: FileText | undefined) {
    this.#label = label;
    this.span = spanOf(label, document);
    if (label.text !== undefined) this.text = label.text;
    if (file) this.file = file;
  }

  get source(): SourceId {
    return this.#label.source;
  }

  get start(): Position {
    return this.#at(this.span.start);
  }

  get end(): Position {
    return this.#at(this.span.end);
  }

  #at(offset: number): Position {
    return this.file ? this.file.lines.position(offset) : (this.#label.position ?? nowhere);
  }
}

function spanOf(label: Label, document: Document | undefined): Span {
  if (typeof label.part === 'object' && 'text' in label.part) return label.part.text;
  return document ? document.spanAt(label.route, label.part) : { start: 0, end: 0 };
}

function byPlace(left: Located, right: Located): number {
  const { primary: a, diagnostic: x } = left;
  const { primary: b, diagnostic: y } = right;
  if (a.source !== b.source) return a.source < b.source ? -1 : 1;
  return a.span.start - b.span.start || (x.code < y.code ? -1 : x.code > y.code ? 1 : a.span.end - b.span.end);
}

/**
 * The findings to show, at most `limit` of each file, errors before others where there are more; and the number
 * of those left out, by file.
 */
export function bounded(
  located: readonly Located[],
  limit = 50,
): { readonly shown: readonly Located[]; readonly leftOut: ReadonlyMap<SourceId, number> } {
  const leftOut = new Map<SourceId, number>();
  const shown: Located[] = [];
  for (const [source, findings] of Map.groupBy(located, (finding) => finding.primary.source)) {
    if (findings.length <= limit) addAll(shown, findings);
    else {
      const errors = findings.filter(({ diagnostic }) => diagnostic.severity === 'error');
      const others = findings.filter(({ diagnostic }) => diagnostic.severity !== 'error');
      addAll(shown, [...errors, ...others].slice(0, limit).toSorted(byPlace));
      leftOut.set(source, findings.length - limit);
    }
  }
  return { shown, leftOut };
}
