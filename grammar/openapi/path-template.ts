import { percentDecoded } from '../source/percent-decoded.ts';

const identifier =
  /^(?:\d+|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}|[0-9a-fA-F]{16,})$/;

/**
 * A path whose segments that look like identifiers (numbers, UUIDs, long hexadecimal texts) are `{id}`, `{id2}`,
 * `{id3}`.
 */
export function generalizePath(path: string): string {
  let count = 0;
  const segments = path.split('/').map((segment) => {
    if (!identifier.test(segment)) return segment;
    count += 1;
    return count === 1 ? '{id}' : `{id${count}}`;
  });
  return segments.join('/');
}

/** A template without the query or the fragment that some documents write behind it: neither is part of a path. */
export function pathAlone(template: string): string {
  return template.replace(/[?#].*$/s, '');
}

/** The template that fits a path, of several the one with most literal text; undefined: none does. */
export function matchPathTemplate(path: string, templates: readonly string[]): string | undefined {
  return matchPathTemplates(path, templates)[0];
}

/** The templates that fit a path with most literal text: several where a document leaves open which is meant. */
export function matchPathTemplates(path: string, templates: readonly string[]): readonly string[] {
  let best: string[] = [];
  let most = -1;
  for (const template of templates) {
    const literal = literalSegments(path, template) ?? -1;
    if (literal > most) best = [];
    most = Math.max(most, literal);
    if (literal >= 0 && literal === most) best.push(template);
  }
  return best;
}

/** Values of the parameters of a template that fits a path, decoded; undefined: it does not fit. */
export function pathParameters(path: string, template: string): Readonly<Record<string, string>> | undefined {
  if (literalSegments(path, template) === undefined) return undefined;
  const given = path.split('/');
  const values: Record<string, string> = {};
  for (const [index, segment] of template.split('/').entries()) {
    const match = segmentMatch(given[index] ?? '', segment);
    for (const [name, value] of Object.entries(match ?? {})) values[name] = percentDecoded(value);
  }
  return values;
}

/**
 * Number of literal segments of a fitting template, parts of segments counting for half; undefined: it does not
 * fit.
 */
function literalSegments(path: string, template: string): number | undefined {
  const [given, wanted] = [path.split('/'), template.split('/')];
  if (given.length !== wanted.length) return undefined;
  let literal = 0;
  for (const [index, segment] of wanted.entries()) {
    const text = given[index] ?? '';
    if (!segment.includes('{')) {
      if (segment !== text && percentDecoded(segment) !== percentDecoded(text)) return undefined;
      literal += 1;
    } else {
      if (!segmentMatch(text, segment)) return undefined;
      if (!/^\{[^{}]*\}$/.test(segment)) literal += 0.5;
    }
  }
  return literal;
}

/** The parameters in one segment such as `{id}` or `{name}.{ending}`, each of them not empty. */
function segmentMatch(text: string, segment: string): Readonly<Record<string, string>> | undefined {
  const pieces = segment.split(/\{([^{}]*)\}/);
  const values: Record<string, string> = {};
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    if (index % 2 === 0) {
      if (!text.startsWith(piece, at)) return undefined;
      at += piece.length;
    } else {
      const next = pieces[index + 1] ?? '';
      // The last literal is looked for from the end, so that `{name}.json` takes `a.b.json`.
      const isLast = index === pieces.length - 2;
      const end =
        next === ''
          ? isLast
            ? text.length
            : endBeforeNext(text, at)
          : isLast
            ? text.lastIndexOf(next)
            : text.indexOf(next, at + 1);
      if (end <= at) return undefined;
      values[piece] = text.slice(at, end);
      at = end;
    }
  }
  return at === text.length ? values : undefined;
}

/** End of a parameter with another right behind it: before the last dot, as in `{name}{ending}`, else all but one. */
function endBeforeNext(text: string, at: number): number {
  const dot = text.lastIndexOf('.');
  return dot > at ? dot : Math.max(text.length - 1, at);
}

/** A path without a prefix that ends at a border of segments; nothing left is `/`. */
export function stripBasePath(path: string, base: string): string {
  const prefix = base.replace(/\/+$/, '');
  if (prefix === '' || (path !== prefix && !path.startsWith(`${prefix}/`))) return path;
  return path.slice(prefix.length) || '/';
}
