import { pathMatcher } from '#stdlib/files/glob.ts';

import { parentOf } from './tree-plan.ts';

/** Globs as `FA_sync_dir` takes them. */
export type Globs = string | readonly string[] | null;

/**
 * Part of both trees that a synchronization is about. What is not in it is neither copied nor deleted, nor replaced.
 */
export interface Selection {
  /** Whether a file takes part; or whether something in a folder may. */
  takes(name: string, isFolder: boolean): boolean;
  /** Whether a folder takes part itself, and not only for what may be in it. */
  takesWhole(folder: string): boolean;
}

/** Takes everything. */
export const everything: Selection = { takes: () => true, takesWhole: () => true };

/**
 * Selects what a glob of `include` names, all when there is none, with everything in the folders that are named so;
 * but nothing that a glob of `exclude` names, and nothing in such a folder.
 */
export function selectionOf(include: Globs, exclude: Globs): Selection {
  if (include === null && exclude === null) return everything;
  const includes = include === null ? () => true : matcherOf(include);
  const excludes = exclude === null ? () => false : matcherOf(exclude);
  return new Selected(includes, excludes, include === null ? 'whole' : 'open');
}

type Standing = 'whole' | 'open' | 'out';
type Matcher = (name: string, isFolder: boolean) => boolean;

class Selected implements Selection {
  readonly #includes: Matcher;
  readonly #excludes: Matcher;
  /** Folders that were asked for: each is matched once. */
  readonly #folders: Map<string, Standing>;

  constructor(includes: Matcher, excludes: Matcher, root: Standing) {
    this.#includes = includes;
    this.#excludes = excludes;
    this.#folders = new Map([['', root]]);
  }

  takes(name: string, isFolder: boolean): boolean {
    return isFolder ? this.#folder(name) !== 'out' : this.#below(this.#folder(parentOf(name)), name, false) === 'whole';
  }

  takesWhole(folder: string): boolean {
    return this.#folder(folder) === 'whole';
  }

  /** Folders above come first; names of storage may be deeper than calls can nest. */
  #folder(name: string): Standing {
    const unknown: string[] = [];
    let above = name;
    for (; !this.#folders.has(above); above = parentOf(above)) unknown.push(above);
    let standing = this.#folders.get(above) ?? 'out';
    for (const folder of unknown.reverse()) {
      standing = this.#below(standing, folder, true);
      this.#folders.set(folder, standing);
    }
    return standing;
  }

  #below(above: Standing, name: string, isFolder: boolean): Standing {
    if (above === 'out' || this.#excludes(name, isFolder)) return 'out';
    return above === 'whole' || this.#includes(name, isFolder) ? 'whole' : 'open';
  }
}

/** Matches names that fit one of some globs. One with a slash at its end is for folders. */
function matcherOf(globs: string | readonly string[]): Matcher {
  const all = [globs].flat();
  const matchers = all.map((glob) => ({ fits: pathMatcher(glob.replace(/\/$/, '')), onlyFolders: glob.endsWith('/') }));
  return (name, isFolder) => matchers.some(({ fits, onlyFolders }) => (isFolder || !onlyFolders) && fits(name));
}
