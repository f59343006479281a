/** Facts about an element of a page that are read. */
export interface PageElement {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  /** Text of the labels of a field; empty where it has none. */
  readonly label?: string;
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
  const count = counter(elements);
  return elements.flatMap((element) => {
    if (!['input', 'select', 'textarea', 'button', 'a'].includes(element.tag) || typeOf(element) === 'hidden')
      return [];
    const locator = locatorOf(element, count);
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

type Found = Pick<Member, 'strategy' | 'value'>;

/** Number of elements of the page that have a fact, such as a name, with this value. */
type Count = (fact: 'name' | 'class' | 'label' | 'text', value: string) => number;

function counter(elements: readonly PageElement[]): Count {
  const counts = new Map<string, number>();
  const add = (fact: string, value: string | undefined): void => {
    if (value !== undefined) counts.set(`${fact} ${value}`, (counts.get(`${fact} ${value}`) ?? 0) + 1);
  };
  for (const { attributes, label, text, tag } of elements) {
    add('name', attributes['name']);
    for (const name of new Set(classesOf(attributes))) add('class', name);
    add('label', label);
    add('text', `${tag} ${text}`);
  }
  return (fact, value) => counts.get(`${fact} ${value}`) ?? 0;
}

/** The way to find an element that is most likely to find it, and no other, when the page has been made anew. */
function locatorOf(element: PageElement, count: Count): Found | undefined {
  const { tag, attributes, text, label } = element;
  const id = given(attributes['id']);
  if (id !== undefined && !isMade(id)) return { strategy: 'ID', value: id };
  const name = given(attributes['name']);
  const choice = name !== undefined && choiceOf(element, name, count);
  if (choice) return choice;
  if (name !== undefined && count('name', name) === 1) return { strategy: 'NAME', value: name };
  const test = given(attributes['data-testid']);
  if (test !== undefined) return { strategy: 'TEST_ID', value: test };
  if (label !== undefined && label !== '' && count('label', label) === 1)
    return { strategy: 'LABEL', value: JSON.stringify(label) };
  const [first] = classesOf(attributes).filter((each) => count('class', each) === 1);
  if (first !== undefined) return { strategy: 'CLASS_NAME', value: first };
  const spoken = given(attributes['aria-label']) ?? (isButton(element) ? given(attributes['value']) : undefined);
  if (spoken !== undefined && (isButton(element) || tag === 'a'))
    return { strategy: 'ROLE', value: `${tag === 'a' ? 'link' : 'button'}[name=${JSON.stringify(spoken)}]` };
  if (spoken !== undefined) return { strategy: 'LABEL', value: JSON.stringify(spoken) };
  const placeholder = given(attributes['placeholder']);
  if (placeholder !== undefined) return { strategy: 'PLACEHOLDER', value: JSON.stringify(placeholder) };
  if (text !== '') return byText(tag, text);
  const last = name === undefined ? undefined : { strategy: 'NAME', value: name };
  return last ?? (id === undefined ? undefined : { strategy: 'ID', value: id });
}

/** One of several radio buttons or boxes that share a name. */
function choiceOf({ tag, attributes }: PageElement, name: string, count: Count): Found | undefined {
  const value = given(attributes['value']);
  if (tag !== 'input' || value === undefined || count('name', name) === 1) return undefined;
  return { strategy: 'CSS_SELECTOR', value: `input[name=${cssText(name)}][value=${cssText(value)}]` };
}

function byText(tag: string, text: string): Found {
  if (tag === 'a') return { strategy: 'LINK_TEXT', value: text };
  return { strategy: 'XPATH', value: `//${tag}[normalize-space()=${xpathText(text)}]` };
}

/** Words that a person would use: an id of a person's, then what the page shows, then what its code says. */
function baseOf(element: PageElement): string {
  const { tag, attributes, text, label } = element;
  const id = attributes['id'];
  const made = id !== undefined && isMade(id);
  const candidates = [
    made ? undefined : id,
    label,
    attributes['aria-label'],
    isButton(element) ? attributes['value'] : undefined,
    ...(text === ''
      ? [attributes['placeholder'], attributes['data-testid'], attributes['name']]
      : [attributes['name'], text]),
    attributes['title'],
    attributes['placeholder'],
    attributes['data-testid'],
    attributes['href'],
    classesOf(attributes)[0],
    id,
  ];
  return candidates.map(words).find((name) => name !== '') ?? tag;
}

/** Names of frameworks with a number behind them, and what has the look of a digest: another one at each load. */
const framework =
  /^(?:ember|mui|mat|cdk|radix|react|headlessui|ui-id|ext-gen|ext-comp|yui|fld|downshift|rc|el-id|gwt-uid|j_idt|vaadin|tippy|chakra|mantine|__BVID__|v)\b.*\d|^(?:ember|fld|yui|j_idt|ext-gen|__BVID__)[-_]*\d|^(?:input|field|checkbox|select|button|control|id)-\d+$/i;

/** An id that a program made. */
function isMade(id: string): boolean {
  return /[:«»]/.test(id) || framework.test(id) || (/^[0-9a-f-]{8,}$/i.test(id) && /\d/.test(id));
}

function isButton(element: PageElement): boolean {
  return element.tag === 'button' || (element.tag === 'input' && /^(?:submit|button|reset)$/.test(typeOf(element)));
}

/** The most characters of a name: longer texts end at a word. */
const longestName = 40;

/** Letters and digits of a text, joined by single underscores; accents fall away. */
function words(text: string | undefined): string {
  const plain = (text ?? '').normalize('NFKD').replace(/\p{M}/gu, '').replace(/ß/g, 'ss');
  const name = plain.replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, '');
  return name.length <= longestName
    ? name
    : name
        .slice(0, longestName + 1)
        .replace(/_[^_]*$/, '')
        .slice(0, longestName);
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

function cssText(text: string): string {
  return `"${text.replace(/["\\\n]/g, (found) => (found === '\n' ? '\\a ' : `\\${found}`))}"`;
}

function xpathText(text: string): string {
  if (!text.includes('"')) return `"${text}"`;
  return `concat(${text
    .split('"')
    .map((part) => `"${part}"`)
    .join(`, '"', `)})`;
}
