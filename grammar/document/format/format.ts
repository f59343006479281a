import { readDocument } from '../read.ts';
import { isSameValue } from '../route.ts';
import type { TextDocument } from '../text-document.ts';
import { formatJson } from './json.ts';
import { formatYaml } from './yaml.ts';

/** Characters of a line, unless another width is asked for. */
export const LINE_WIDTH = 120;

/**
 * The text of a document in the one style, with a line break at the end. Values, comments and their order stay; a
 * second run changes nothing. Lines end as the first one of the file does.
 */
export async function formatDocument(document: TextDocument, width: number = LINE_WIDTH): Promise<string> {
  const isWindows = /^[^\n\r]*\r\n/.test(document.text);
  const plain = document.text.includes('\r')
    ? await again(document, document.text.replaceAll(/\r\n?/g, '\n'))
    : document;
  const text = plain.format === 'json' ? formatJson(plain, width) : formatYaml(plain, width);
  if (text === document.text) return text;
  const after = await again(document, text);
  if (!isSameValue(after.value, document.value) || !hasSameComments(after, plain))
    throw new Error(`the layout of ${document.source} would change what it says`);
  return isWindows ? text.replaceAll('\n', '\r\n') : text;
}

async function again({ source, format, limits }: TextDocument, text: string): Promise<TextDocument> {
  const { document } = await readDocument(text, { source, format, limits: { ...limits, bytes: Infinity } });
  if (document === undefined) throw new Error(`the layout of ${source} cannot be read`);
  return document;
}

function hasSameComments(one: TextDocument, other: TextDocument): boolean {
  const [ours, theirs] = [one.comments(), other.comments()];
  return ours.length === theirs.length && ours.every(({ text }, index) => text === theirs[index]?.text);
}
