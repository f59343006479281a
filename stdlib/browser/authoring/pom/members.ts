import { finder, type Found } from './found-by.ts';
import { namesOf } from './names.ts';
import { attribute, typeOf, usedOf, type PageElement } from './page-element.ts';

/** Action of a user on an element. */
export type Deed = 'type' | 'set' | 'select' | 'choose' | 'upload' | 'click';

/** An element of a page object: its names, how it is found, and what is done with it. */
export interface Member extends Found {
  readonly constant: string;
  readonly method: string;
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
 * Members for what people use on a page, in document order. Elements that nothing steady tells apart are left out, and
 * so are hidden inputs.
 */
export function membersOf(elements: readonly PageElement[]): readonly Member[] {
  const once = withoutRepeatedLinks(elements);
  const find = finder(once);
  const used = usedOf(once).flatMap((element) => {
    const found = find(element);
    return found ? [{ element, found, deed: deedOf(element) }] : [];
  });
  const [constants, methods] = [new Map<string, number>(), new Map<string, number>()];
  return namesOf(used).flatMap((name, at) => {
    const { found, deed } = used[at] ?? {};
    if (!found || !deed) return [];
    return [
      {
        ...found,
        deed,
        constant: unique(constants, identifier(name.toUpperCase())),
        method: unique(methods, `${prefixes[deed]}${name.toLowerCase()}`),
      },
    ];
  });
}

/** Elements that people use and that nothing steady tells apart. */
export function looseOf(elements: readonly PageElement[]): readonly PageElement[] {
  const once = withoutRepeatedLinks(elements);
  const find = finder(once);
  return usedOf(once).filter((element) => find(element) === undefined);
}

/** Links with the same words to the same address do the same: the first stands for all. */
function withoutRepeatedLinks(elements: readonly PageElement[]): readonly PageElement[] {
  const seen = new Set<string>();
  return elements.filter((element) => {
    const address = attribute(element, 'href');
    if (element.tag !== 'a' || address === undefined || element.text === '') return true;
    const link = `${element.text}\n${address}`;
    const isNew = !seen.has(link);
    seen.add(link);
    return isNew;
  });
}

function deedOf(element: PageElement): Deed {
  if (element.tag === 'select') return 'select';
  if (element.tag === 'textarea') return 'type';
  if (element.tag !== 'input') return 'click';
  const type = typeOf(element);
  return special[type] ?? (typed.has(type) ? 'type' : 'click');
}

function identifier(name: string): string {
  return /^\p{ID_Start}/u.test(name) ? name : `_${name}`;
}

/** A name that was given before gets `_2`, `_3` and so on. */
function unique(given: Map<string, number>, name: string): string {
  const count = (given.get(name) ?? 0) + 1;
  given.set(name, count);
  return count === 1 ? name : unique(given, `${name}_${count}`);
}
