import { turn } from './left-rejections.ts';
import type { Namespace } from './member.ts';

/** Exports of a module, in a wrapper that nobody takes for a promise: a module may export `then`. */
export interface Opened {
  readonly namespace: Namespace;
  /** Its members are commands by their whole names. */
  readonly isPlugin?: true;
}

/**
 * Imports by a module of one line, for the namespace itself is what `await` asks for its `then`. A promise that the
 * module left alone is told of before the module is there.
 */
export async function importWhole(address: string): Promise<Opened> {
  const text = `export * as namespace from ${JSON.stringify(address)};`;
  const opened = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as Opened;
  await turn();
  return opened;
}
