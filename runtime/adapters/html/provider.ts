import { addAll } from '#grammar/source/add-all.ts';
import { parse } from 'parse5';

import { pressedRoles } from '#grammar/markup/pressed-roles.ts';
import type { Provider } from '#runtime/kernel/ports.ts';

/** HTML as browsers read it, whatever is wrong with it. */
export interface Html {
  /** All elements in document order, those of templates too. */
  elements(text: string): readonly HtmlElement[];
}

export interface HtmlElement {
  /** Name in small letters. */
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Text of what people press and all inside it, blanks joined; empty for other elements. */
  readonly text: string;
  /**
   * Text of the labels of a field, or of the elements that `aria-labelledby` names in their place, without what is
   * chosen or typed in them; empty where it has none.
   */
  readonly label: string;
  /** Row of a table, or item of a list, around it. `isNested`: a row of the same tag stands around that, or in it. */
  readonly row?: { readonly tag: string; readonly number: number; readonly isNested: boolean };
}

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly html: Html;
  }
}

export const provider: Provider<'html'> = { open: () => ({ elements }) };

/** Properties of the library's nodes that are read here. */
interface ParsedNode {
  readonly nodeName: string;
  readonly tagName?: string;
  readonly value?: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly ParsedNode[];
  readonly content?: ParsedNode;
  /** Text of a label, once it was read. */
  said?: string;
}

function elements(text: string): readonly HtmlElement[] {
  const found: (Omit<HtmlElement, 'row'> & Pick<Waiting, 'around'> & { readonly row?: OpenRow })[] = [];
  const labels = new Map<string, string>();
  const named = new Map<string, ParsedNode>();
  // A list in the place of calls: pages can be nested as deep as they like.
  const waiting: Waiting[] = [{ node: parse(text), around: undefined, row: undefined }];
  let rowCount = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, around, row } = next;
    const attributes = Object.fromEntries((node.attrs ?? []).map(({ name, value }) => [name, value]));
    const target = node.tagName === 'label' ? attributes['for'] : undefined;
    if (target !== undefined) labels.set(target, `${labels.get(target) ?? ''} ${labelText(node)}`.trim());
    const { id } = attributes;
    if (id !== undefined && !named.has(id)) named.set(id, node);
    if (node.tagName !== undefined)
      found.push({
        tag: node.tagName,
        attributes,
        text: textOf(node, attributes['role']),
        label: '',
        around,
        ...(row && { row }),
      });
    const inside = node.tagName === 'label' ? node : around;
    const within = rows.has(node.tagName ?? '') ? newRow(node.tagName ?? '', rowCount++, row) : row;
    const inOrder = childrenOf(node).map((child) => ({ node: child, around: inside, row: within }));
    addAll(waiting, inOrder.toReversed());
  }
  return found.map(({ around, row, ...element }) => ({
    ...element,
    ...(row && { row: { tag: row.tag, number: row.number, isNested: row.isNested } }),
    label: labelOf(element, around, { labels, named }),
  }));
}

interface Waiting {
  readonly node: ParsedNode;
  /** Label that it is inside of. */
  readonly around: ParsedNode | undefined;
  readonly row: OpenRow | undefined;
}

const rows: ReadonlySet<string> = new Set(['tr', 'li', 'article']);

/** A row that others may be found in. */
interface OpenRow {
  readonly tag: string;
  readonly number: number;
  readonly outer: OpenRow | undefined;
  isNested: boolean;
}

function newRow(tag: string, number: number, outer: OpenRow | undefined): OpenRow {
  const row: OpenRow = { tag, number, outer, isNested: false };
  let same = outer;
  while (same && same.tag !== tag) same = same.outer;
  // Those further out were marked when that one was found in them.
  if (same) row.isNested = same.isNested = true;
  return row;
}

const labelled: ReadonlySet<string> = new Set(['input', 'select', 'textarea']);

/** Texts of labels by the id of their field, and elements by their own. */
interface Named {
  readonly labels: ReadonlyMap<string, string>;
  readonly named: ReadonlyMap<string, ParsedNode>;
}

function labelOf(
  { tag, attributes }: Pick<HtmlElement, 'tag' | 'attributes'>,
  around: ParsedNode | undefined,
  { labels, named }: Named,
): string {
  if (!labelled.has(tag)) return '';
  const told = (attributes['aria-labelledby'] ?? '').split(/\s+/).map((id) => named.get(id));
  const text = told.flatMap((node) => (node ? [labelText(node)] : [])).join(' ');
  if (text !== '') return text;
  return labels.get(attributes['id'] ?? '') ?? (around ? labelText(around) : '');
}

function childrenOf({ childNodes = [], content }: ParsedNode): readonly ParsedNode[] {
  return content ? [...childNodes, content] : childNodes;
}

/** Texts that are asked for are those of labels and of what people press; a longer one is cut. */
const longestText = 200;

function textOf(whole: ParsedNode, role: string | undefined): string {
  return ['a', 'button', 'summary'].includes(whole.tagName ?? '') || pressedRoles.has(role ?? '')
    ? textIn(whole, none)
    : '';
}

const none: ReadonlySet<string> = new Set();
/** Contents of fields that are no words of the label around them. */
const contents: ReadonlySet<string> = new Set(['select', 'textarea', 'button']);

function labelText(label: ParsedNode): string {
  label.said ??= textIn(label, contents);
  return label.said;
}

function textIn(whole: ParsedNode, without: ReadonlySet<string>): string {
  let text = '';
  const waiting: ParsedNode[] = [whole];
  for (let node = waiting.pop(); node !== undefined && text.length <= longestText; node = waiting.pop()) {
    if (node.nodeName === '#text') text += node.value ?? '';
    if (!without.has(node.tagName ?? '')) addAll(waiting, childrenOf(node).toReversed());
  }
  return text.replace(/\s+/g, ' ').trim().slice(0, longestText);
}
