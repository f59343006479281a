import { xpathText } from '#grammar/selector/xpath-text.ts';

import { words } from './names.ts';
import { attribute, roleOf, type PageElement } from './page-element.ts';

/** Method for what each row of a table or item of a list repeats, told which row by a text of it. */
export interface RowMember {
  readonly constant: string;
  readonly method: string;
  /** Tag of the row. */
  readonly row: string;
  /** XPath from the row on. */
  readonly path: string;
  /** Elements of the page that it stands for. */
  readonly count: number;
}

interface Pressed {
  readonly tag: string;
  readonly said: string;
  readonly byLabel: boolean;
}

/**
 * Members for elements of rows that nothing tells apart but the row they stand in: the same words, once in each of
 * several rows. `loose`: elements that have no member of their own.
 */
export function rowMembersOf(loose: readonly PageElement[]): readonly RowMember[] {
  const groups = Map.groupBy(loose.filter(isPlain), (element) => JSON.stringify(pressedOf(element)));
  const given = new Set<string>();
  return [...groups].flatMap(([key, group]) => {
    const { row, tag, said, byLabel } = JSON.parse(key) as Pressed & {
      readonly row: string;
    };
    const places = new Set(group.map((element) => element.row?.number));
    const name = words(said).toLowerCase();
    if (places.size < 2 || places.size < group.length || name === '' || given.has(name)) return [];
    given.add(name);
    const test = byLabel ? '@aria-label' : 'normalize-space()';
    return [
      {
        constant: /^\p{ID_Start}/u.test(name) ? name.toUpperCase() : `_${name.toUpperCase()}`,
        method: `click_${name}_of`,
        row,
        path: `//${tag}[${test}=${xpathText(said)}]`,
        count: group.length,
      },
    ];
  });
}

/** In a row that holds no other row, and pressed by its words. */
function isPlain(element: PageElement): boolean {
  return (
    element.row !== undefined &&
    !element.row.isNested &&
    pressedOf(element).said !== '' &&
    roleOf(element) !== undefined
  );
}

function pressedOf(element: PageElement): Pressed & { readonly row: string } {
  const label = attribute(element, 'aria-label');
  return {
    row: element.row?.tag ?? '',
    tag: element.tag,
    said: label ?? element.text,
    byLabel: label !== undefined,
  };
}
