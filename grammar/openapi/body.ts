import { multipartFields } from '#grammar/http/read-multipart.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Json } from '#schemas/types/json.ts';

/** A body of a request or of an answer, as specifications look at it. */
export interface Body {
  /** Media type without parameters, in lower case; absent: unknown. */
  readonly type?: string;
  /** Media type with its parameters, as it was sent. */
  readonly contentType?: string;
  /** Absent: it is no JSON. */
  readonly json?: Json;
  /** Present where its type says that it is JSON, and its text is none. */
  readonly isBroken?: true;
  /** Body that is neither JSON nor a form. */
  readonly text?: string;
  /** Fields of a form, in order. */
  readonly fields?: readonly FormField[];
}

export interface FormField {
  readonly name: string;
  readonly value: string;
  /** A file: what is in it is not looked at. */
  readonly isFile?: boolean;
}

/** Deeper bodies are not judged. */
const DEEPEST = 128;

/** The media type without parameters, in lower case. */
export function plainType(contentType: string): string {
  return contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/**
 * A body by its type; without a type it is JSON where it begins like an object or a list. Undefined: it is empty.
 * `isCut`: what is missing at its end may be what makes it JSON.
 */
export function readBody(text: string, contentType: string | undefined, isCut = false): Body | undefined {
  if (text === '') return undefined;
  if (contentType === undefined) return /^\s*[[{]/.test(text) ? jsonPart(text, true) : {};
  const type = plainType(contentType);
  const head = { type, contentType };
  // A hidden value may have been a number.
  if (/^(?:application|text)\/(?:[\w.-]+\+)?json$/.test(type))
    return { ...head, ...jsonPart(text, isCut || text.includes('***')) };
  if (type === 'application/x-www-form-urlencoded')
    return { ...head, fields: [...new URLSearchParams(text)].map(([name, value]) => ({ name, value })) };
  const fields = type === 'multipart/form-data' ? multipartFields(text, contentType) : undefined;
  return { ...head, ...(fields ? { fields } : { text }) };
}

function jsonPart(text: string, isUnsure: boolean): Pick<Body, 'json' | 'isBroken' | 'text'> {
  const json = readJson(text);
  if (json !== undefined) return isDeep(json) ? {} : { json };
  return isUnsure ? {} : { isBroken: true, text };
}

/** The value of a JSON text; undefined: it is none. */
export function readJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function isDeep(value: Json): boolean {
  let level: readonly Json[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return true;
    level = level.flatMap((item) =>
      Array.isArray(item) ? (item as Json[]) : isObject(item) ? Object.values(item) : [],
    );
  }
  return false;
}
