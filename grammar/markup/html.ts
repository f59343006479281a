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
  if (typeof value === 'string' || typeof value === 'number')
    return escapeXml(String(value)).replaceAll('&#10;', '\n').replace(atLineStart, '$1&#58;');
  return value.map((piece) => piece.text).join('');
}
