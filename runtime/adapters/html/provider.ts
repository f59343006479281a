import { parse } from 'parse5';

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
  /** Text of the element and all inside it, blanks joined. */
  readonly text: string;
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
}

function elements(text: string): readonly HtmlElement[] {
  const found: HtmlElement[] = [];
  // A list in the place of calls: pages can be nested as deep as they like.
  const waiting: ParsedNode[] = [parse(text)];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.tagName !== undefined)
      found.push({
        tag: node.tagName,
        attributes: Object.fromEntries((node.attrs ?? []).map(({ name, value }) => [name, value])),
        text: textOf(node),
      });
    waiting.push(...childrenOf(node).toReversed());
  }
  return found;
}

function childrenOf({ childNodes = [], content }: ParsedNode): readonly ParsedNode[] {
  return content ? [...childNodes, content] : childNodes;
}

/** Texts that are asked for are those of links and buttons; a longer one is cut. */
const longestText = 200;

function textOf(whole: ParsedNode): string {
  if (!['a', 'button'].includes(whole.tagName ?? '')) return '';
  let text = '';
  const waiting: ParsedNode[] = [whole];
  for (let node = waiting.pop(); node !== undefined && text.length <= longestText; node = waiting.pop()) {
    if (node.nodeName === '#text') text += node.value ?? '';
    waiting.push(...childrenOf(node).toReversed());
  }
  return text.replace(/\s+/g, ' ').trim().slice(0, longestText);
}
