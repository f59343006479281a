import { isMade, isSteadyClass } from './made-names.ts';
import { attribute, classesOf, roleOf, type PageElement } from './page-element.ts';

/** The most characters of a name: longer texts end at a word. */
const longestName = 40;

/** Words that only say in the code what kind of thing it is. */
const kinds: Readonly<Record<string, RegExp>> = {
  type: /^(?:txt|inp|input|fld|field|textbox|textfield)$/i,
  set: /^(?:chk|cb|cbx|checkbox)$/i,
  choose: /^(?:rb|rdo|radio)$/i,
  select: /^(?:sel|select|ddl|dropdown|combo|combobox)$/i,
  upload: /^(?:upload|inp|input|fileinput)$/i,
  click: /^(?:btn|button|lnk)$/i,
};

/**
 * Names of elements of which is known what is done with them, as a person would choose them: the words of an id that a
 * person gave, then what the page shows, then what its code says. Elements that would share a name are named by what
 * tells them apart, where there is such: a number behind a name means another one as soon as the page gets one more.
 */
export function namesOf(used: readonly { readonly element: PageElement; readonly deed: string }[]): readonly string[] {
  const candidates = used.map(({ element, deed }) => candidatesOf(element, kinds[deed] ?? /^$/));
  const names = candidates.map(([first]) => first ?? '');
  for (const [name, places] of Map.groupBy(names.keys(), (at) => names[at] ?? '')) {
    if (places.length === 1) continue;
    const others = new Set(names.filter((each) => each !== name));
    const better = candidates[places[0] ?? 0]?.map((_, at) => places.map((place) => candidates[place]?.[at] ?? ''));
    const apart = better?.find(
      (each) => new Set(each).size === each.length && each.every((one) => one !== '' && !others.has(one)),
    );
    for (const [at, place] of places.entries()) names[place] = apart?.[at] ?? name;
  }
  return names;
}

function candidatesOf(element: PageElement, kind: RegExp): readonly string[] {
  const code = (name: string): string => {
    const value = attribute(element, name);
    return value === undefined || isMade(value) ? '' : withoutKind(words(apartByCase(value)), kind);
  };
  const shown = (name: string): string => words(attribute(element, name) ?? '');
  const id = code('id');
  const found = [
    // A letter alone says nothing to a person.
    /^[a-z]$/.test(id) ? '' : id,
    words(element.label ?? ''),
    shown('aria-label'),
    roleOf(element) === 'button' && element.tag === 'input' ? shown('value') : '',
    words(element.text),
    shown('placeholder'),
    code('data-testid'),
    code('name'),
    joined(code('name'), code('value')),
    shown('title'),
    id,
    words((attribute(element, 'href') ?? '').replace(/^\w+:\/\//, '')),
    words(classesOf(element).find(isSteadyClass) ?? ''),
  ];
  const first = found.find((name) => /\p{L}/u.test(name)) ?? found.find((name) => name !== '') ?? element.tag;
  return [first, ...found];
}

function joined(one: string, other: string): string {
  return one === '' || other === '' ? '' : `${one}_${other}`;
}

/** `customerNumber` as two words. */
function apartByCase(name: string): string {
  return name.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1_$2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1_$2');
}

function withoutKind(name: string, kind: RegExp): string {
  const all = name.split('_');
  const [first = '', last = ''] = [all[0], all.at(-1)];
  const rest = kind.test(first) ? all.slice(1) : kind.test(last) ? all.slice(0, -1) : all;
  return rest.some((word) => /\p{L}/u.test(word)) ? rest.join('_') : name;
}

/** Letters and digits of a text, joined by single underscores; accents of Latin letters fall away. */
export function words(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .replace(/ß/g, 'ss')
    .normalize('NFC');
  const name = plain.replace(/(?:\P{ID_Continue}|_)+/gu, '_').replace(/^_+|_+$/g, '');
  return name.length <= longestName
    ? name
    : name
        .slice(0, longestName + 1)
        .replace(/_[^_]*$/, '')
        .slice(0, longestName);
}
