import { requireFolder } from '#stdlib/files/kind.ts';
import { hitsBelow, type Hit } from '#stdlib/files/local/grep/hits-below.ts';
import { lineMatcher } from '#stdlib/files/local/grep/line-matcher.ts';

import { lazily } from './lazily.ts';
import type { SessionOptions } from '#compiler/engine/unit-session.ts';
import { wanted } from '#compiler/engine/wanted.ts';

export type { Hit } from '#stdlib/files/local/grep/hits-below.ts';

/** Options that say what counts as a hit, and in which files. */
export interface GrepOptions extends SessionOptions {
  /** Only files whose base name matches this shell glob. */
  readonly glob?: string | null;
  /** The pattern is a regular expression; it runs under a time limit. */
  readonly regex?: boolean;
  /** False by default. */
  readonly ignore_case?: boolean;
  /** Longer lines are cut; 4096 characters by default. */
  readonly max_line_len?: number;
}

/** The lines below a folder that fit, one after the other as files are read, without a limit on their number. */
export async function* iter_grep(
  root: string,
  pattern: string,
  { glob, regex, ignore_case, max_line_len, ...options }: GrepOptions = {},
): AsyncGenerator<Hit, void> {
  const params = await wanted('FA_grep', { root, pattern, glob, regex, ignore_case, max_line_len });
  yield* lazily(
    'iter_grep',
    ['files', 'regex'],
    async function* (place) {
      const matcher = lineMatcher(place.regex, params);
      await requireFolder(place.files, root);
      yield* hitsBelow(place, root, { matcher, glob: params.glob, longest: params.max_line_len });
    },
    options,
  );
}
