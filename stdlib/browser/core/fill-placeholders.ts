import { Cursor } from '#grammar/language/cursor.ts';
import { scanReference } from '#grammar/reference/scan.ts';
import { convert, inText, unreadable } from '#runtime/kernel/values/convert.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';

/** Names that placeholders of kept texts may have; any other is text. */
const PLAIN = /^[A-Za-z_]\w*$/;

/**
 * A text with its placeholders of one kind filled, in the form of references: `${ENV.PORT:int:-80}`. One that is the
 * whole text takes the value as it is; in a longer text it is written as JSON writes it. One without value and default
 * stays.
 */
export function fillPlaceholders(
  text: string,
  kind: 'ENV' | 'ROW',
  valueOf: (name: string, placeholder: string, hasDefault: boolean) => Json | undefined,
): Json {
  const mark = `\${${kind}.`;
  let filled = '';
  let from = 0;
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, Math.max(from, at + mark.length))) {
    const cursor = new Cursor(text, at);
    const ref = scanReference(cursor);
    if (!ref || !PLAIN.test(ref.name)) continue;
    const placeholder = text.slice(at, cursor.at);
    const given = valueOf(ref.name, placeholder, ref.default !== undefined);
    // A null is a value.
    const found = given === undefined ? ref.default : given;
    if (found === undefined) continue;
    const value = ref.convert === undefined ? found : convert(found, ref.convert);
    if (value === unreadable)
      throw fail.placeholderUnfilled({ placeholder, reason: `its value cannot be read as ${ref.convert}` });
    if (placeholder === text) return value as Json;
    filled += text.slice(from, at) + inText(value);
    from = cursor.at;
  }
  return filled + text.slice(from);
}
