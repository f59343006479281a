import { escapeHtml, escapeHtmlContent } from './escape-xml.ts';

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

/**
 * A tagged template that escapes every value which is not markup itself. Values of which the template itself shows that
 * they stand between two elements keep their quotation marks, of which JSON is full: the page is shorter and written in
 * less time.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Markup {
  const places = placesOf(strings);
  let text = strings[0] ?? '';
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index];
    text += typeof value === 'string' ? escaped(value, places[index] ?? 'anywhere') : render(value);
    text += strings[index + 1] ?? '';
  }
  return new Markup(text);
}

/** Place of a value: between two elements, or one of which the template does not tell, such as an attribute. */
type Place = 'content' | 'anywhere';

/** Places of the values, by the texts around them, which are the same objects at each call. */
const known = new WeakMap<TemplateStringsArray, readonly Place[]>();

/** A tag with its attributes, or an element whose text is no text of the page. */
const TAG = /<(?:script|style)\b.*?<\/|<\/?(?!script|style)[a-z](?:"[^"]*"|'[^']*'|[^"'>])*>/gs;

function placesOf(strings: TemplateStringsArray): readonly Place[] {
  const seen = known.get(strings);
  if (seen) return seen;
  let before = '';
  const places = strings.slice(0, -1).map((text): Place => {
    before += text;
    const isBetween = before.includes('>') && !before.replaceAll(TAG, '>').includes('<');
    return isBetween ? 'content' : 'anywhere';
  });
  known.set(strings, places);
  return places;
}

function render(value: Exclude<Part, string>): string {
  if (value === undefined || value === false) return '';
  if (typeof value === 'number') return String(value);
  if (value instanceof Markup) return value.text;
  let text = '';
  for (const piece of value) text += piece.text;
  return text;
}

/** Nearly all texts hold no two colons: looking for these is quicker than replacing them. */
function escaped(value: string, place: Place): string {
  const text = place === 'content' ? escapeHtmlContent(value) : escapeHtml(value);
  return text.includes('::') ? text.replace(atLineStart, '$1&#58;') : text;
}
