import { printableLine } from '#grammar/source/printable.ts';
import { isObject, type Json, type JsonObject } from '#schemas/types/json.ts';

/**
 * Arguments of a command in a dry run, on one line, without those that have their default; a value that only a
 * real run could know stands as `<from step 3>`.
 */
export function dryText(value: Json, defaults: JsonObject = {}): string {
  if (!isObject(value)) return printableLine(textOf(value));
  const isDefault = (name: string, part: Json): boolean =>
    !import.meta.withoutVerbose &&
    Object.hasOwn(defaults, name) &&
    JSON.stringify(part) === JSON.stringify(defaults[name]);
  const given = Object.entries(value).filter(([name, part]) => name !== 'would' && !isDefault(name, part));
  return printableLine(textOf(Object.fromEntries(given)));
}

/** Changes that a command would make, a line each verb; empty for commands without a preview. */
export function wouldText(value: Json): string {
  const would = isObject(value) ? value['would'] : undefined;
  if (!isObject(would)) return '';
  const lines = Object.entries(would).flatMap(([verb, told]) => {
    if (!isObject(told)) return [`what it would do is not known yet: ${String(told)}`];
    const names = Array.isArray(told['first']) ? told['first'] : [];
    const more = Number(told['count']) - names.length;
    if (names.length === 0) return [];
    return [
      `would ${verb} ${Number(told['count'])}:`,
      ...names.map((name) => `  ${String(name)}`),
      ...(more > 0 ? [`  … and ${more} more`] : []),
    ];
  });
  if (lines.length === 0) return '\n      would change nothing';
  return lines.map((line) => `\n      ${printableLine(line)}`).join('');
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
