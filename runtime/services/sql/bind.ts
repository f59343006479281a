import * as fail from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';
import type { SqlValue } from '#schemas/types/sql.ts';

/** Differences between databases about texts and comments, in which no value can stand. */
export interface Dialect {
  /** The text for the value at an index, from 0. */
  place(index: number): string;
  /** `$tag$ … $tag$` is a text, and a backslash in `E'…'` takes the next sign along. */
  readonly dollars: boolean;
  /** A backslash in any text takes the next sign along. */
  readonly backslashes: boolean;
  /** `#` begins a comment. */
  readonly hashes: boolean;
  /** Signs of the database's own for values, which would stand for NULL as nothing is bound to them. */
  readonly unbound?: RegExp;
}

export interface Bound {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/**
 * Puts the database's own signs in the place of `:name`, outside of texts, quoted names and comments. Each value is
 * bound.
 */
export function bind(sql: string, given: Readonly<Record<string, Json>>, dialect: Dialect): Bound {
  const values: SqlValue[] = [];
  const used = new Set<string>();
  let text = '';
  let at = 0;
  while (at < sql.length) {
    const end = endOfDead(sql, at, dialect);
    const name = end === at ? nameAt(sql, at) : '';
    if (name !== '') {
      if (!Object.hasOwn(given, name)) throw unfilled(`:${name}`, given);
      used.add(name);
      text += placesOf(given[name] ?? null, values, dialect);
      at += name.length + 1;
    } else {
      const own = end === at ? unboundAt(sql, at, dialect) : '';
      if (own !== '') throw unfilled(own, given);
      if (sql[at] === ';' && end === at && hasMore(sql, at + 1, dialect)) throw fail.sqlSeveralStatements({});
      // `::` is a cast: its second colon begins no name.
      const next = end === at ? at + (sql.startsWith('::', at) ? 2 : 1) : end;
      text += sql.slice(at, next);
      at = next;
    }
  }
  const unused = Object.keys(given).filter((name) => !used.has(name));
  if (unused.length > 0) throw fail.sqlParameterUnused({ names: listed(unused) });
  return { sql: text, values };
}

/** A statement without its texts, quoted names and comments. */
export function liveText(sql: string, dialect: Dialect): string {
  let text = '';
  let at = 0;
  while (at < sql.length) {
    const end = endOfDead(sql, at, dialect);
    text += end === at ? (sql[at] ?? '') : ' ';
    at = Math.max(end, at + 1);
  }
  return text;
}

function unfilled(name: string, given: Readonly<Record<string, Json>>): Error {
  return fail.sqlPlaceholderUnfilled({ name, names: listed(Object.keys(given)) });
}

/** An empty list is one NULL, which equals nothing. */
function placesOf(value: Json, values: SqlValue[], dialect: Dialect): string {
  const items = Array.isArray(value) ? (value.length === 0 ? [null] : (value as readonly Json[])) : [value];
  return items
    .map((item) => {
      values.push(valueOf(item));
      return dialect.place(values.length - 1);
    })
    .join(', ');
}

function valueOf(item: Json): SqlValue {
  return typeof item === 'object' && item !== null ? JSON.stringify(item) : item;
}

function nameAt(sql: string, at: number): string {
  if (sql[at] !== ':') return '';
  NAME.lastIndex = at + 1;
  return NAME.exec(sql)?.[0] ?? '';
}

const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;

/** Within a name `$` is one of its letters. */
function unboundAt(sql: string, at: number, { unbound }: Dialect): string {
  if (unbound === undefined) return '';
  unbound.lastIndex = at;
  const sign = unbound.exec(sql)?.[0] ?? '';
  return /[\w$]/.test(sql[at - 1] ?? '') ? '' : sign;
}

/** Whether anything but blanks and comments follows. */
function hasMore(sql: string, from: number, dialect: Dialect): boolean {
  let at = from;
  while (at < sql.length) {
    if (/[\s;]/.test(sql[at] ?? '')) at += 1;
    else {
      const end = endOfComment(sql, at, dialect);
      if (end === at) return true;
      at = end;
    }
  }
  return false;
}

/** End of the text, quoted name or comment that begins here; the place itself where none begins. */
function endOfDead(sql: string, at: number, dialect: Dialect): number {
  const sign = sql[at] ?? '';
  if (sign === "'" || sign === '"' || sign === '`') {
    const isText = sign === "'" || (sign === '"' && dialect.backslashes);
    const isEscaping =
      isText &&
      (dialect.backslashes || (dialect.dollars && /(?:^|[^\w$])[eE]$/.test(sql.slice(Math.max(0, at - 2), at))));
    return endOfQuoted(sql, at, sign, isEscaping);
  }
  if (sign === '[' && !dialect.dollars && !dialect.backslashes) return endAfter(sql, ']', at + 1);
  if (sign === '$' && dialect.dollars) return endOfDollars(sql, at);
  return endOfComment(sql, at, dialect);
}

/** A doubled sign is one of the text. */
function endOfQuoted(sql: string, from: number, sign: string, isEscaping: boolean): number {
  for (let at = from + 1; at < sql.length; at += 1) {
    if (isEscaping && sql[at] === '\\') at += 1;
    else if (sql[at] === sign) {
      if (sql[at + 1] !== sign) return at + 1;
      at += 1;
    }
  }
  return sql.length;
}

function endOfDollars(sql: string, at: number): number {
  DOLLARS.lastIndex = at;
  const tag = DOLLARS.exec(sql)?.[0];
  return tag === undefined ? at : endAfter(sql, tag, at + tag.length);
}

const DOLLARS = /\$(?:[A-Za-z_]\w*)?\$/y;

function endOfComment(sql: string, at: number, dialect: Dialect): number {
  if (sql.startsWith('--', at) || (dialect.hashes && sql[at] === '#')) return endAfter(sql, '\n', at);
  return sql.startsWith('/*', at) ? endOfBlock(sql, at, dialect.dollars) : at;
}

/** Comments of PostgreSQL hold others. */
function endOfBlock(sql: string, from: number, isNested: boolean): number {
  let depth = 1;
  for (let at = from + 2; at < sql.length; at += 1) {
    if (isNested && sql.startsWith('/*', at)) {
      depth += 1;
      at += 1;
    } else if (sql.startsWith('*/', at)) {
      depth -= 1;
      at += 1;
      if (depth === 0) return at + 1;
    }
  }
  return sql.length;
}

function endAfter(sql: string, sign: string, from: number): number {
  const found = sql.indexOf(sign, from);
  return found < 0 ? sql.length : found + sign.length;
}

function listed(names: readonly string[]): string {
  return names.toSorted().join(', ') || 'none';
}
