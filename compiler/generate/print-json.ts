/** JSON with what fits on one line on one line: files that people read and diffs that show what changed. */
export function printJson(value: unknown, width = 140): string {
  return `${print(value, '', width)}\n`;
}

function print(value: unknown, indent: string, width: number, lead = 0): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const flat = oneLine(value);
  if (indent.length + lead + flat.length <= width) return flat;
  const inner = `${indent}  `;
  if (Array.isArray(value))
    return `[\n${value.map((item) => inner + print(item, inner, width)).join(',\n')}\n${indent}]`;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  const lines = entries.map(
    ([key, item]) => `${inner}${JSON.stringify(key)}: ${print(item, inner, width, key.length + 5)}`,
  );
  return `{\n${lines.join(',\n')}\n${indent}}`;
}

function oneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return entries.length === 0
    ? '{}'
    : `{ ${entries.map(([key, item]) => `${JSON.stringify(key)}: ${oneLine(item)}`).join(', ')} }`;
}
