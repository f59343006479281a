import { escapeHtml } from './escape-xml.ts';

/** Markup that is safe to put into a page as it is. Only `html` makes it. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Starts of lines at which a build server would take a command from a page that is printed. */
const atLineStart = /^([^\S\n]*):(?=:)/gm;

type Part = string | number | Markup | readonly Markup[] | undefined | false;

/** A tagged template that escapes every value which is not markup itself. */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Markup {
  let text = strings[0] ?? '';
  for (let index = 0; index < values.length; index += 1) text += render(values[index]) + (strings[index + 1] ?? '');
  return new Markup(text);
}

function render(value: Part): string {
  if (typeof value === 'string') return escaped(value);
  if (value === undefined || value === false) return '';
  if (typeof value === 'number') return String(value);
  if (value instanceof Markup) return value.text;
  return value.map((piece) => piece.text).join('');
}

/** Nearly all texts hold no two colons: looking for these is quicker than replacing them. */
function escaped(value: string): string {
  const text = escapeHtml(value);
  return text.includes('::') ? text.replace(atLineStart, '$1&#58;') : text;
}
