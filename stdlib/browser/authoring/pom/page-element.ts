import { pressedRoles } from '#grammar/markup/pressed-roles.ts';

/** Facts about an element of a page that are read. */
export interface PageElement {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  /** Text of the labels of a field; empty where it has none. */
  readonly label?: string;
  /** Row of a table, or item of a list, that it stands in. */
  readonly row?: Row;
}

/** A row, by its tag and its number on the page. `isNested`: it stands in a row of the same tag, or one in it. */
export interface Row {
  readonly tag: string;
  readonly number: number;
  readonly isNested: boolean;
}

/** Undefined where there is none, or only blanks. */
export function attribute({ attributes }: PageElement, name: string): string | undefined {
  const value = attributes[name];
  return value === undefined || value.trim() === '' ? undefined : value;
}

export function typeOf({ attributes }: PageElement): string {
  return (attributes['type'] ?? '').trim().toLowerCase();
}

export function classesOf({ attributes }: PageElement): readonly string[] {
  return (attributes['class'] ?? '').split(/\s+/).filter((name) => name !== '');
}

/** The role by which a name finds the element, where people press it. */
export function roleOf(element: PageElement): string | undefined {
  const own = attribute(element, 'role');
  if (own !== undefined && pressedRoles.has(own)) return own;
  if (element.tag === 'a') return 'link';
  const isButton =
    element.tag === 'button' || (element.tag === 'input' && /^(?:submit|button|reset)$/.test(typeOf(element)));
  return isButton ? 'button' : undefined;
}

/** Elements that people use, in document order. */
export function usedOf(elements: readonly PageElement[]): readonly PageElement[] {
  return elements.filter(
    (element) =>
      (['input', 'select', 'textarea', 'button', 'a', 'summary'].includes(element.tag) &&
        typeOf(element) !== 'hidden') ||
      pressedRoles.has(attribute(element, 'role') ?? ''),
  );
}
