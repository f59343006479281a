import type { Problem } from '#grammar/language/problem.ts';

/** Filter of `--tag` and `--exclude-tag`. Tags are compared as text, case-sensitive. */
export type TagFilter =
  | { readonly kind: 'tag'; readonly name: string }
  | { readonly kind: 'not'; readonly operand: TagFilter }
  | { readonly kind: 'and' | 'or'; readonly left: TagFilter; readonly right: TagFilter };

export type TagFilterProblemKey = 'empty' | 'unexpected' | 'incomplete' | 'text-not-closed' | 'too-deep' | 'unreadable';
export type TagFilterProblem = Problem<TagFilterProblemKey>;

export interface ParsedTagFilter {
  /** Absent where there is a problem. */
  readonly filter?: TagFilter;
  readonly problems: readonly TagFilterProblem[];
}

/** A tag that needs no quotes. */
export const TAG = String.raw`[^\s,|&!()"']+`;
export const MOST_DEPTH = 50;
/** Highest number of operators in a filter: a chain of them is as deep a tree, and whatever reads it calls itself. */
export const MOST_OPERATORS = 500;
/** Highest number of characters in a filter. */
export const MOST_CHARACTERS = 20_000;

/** The tags that a filter asks for: those behind `!` are missed by nobody. */
export function tagsIn(filter: TagFilter): readonly string[] {
  switch (filter.kind) {
    case 'tag':
      return [filter.name];
    case 'not':
      return [];
    case 'and':
    case 'or':
      return [...tagsIn(filter.left), ...tagsIn(filter.right)];
  }
}

/** Whether a set of tags fits. */
export function matchesTags(filter: TagFilter, tags: ReadonlySet<string>): boolean {
  switch (filter.kind) {
    case 'tag':
      return tags.has(filter.name);
    case 'not':
      return !matchesTags(filter.operand, tags);
    case 'and':
      return matchesTags(filter.left, tags) && matchesTags(filter.right, tags);
    case 'or':
      return matchesTags(filter.left, tags) || matchesTags(filter.right, tags);
  }
}
