import { scanText } from '#grammar/reference/scan.ts';
import type { References } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { isObject, type Json } from '#schemas/types/json.ts';

/** A copy with the references in all texts filled; keys of objects stay. */
export async function substitute(value: Json, references: References): Promise<Json> {
  if (typeof value === 'string') return filled(value, references);
  if (Array.isArray(value)) return Promise.all(value.map((item: Json) => substitute(item, references)));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(async ([key, item]) => [key, await substitute(item, references)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** A text that is exactly one reference becomes its value; inside longer text what is no text is written as JSON. */
async function filled(text: string, references: References): Promise<Json> {
  const scanned = scanText(text);
  if (scanned === undefined) throw fail.substitutionFailed({ text });
  const { parts } = scanned;
  try {
    const [first] = parts;
    if (parts.length === 1 && first !== undefined && typeof first !== 'string') return await references.value(first);
    const pieces = await Promise.all(
      parts.map(async (part) => (typeof part === 'string' ? part : asText(await references.value(part)))),
    );
    return pieces.join('');
  } catch (cause) {
    throw fail.substitutionFailed({ text, cause });
  }
}

function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
