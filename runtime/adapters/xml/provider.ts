import { DOMParser, onErrorStopParsing, type Element } from '@xmldom/xmldom';

import type { Provider } from '#runtime/kernel/ports.ts';

import type { XmlElement } from './port.ts';

/** Answers of services nest a handful of levels. */
const DEEPEST = 64;

export const provider: Provider<'xml'> = { open: () => ({ read }) };

function read(text: string): XmlElement | string {
  if (/<!DOCTYPE/i.test(text)) return 'it has a document type';
  try {
    const root = new DOMParser({ onError: onErrorStopParsing }).parseFromString(text, 'text/xml').documentElement;
    return root ? elementOf(root, DEEPEST) : 'it has no element';
  } catch (error) {
    return error instanceof Error ? reasonOf(error.message) : String(error);
  }
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
