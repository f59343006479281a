import { isObject } from '#schemas/types/json.ts';
import type { Json } from '#schemas/types/json.ts';

import type { Parameter } from './operations.ts';

/** A value of a path or a header as the style of its parameter writes it; each part goes through `encode`. */
export function styledText(
  { name, source }: Pick<Parameter, 'name' | 'source'>,
  value: Json,
  encode: (text: string) => string = (text) => text,
): string {
  // Nothing to join: an empty text would be another path.
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  if (isEmpty || isObject(source['content'])) return encode(JSON.stringify(value));
  const style = String(source['style'] ?? 'simple');
  const isExploded = source['explode'] === true;
  const text = (part: Json): string => encode(typeof part === 'string' ? part : JSON.stringify(part));
  const between = !isExploded ? ',' : style === 'label' ? '.' : style === 'matrix' ? ';' : ',';
  const own = `${encode(name)}=`;
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).map(text);
    if (style !== 'matrix') return `${style === 'label' ? '.' : ''}${items.join(between)}`;
    return `;${isExploded ? items.map((item) => own + item).join(';') : own + items.join(',')}`;
  }
  const isWhole = !isObject(value);
  const written = isWhole
    ? text(value)
    : Object.entries(value)
        .map(([key, part]) => `${encode(key)}${isExploded ? '=' : ','}${text(part ?? null)}`)
        .join(between);
  if (style === 'label') return `.${written}`;
  if (style !== 'matrix') return written;
  return `;${isWhole || !isExploded ? own : ''}${written}`;
}
