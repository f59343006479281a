import type { DirectoryEntry } from '#schemas/types/host.ts';
import type { ReadPlace } from '#stdlib/files/text-decoding.ts';
import { globMatcher } from '#stdlib/files/glob.ts';
import { isOutOfReach, walk } from '#stdlib/files/walk.ts';

import type { LineMatcher } from './line-matcher.ts';
import { matchingLines } from './matching-lines.ts';
import { shortened } from './shortened.ts';

export interface Hit {
  readonly path: string;
  /** Number of the line, from 1. */
  readonly line: number;
  readonly text: string;
}

export interface Grep {
  readonly matcher: LineMatcher;
  readonly glob: string | null;
  /** Most characters of a line that are shown. */
  readonly longest: number;
}

/**
 * The lines below a folder that fit, one after the other as files are read, folder by folder in order. A file
 * that may not be read has none.
 */
export async function* hitsBelow(
  place: ReadPlace,
  root: string,
  { matcher, glob, longest }: Grep,
): AsyncGenerator<Hit, void> {
  const fits = glob === null ? () => true : globMatcher(glob);
  const only = ({ name, kind }: DirectoryEntry): boolean => kind === 'file' && fits(name);
  for await (const { path } of walk(place.files, root, { signal: place.signal, skipsUnreadable: true, only })) {
    try {
      for await (const { line, text } of matchingLines(place, path, matcher))
        yield { path, line, text: shortened(text, longest) };
    } catch (error) {
      if (!isOutOfReach(error)) throw error;
    }
  }
}
