import { once } from '#grammar/language/once.ts';

import type { ParsedStorageUri } from './ast.ts';
import { scanStorageUri } from './scan.ts';

export type { ParsedStorageUri, StorageUri, StorageUriProblem } from './ast.ts';

/** The door of addresses of storage. The grammar is loaded only to say what is wrong with a text. */
const grammar = once(async () => (await import('./parser.ts')).makeStorageUriGrammar());

/** Loads the grammar if one of the texts needs it. */
export async function prepareStorageUri(texts: readonly string[]): Promise<void> {
  if (texts.some((text) => scanStorageUri(text) === undefined)) await grammar.load();
}

/** Reads an address. Never throws; without `prepareStorageUri` a problem is `unreadable` instead of exact. */
export function parseStorageUri(text: string): ParsedStorageUri {
  const uri = scanStorageUri(text);
  if (uri !== undefined) return { uri, problems: [] };
  return grammar.loaded?.(text) ?? { problems: [{ key: 'unreadable', from: 0, to: text.length }] };
}
