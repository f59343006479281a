import { isList } from '#schemas/types/json.ts';
import type { Json } from '#schemas/types/json.ts';

/** A comparison of conditions. */
export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** A path in a result, such as `result.json.items[0].id`; pieces that are no plain names stand in quotes. */
export function resultPath(start: string, pieces: readonly (string | number)[]): string {
  return pieces.reduce<string>((path, piece) => {
    if (typeof piece === 'number') return `${path}[${piece}]`;
    return /^[A-Za-z_][\w-]*$/.test(piece) ? `${path}.${piece}` : `${path}[${JSON.stringify(piece)}]`;
  }, start);
}

/** The pieces of `$.a.b[0]['c']`, `a.b[0]` or `.a`; undefined: it asks for more than one value. */
export function simplePath(text: string): readonly (string | number)[] | undefined {
  const rest = text.trim().replace(/^\$/, '');
  const pieces: (string | number)[] = [];
  const piece = /\.?([A-Za-z_$][\w$-]*)|\[(\d+)\]|\[(?:'([^'\\]*)'|"([^"\\]*)")\]/y;
  while (piece.lastIndex < rest.length) {
    const match = piece.exec(rest);
    if (!match) return undefined;
    const [, name, index, single, double] = match;
    pieces.push(index === undefined ? (name ?? single ?? double ?? '') : Number(index));
  }
  return pieces;
}

/** A value as conditions write it; undefined: they cannot. */
export function literal(value: Json): string | undefined {
  if (typeof value === 'string') {
    if (/[\\\n\r\t]/.test(value)) return undefined;
    if (!value.includes('"')) return `"${value}"`;
    return value.includes("'") ? undefined : `'${value}'`;
  }
  if (typeof value !== 'object' || value === null) return String(value);
  const parts = isList(value)
    ? value.map(literal)
    : Object.entries(value).map(([key, item]) => entry(JSON.stringify(key), literal(item)));
  if (parts.includes(undefined)) return undefined;
  return isList(value) ? `[${parts.join(', ')}]` : `{${parts.join(', ')}}`;
}

function entry(key: string, value: string | undefined): string | undefined {
  return value === undefined ? undefined : `${key}: ${value}`;
}

const PIECE =
  /[A-Za-z_$][\w$]*(?=\s*:)|"[^"\\]*"|'[^'\\]*'|-?(?:0|[1-9]\d{0,14})(?:\.\d{1,9})?(?![\w.])|\b(?:true|false|null)\b|[[\]{},:]|\s+/y;

/** The list or the object that a script writes; undefined: it is none, or holds more than values. */
export function valueOfScript(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  let json = '';
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < text.length) {
    const [piece] = PIECE.exec(text) ?? [];
    if (piece === undefined) return undefined;
    if (piece.startsWith("'")) json += JSON.stringify(piece.slice(1, -1));
    else json += /^[A-Za-z_$]/.test(piece) && isKeyAt(text, PIECE.lastIndex) ? JSON.stringify(piece) : piece;
  }
  try {
    return JSON.parse(json) as Json;
  } catch {
    return undefined;
  }
}

function isKeyAt(text: string, end: number): boolean {
  return /^\s*:/.test(text.slice(end));
}

/** The value of a text such as `5`, `true`, `null`, `"x"` or `x`. */
export function valueOf(text: string): Json {
  const plain = text.trim();
  if (/^(?:-?(?:0|[1-9]\d{0,14})(?:\.\d+)?|true|false|null)$/.test(plain)) return JSON.parse(plain) as Json;
  const quoted = /^(["'])(.*)\1$/s.exec(plain);
  return quoted ? (quoted[2] ?? '') : plain;
}
