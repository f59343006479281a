import { escapeXml } from './escape-xml.ts';

/** Markup that is safe to put into a page as it is. Only `html` makes it. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Where a build server would take a command from a page that is printed. */
const atLineStart = /^([^\S\n]*):(?=:)/gm;

type Part = string | number | Markup | readonly Markup[] | undefined | false;

/** A tagged template that escapes every value which is not markup itself. */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Markup {
  let text = strings[0] ?? '';
  values.forEach((value, index) => {
    text += render(value) + (strings[index + 1] ?? '');
  });
  return new Markup(text);
}

function render(value: Part): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return escaped(value);
  return value.map((piece) => piece.text).join('');
}

/** Nearly all texts hold neither line breaks nor two colons: looking for these is quicker than replacing them. */
function escaped(value: string): string {
  const text = escapeXml(value);
  const lines = text.includes('&#10;') ? text.replaceAll('&#10;', '\n') : text;
  return lines.includes('::') ? lines.replace(atLineStart, '$1&#58;') : lines;
}
