import { DOMParser, onErrorStopParsing, XMLSerializer, type Document, type Element, type Node } from '@xmldom/xmldom';

import type { Provider } from '#runtime/kernel/ports.ts';

import type { XmlElement, XmlPart } from './port.ts';

/** Answers of services nest a handful of levels. */
const DEEPEST = 64;

export const provider: Provider<'xml'> = {
  open: () => ({
    read: (text) =>
      ofDocument(text, ({ documentElement: root }) => (root ? elementOf(root, DEEPEST) : 'it has no element')),
    parts: (text) =>
      ofDocument(text, (document) => (document.documentElement ? partsOf(document, DEEPEST) : 'it has no element')),
  }),
};

function ofDocument<Read>(text: string, read: (document: Document) => Read | string): Read | string {
  if (/<!DOCTYPE/i.test(text)) return 'it has a document type';
  try {
    return read(new DOMParser({ onError: onErrorStopParsing }).parseFromString(text, 'text/xml'));
  } catch (error) {
    return error instanceof Error ? reasonOf(error.message) : String(error);
  }
}

function partsOf(parent: Node, depth: number): XmlPart[] {
  if (depth === 0) throw new Error(`it nests deeper than ${DEEPEST} levels`);
  const parts: XmlPart[] = [];
  for (let node = parent.firstChild; node !== null; node = node.nextSibling)
    if (node.nodeType === 1) {
      const { nodeName: name, attributes } = node as Element;
      const named = Array.from(attributes, (one) => [one.nodeName, one.value] as const);
      parts.push({ kind: 'element', name, attributes: Object.fromEntries(named), parts: partsOf(node, depth - 1) });
    } else if (node.nodeType === 3 || node.nodeType === 4) parts.push({ kind: 'text', text: node.nodeValue ?? '' });
    else parts.push({ kind: 'other', written: new XMLSerializer().serializeToString(node) });
  return parts;
}

/** The first line of a message, without the words that the reader puts around what it found. */
function reasonOf(message: string): string {
  const line = message.replace(/^Reporting \w+ "(.*)" caused \w+\.?$/s, '$1');
  return line.split('\n', 1)[0] ?? '';
}

function elementOf(element: Element, depth: number): XmlElement {
  if (depth === 0) throw new Error(`it nests deeper than ${DEEPEST} levels`);
  const children: XmlElement[] = [];
  for (let node = element.firstChild; node !== null; node = node.nextSibling)
    if (node.nodeType === 1) children.push(elementOf(node as Element, depth - 1));
  return {
    name: element.localName ?? element.nodeName,
    namespace: element.namespaceURI ?? '',
    attributes: Object.fromEntries(
      Array.from(element.attributes, ({ localName, nodeName, value }) => [localName ?? nodeName, value]),
    ),
    children,
    text: element.textContent ?? '',
  };
}
