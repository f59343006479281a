import { scanText } from '#grammar/reference/scan.ts';
import type { References } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { isObject, type Json } from '#schemas/types/json.ts';

/** A copy with the references in all texts filled; keys of objects stay. */
export function substitute(value: Json, references: References): Json {
  if (typeof value === 'string') return filled(value, references);
  if (Array.isArray(value)) return value.map((item: Json) => substitute(item, references));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, substitute(item, references)]));
}

/** A text that is exactly one reference becomes its value; inside longer text what is no text is written as JSON. */
function filled(text: string, references: References): Json {
  const scanned = scanText(text);
  if (scanned === undefined) throw fail.substitutionFailed({ text });
  const { parts } = scanned;
  try {
    const [first] = parts;
    if (parts.length === 1 && first !== undefined && typeof first !== 'string') return references.value(first);
    return parts.map((part) => (typeof part === 'string' ? part : asText(references.value(part)))).join('');
  } catch (cause) {
    throw fail.substitutionFailed({ text, cause });
  }
}

function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
