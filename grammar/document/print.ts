import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { doubleQuoted, quoted } from './yaml/quote.ts';
import { resolvePlain } from './yaml/scalar.ts';

/** Characters of a line that a list or an object may take in flow style inside of block style. */
const FLOW_WIDTH = 80;
/** The same for those with others inside. */
const NESTED_WIDTH = 50;

/** JSON text without a line break at the end; what does not fit on a line is spread, `indent` blanks a level. */
export function printJson(value: Json, indent = 2, lead = ''): string {
  const flow = flowJson(value);
  if (typeof value !== 'object' || value === null || lead.length + flow.length <= FLOW_WIDTH) return flow;
  const inner = lead + ' '.repeat(indent);
  const isList = Array.isArray(value);
  const lines = isList
    ? (value as readonly Json[]).map((item) => printJson(item, indent, inner))
    : Object.entries(value as JsonObject).map(
        ([key, item]) => `${doubleQuoted(key)}: ${printJson(item, indent, inner)}`,
      );
  return `${isList ? '[' : '{'}\n${inner}${lines.join(`,\n${inner}`)}\n${lead}${isList ? ']' : '}'}`;
}

/** JSON on one line, with a blank behind each comma and colon. */
export function flowJson(value: Json): string {
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(flowJson).join(', ')}]`;
  if (!isObject(value)) return scalarJson(value);
  return `{${Object.entries(value)
    .map(([key, item]) => `${doubleQuoted(key)}: ${flowJson(item)}`)
    .join(', ')}}`;
}

function scalarJson(value: Json): string {
  if (typeof value === 'string') return doubleQuoted(value);
  return Object.is(value, -0) ? '-0' : String(value);
}

/** YAML text in block style, without a line break at the end; every line begins with `indent` blanks. */
export function printYaml(value: Json, indent = 0): string {
  return ' '.repeat(indent) + blockYaml(value, indent);
}

/**
 * A value in block style whose first line is already indented, further ones by `indent` blanks. A short text stands in
 * flow style.
 */
export function blockYaml(value: Json, indent: number): string {
  if (typeof value === 'string' && isBlockText(value)) return literal(value, indent);
  if (isFlat(value)) return flowYaml(value);
  const next = `\n${' '.repeat(indent)}`;
  if (Array.isArray(value))
    return (value as readonly Json[]).map((item) => `- ${blockItem(item, indent + 2)}`).join(next);
  return entries(value as JsonObject, indent);
}

/**
 * An item of a list in block style. An object with one key, or with others inside, stands entry by entry however short
 * it is, as people write steps: `- key: value`.
 */
export function blockItem(value: Json, indent: number): string {
  if (!isObject(value)) return blockYaml(value, indent);
  const inner = Object.values(value);
  const isStep = inner.length === 1 || inner.some((item) => typeof item === 'object' && item !== null);
  return isStep ? entries(value, indent) : blockYaml(value, indent);
}

function entries(value: JsonObject, indent: number): string {
  return Object.entries(value)
    .map(([key, item]) => blockEntry(key, item, indent))
    .join(`\n${' '.repeat(indent)}`);
}

/** One entry of a block object: `key: value`, or the value on the lines below. */
export function blockEntry(key: string, value: Json, indent: number): string {
  const name = yamlText(key);
  if (typeof value === 'string' && isBlockText(value)) return `${name}: ${literal(value, indent + 2)}`;
  return isFlat(value) ? `${name}: ${flowYaml(value)}` : `${name}:\n${printYaml(value, indent + 2)}`;
}

/** Whether a text of several lines can stand as a block: nothing in it is invisible, or would be lost. */
function isBlockText(text: string): boolean {
  return /^[^\s][^\n]*\n/.test(text) && !/[^\S\n](?:\n|$)|\n\n$/.test(text) && text.search(UNPRINTED) < 0;
}

/** Characters that a block text cannot hold, or people cannot see in one. */
const UNPRINTED = /[\0-\x09\x0b-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/;

/** A text in literal style, its lines indented by `indent` blanks. */
function literal(text: string, indent: number): string {
  const lead = ' '.repeat(Math.max(indent, 2));
  const body = text.endsWith('\n') ? text.slice(0, -1) : text;
  return `${text.endsWith('\n') ? '|' : '|-'}\n${body.replace(/^(?=[^\n])/gm, lead)}`;
}

/** Whether a value is written on one line. */
function isFlat(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return true;
  const items: readonly Json[] = Array.isArray(value) ? (value as readonly Json[]) : Object.values(value);
  if (items.some((item) => typeof item === 'string' && isBlockText(item))) return false;
  if (items.length > FLOW_WIDTH / 3) return false;
  const hasInner = items.some((item) => typeof item === 'object' && item !== null);
  return flowLength(value, hasInner ? NESTED_WIDTH : FLOW_WIDTH) <= (hasInner ? NESTED_WIDTH : FLOW_WIDTH);
}

/**
 * The length of a value in flow style; more than `limit` as soon as that is known, so that large values are not printed
 * in vain.
 */
function flowLength(value: Json, limit: number): number {
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' && value.length > limit ? value.length : flowYaml(value).length;
  let length = 4;
  for (const [key, item] of Object.entries(value)) {
    length += (Array.isArray(value) ? 2 : key.length + 4) + flowLength(item, limit);
    if (length > limit) break;
  }
  return length;
}

/** YAML on one line, in flow style. */
export function flowYaml(value: Json): string {
  if (typeof value === 'string') return yamlText(value);
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(flowYaml).join(', ')}]`;
  if (!isObject(value)) return scalarJson(value);
  const entries = Object.entries(value).map(([key, item]) => `${yamlText(key)}: ${flowYaml(item)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** Texts that other YAML readers take for something else. */
const OTHER_READERS = /^(?:y|n|yes|no|on|off|[0-9_]+(?::[0-9_]+)+|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*)$/i;

/** A text as a YAML scalar: without quotes where every reader takes it for that text, in block and in flow style. */
export function yamlText(text: string): string {
  const isPlain =
    /^[\p{L}_/$.][\p{L}\p{N}_/$.@%+ ()=;~^*?<>|&!'":,-]*$/u.test(text) &&
    !/^[^\p{L}_/$]|[,:] |[,:]$| [-#&*!|>'"%@]|[\s]$| {2}|["',]|:(?![\w/])/u.test(text);
  return isPlain && text.length <= 200 && resolvePlain(text) === text && !OTHER_READERS.test(text)
    ? text
    : quoted(text);
}
