import { schemaOfPredicate, textCondition } from './answer-types.ts';
import { literal, resultPath, simplePath } from './condition.ts';
import type { FurtherChecks } from './further-checks.ts';

/** Part of the result that a query reads; `match`: the part of the text there. */
export interface ReadPart {
  readonly path: string;
  readonly match?: string;
}

interface Assert {
  /** `jsonpath "$.a"`. */
  readonly query: string;
  /** `count`, `nth 0`, `toInt`. */
  readonly filters: readonly string[];
  readonly isNegated: boolean;
  readonly predicate: string;
  readonly value: string;
}

/** Text of a name in a file as a reference here. */
export type Fill = (text: string) => string;

/**
 * A line of `[Asserts]` as a condition, or as a check of its own; false: it asks for what neither can.
 */
export function readAssert(line: string, checks: FurtherChecks, fill: Fill): string | boolean {
  const assert = assertOf(line);
  // Hurl asks for the headers of a name as a list, which are one text here.
  if (!assert || (assert.query.startsWith('header') && isAboutList(assert))) return false;
  const subject = subjectOf(assert);
  if (subject !== undefined) return ofOneValue(subject, assert, checks, fill);
  const expression = /^jsonpath\s+(".*")$/s.exec(assert.query)?.[1];
  const text = expression === undefined ? undefined : textOf(expression);
  return text !== undefined && ofValues(fill(text), assert, checks, fill);
}

function isAboutList({ filters, predicate }: Assert): boolean {
  return filters.some((filter) => !filter.startsWith('to')) || /^is(?:Collection|List)$/.test(predicate);
}

const query =
  /^((?:status|body|duration|url|redirects|jsonpath|header|cookie)(?:\s+"(?:[^"\\]|\\.)*")?)((?:\s+(?:count|first|last|toInt|toFloat|nth\s+\d+))*)\s+(not\s+)?(\S+)\s*(.*)$/s;

/** `QUERY [FILTER…] [not] PREDICATE [VALUE]`. */
function assertOf(line: string): Assert | undefined {
  const [, asked, filters = '', not, predicate = '', rest = ''] = query.exec(line) ?? [];
  if (asked === undefined) return undefined;
  return {
    query: asked,
    filters: filters.match(/nth\s+\d+|\w+/g) ?? [],
    isNegated: not !== undefined,
    predicate,
    value: rest.trim(),
  };
}

/** The one value that a query with its filters reads, as conditions name it; undefined: there may be several. */
function subjectOf({ query: asked, filters }: Assert): string | undefined {
  const found = asked === 'redirects' ? { path: 'history' } : partOf(asked);
  return found && !found.match ? filtered(`result.${found.path}`, filters) : undefined;
}

function filtered(subject: string, filters: readonly string[]): string | undefined {
  let text: string | undefined = subject;
  for (const [index, filter] of filters.entries()) {
    const isLast = index === filters.length - 1;
    const nth: string | undefined = filter === 'first' ? '0' : /^nth\s+(\d+)$/.exec(filter)?.[1];
    if (nth !== undefined) text = `${text}[${nth}]`;
    else if (filter === 'count' && isLast) text = `len(${text})`;
    else if (filter.startsWith('to') && isLast) text = `num(${text})`;
    else return undefined;
  }
  return text;
}

function ofOneValue(subject: string, assert: Assert, checks: FurtherChecks, fill: Fill): string | boolean {
  const { predicate, isNegated } = assert;
  const schema = schemaOfPredicate(predicate, isNegated);
  if (schema) {
    if (!subject.startsWith('result.')) return false;
    checks.schema(subject.replace(/^result\./, ''), schema);
    return true;
  }
  const condition = judged(subject, assert, fill);
  return condition === undefined ? false : isNegated ? `!(${condition})` : condition;
}

/** Conditions on the list of values that an expression finds. */
function ofValues(expression: string, assert: Assert, checks: FurtherChecks, fill: Fill): boolean {
  const { filters, predicate, isNegated, value } = assert;
  if (predicate === 'exists' && filters.length === 0) {
    checks.values(expression, isNegated ? { expected_count: 0 } : {});
    return true;
  }
  if (filters[0] === 'count' && predicate === '==' && !isNegated && /^\d+$/.test(value)) {
    checks.values(expression, { expected_count: Number(value) });
    return true;
  }
  // A single value may come without a list around it: only what speaks of a list is the same in both.
  const subject =
    filters.length > 0 || /^(?:includes|contains)$/.test(predicate) ? filtered('result', filters) : undefined;
  const condition = subject === undefined ? undefined : judged(subject, assert, fill);
  if (condition === undefined) return false;
  checks.values(expression, {}, isNegated ? `!(${condition})` : condition);
  return true;
}

const texts: Readonly<Record<string, 'start' | 'end' | undefined>> = { startsWith: 'start', endsWith: 'end' };

function judged(subject: string, { predicate, value: rest }: Assert, fill: Fill): string | undefined {
  const value = valueText(rest, fill);
  const place = texts[predicate];
  if (place !== undefined) {
    const text = textOf(rest);
    return text === undefined || rest.includes('{{') ? undefined : textCondition(subject, text, place);
  }
  if (/^(?:[=!]=|[<>]=?)$/.test(predicate)) return value === undefined ? undefined : `${subject} ${predicate} ${value}`;
  switch (predicate) {
    case 'contains':
    case 'includes':
      return value === undefined ? undefined : `contains(${subject}, ${value})`;
    case 'matches': {
      const source = /^\/(.*)\/$/s.exec(rest)?.[1] ?? textOf(rest) ?? '';
      return source === '' || rest.includes('{{')
        ? undefined
        : `matches(${subject}, /${source.replaceAll(/(?<!\\)\//g, '\\/')}/)`;
    }
    case 'exists':
      return `exists(${subject})`;
    case 'isEmpty':
      return `len(${subject}) == 0`;
    default:
      return undefined;
  }
}

/** A value as conditions write it; undefined: they cannot. */
function valueText(written: string, fill: Fill): string | undefined {
  if (/^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/.test(written) || /^(?:true|false|null)$/.test(written)) return written;
  const text = /^\{\{[^{}]*\}\}$/.test(written) ? written : textOf(written);
  if (text === undefined) return undefined;
  if (!text.includes('{{')) return literal(text);
  const filled = fill(text);
  return /^(?:\{\{[\w.]+\}\}|\$\{ENV\.\w+\})$/.test(filled) ? filled : undefined;
}

/** The text between quotes, or between backticks, where every sign stands for itself. */
function textOf(written: string): string | undefined {
  const raw = /^`([^`]*)`$/s.exec(written)?.[1];
  const quoted = raw === undefined ? /^"((?:[^"\\]|\\.)*)"$/s.exec(written)?.[1] : undefined;
  return raw ?? quoted?.replaceAll(/\\(["\\ntr])/g, (_, sign: string) => ({ n: '\n', t: '\t', r: '\r' })[sign] ?? sign);
}

/** Path in the result that a query reads, with what a `regex` filter behind it takes out of the text. */
export function partOf(asked: string): ReadPart | undefined {
  const [, kind = '', quoted, pattern, text] =
    /^(status|body|duration|url|jsonpath|header|cookie|regex)(?:\s+("(?:[^"\\]|\\.)*"|\/.*\/))?(?:\s+regex\s+(?:\/(.*)\/|("(?:[^"\\]|\\.)*")))?$/s.exec(
      asked.trim(),
    ) ?? [];
  const source = pattern ?? (text === undefined ? undefined : textOf(text));
  const match = source === undefined ? {} : { match: source };
  const name = quoted === undefined ? '' : (textOf(quoted) ?? '');
  switch (kind) {
    case 'status':
      return { path: 'status_code' };
    case 'body':
      return { path: 'text', ...match };
    case 'regex':
      return quoted === undefined ? undefined : { path: 'text', match: textOf(quoted) ?? quoted.slice(1, -1) };
    case 'url':
      return { path: 'request_url', ...match };
    case 'duration':
      return { path: 'elapsed_ms' };
    case 'header':
      return { path: resultPath('headers', [name.toLowerCase()]), ...match };
    case 'cookie':
      return /\[(?!Value\]$)/.test(name)
        ? undefined
        : { path: resultPath('cookies', [name.replace(/\[Value\]$/, '')]), ...match };
    case 'jsonpath': {
      const pieces = simplePath(name);
      return pieces && { path: resultPath('json', pieces), ...match };
    }
    default:
      return undefined;
  }
}

/** The same for a capture, of which filters may follow that lead to one value. */
export function capturedPart(asked: string): ReadPart | undefined {
  const words = Array.from(asked.matchAll(/\S+/g), ({ 0: word, index }) => ({ word, index }));
  const filters: string[] = [];
  let end = words.length;
  for (; end > 1; end -= 1) {
    const [before, last] = [words[end - 2]?.word, words[end - 1]?.word ?? ''];
    if (last === 'first') filters.push(last);
    else if (before === 'nth' && end > 2 && /^\d+$/.test(last)) filters.push(`nth ${words[--end]?.word ?? ''}`);
    else break;
  }
  const part = partOf(asked.slice(0, words[end]?.index).trim());
  if (!part || part.match !== undefined) return filters.length === 0 ? part : undefined;
  const path = filtered(part.path, filters.toReversed());
  return path === undefined ? undefined : { path };
}
