import { printableLine } from '#grammar/source/printable.ts';
import { isObject, type Json, type JsonObject } from '#schemas/types/json.ts';

/**
 * What a command would be called with, on one line, without what has its default; what only a real run could know stands as
 * `<from step 3>`.
 */
export function dryText(value: Json, defaults: JsonObject = {}): string {
  if (import.meta.withoutVerbose || !isObject(value)) return printableLine(textOf(value));
  const given = Object.entries(value).filter(
    ([name, part]) => !Object.hasOwn(defaults, name) || JSON.stringify(part) !== JSON.stringify(defaults[name]),
  );
  return printableLine(textOf(Object.fromEntries(given)));
}

function textOf(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const { $unknown: unknown, ...rest } = value;
  if (typeof unknown === 'string' && Object.keys(rest).length === 0) return `<${unknown}>`;
  return `{${Object.entries(value)
    .map(([name, part]) => `${JSON.stringify(name)}:${textOf(part)}`)
    .join(',')}}`;
}
