/** Facts about an element of a page that are read. */
export interface PageElement {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Action of a user on an element. */
export type Deed = 'type' | 'set' | 'select' | 'choose' | 'upload' | 'click';

/** An element of a page object: its names, how it is found, and what is done with it. */
export interface Member {
  readonly constant: string;
  readonly method: string;
  readonly strategy: string;
  readonly value: string;
  readonly deed: Deed;
}

const prefixes: Readonly<Record<Deed, string>> = {
  type: 'input_to_',
  set: 'set_',
  select: 'select_in_',
  choose: 'choose_',
  upload: 'upload_to_',
  click: 'click_',
};
const typed = new Set([
  '',
  'text',
  'email',
  'password',
  'tel',
  'search',
  'url',
  'number',
  'date',
  'time',
  'month',
  'week',
  'datetime-local',
]);
const special: Readonly<Record<string, Deed>> = { checkbox: 'set', radio: 'choose', file: 'upload' };

/**
 * Members for what people use on a page, in document order. Elements that nothing tells apart are left out, and so are
 * hidden inputs.
 */
export function membersOf(elements: readonly PageElement[]): readonly Member[] {
  const [constants, methods] = [new Map<string, number>(), new Map<string, number>()];
  return elements.flatMap((element) => {
    if (!['input', 'select', 'textarea', 'button', 'a'].includes(element.tag) || typeOf(element) === 'hidden')
      return [];
    const locator = locatorOf(element);
    if (!locator) return [];
    const base = baseOf(element);
    const deed = deedOf(element);
    return [
      {
        ...locator,
        deed,
        constant: unique(constants, identifier(base.toUpperCase())),
        method: unique(methods, `${prefixes[deed]}${identifier(base.toLowerCase()).replace(/^_(?=\d)/, '')}`),
      },
    ];
  });
}

function deedOf(element: PageElement): Deed {
  if (element.tag === 'select') return 'select';
  if (element.tag === 'textarea') return 'type';
  if (element.tag !== 'input') return 'click';
  const type = typeOf(element);
  return special[type] ?? (typed.has(type) ? 'type' : 'click');
}

function locatorOf({ tag, attributes, text }: PageElement): Pick<Member, 'strategy' | 'value'> | undefined {
  const id = given(attributes['id']);
  if (id !== undefined) return { strategy: 'ID', value: id };
  const name = given(attributes['name']);
  if (name !== undefined) return { strategy: 'NAME', value: name };
  const [first] = classesOf(attributes);
  if (first !== undefined) return { strategy: 'CLASS_NAME', value: first };
  if (text === '') return undefined;
  if (tag === 'a') return { strategy: 'LINK_TEXT', value: text };
  return { strategy: 'XPATH', value: `//${tag}[normalize-space()=${xpathText(text)}]` };
}

function baseOf({ tag, attributes, text }: PageElement): string {
  const candidates = [
    attributes['id'],
    attributes['name'],
    text,
    attributes['placeholder'],
    attributes['href'],
    classesOf(attributes)[0],
  ];
  return candidates.map(words).find((name) => name !== '') ?? tag;
}

/** Letters and digits of a text, joined by single underscores. */
function words(text: string | undefined): string {
  return (text ?? '').replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, '');
}

function identifier(name: string): string {
  return /^\d/.test(name) ? `_${name}` : name;
}

/** A name that was given before gets `_2`, `_3` and so on. */
function unique(given: Map<string, number>, name: string): string {
  const count = (given.get(name) ?? 0) + 1;
  given.set(name, count);
  return count === 1 ? name : unique(given, `${name}_${count}`);
}

function typeOf({ attributes }: PageElement): string {
  return (attributes['type'] ?? '').trim().toLowerCase();
}

function classesOf(attributes: PageElement['attributes']): readonly string[] {
  return (attributes['class'] ?? '').split(/\s+/).filter((name) => name !== '');
}

function given(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value;
}

function xpathText(text: string): string {
  if (!text.includes('"')) return `"${text}"`;
  return `concat(${text
    .split('"')
    .map((part) => `"${part}"`)
    .join(`, '"', `)})`;
}
