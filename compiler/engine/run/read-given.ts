import { resolve } from 'node:path';

import type { Source } from '#compiler/api.ts';
import { isBelow, ReadRefused } from '#compiler/reader.ts';
import { reasonOf } from '#runtime/program/reason.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { SourceGiven } from '#schemas/types/service.ts';

import type { Project } from '../project.ts';

/** Files below the project root, as given or as they are on the disk. Fails for others, and for unreadable ones. */
export function readGiven(
  sources: readonly SourceGiven[],
  { root, reader }: Pick<Project, 'root' | 'reader'>,
): Promise<readonly Source[]> {
  return Promise.all(
    sources.map(async ({ path, content }): Promise<Source> => {
      const file = resolve(root, path);
      if (!isBelow(file, root)) throw fail.inputOutside({ path });
      if (content !== undefined) return { path: file, content };
      try {
        return { path: file, content: await reader.read(file) };
      } catch (cause) {
        if (cause instanceof ReadRefused && cause.why === 'outside') throw fail.inputOutside({ path, cause });
        throw fail.inputUnreadable({ path, reason: reasonOf(cause), cause });
      }
    }),
  );
}
