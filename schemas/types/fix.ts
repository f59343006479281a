import type { Json } from './json.ts';
import type { Route, Span } from './place.ts';

/** A change of the source that mends a finding. Safe: behaviour stays what the author meant. */
export interface Fix {
  readonly title: string;
  readonly safety: 'safe' | 'unsafe';
  readonly operations: readonly TreeOperation[];
}

/**
 * One change of a document, said by route. `grammar/document/edit/edit.ts` makes text edits of it that keep comments
 * and layout; `grammar/document/edit/overlay.ts` lays it over a tree. Routes of one batch all speak of the tree before
 * the batch.
 */
export type TreeOperation =
  | { readonly kind: 'replace'; readonly route: Route; readonly value: Json }
  | { readonly kind: 'rename-key'; readonly route: Route; readonly key: string }
  | { readonly kind: 'remove'; readonly route: Route }
  /**
   * Adds a key to the object, or an element to the list, that `route` names (`key` a string, or the index to stand at).
   */
  | { readonly kind: 'insert'; readonly route: Route; readonly key: string | number; readonly value: Json }
  /** Moves a value with its text to become `key` of the object that `to` names. */
  | { readonly kind: 'move'; readonly route: Route; readonly to: Route; readonly key: string | number }
  /** Replaces part of a text value, by UTF-16 offsets in the value. */
  | {
      readonly kind: 'replace-text';
      readonly route: Route;
      readonly from: number;
      readonly to: number;
      readonly text: string;
    }
  /** Changes the file's own text (a comment, say), where no route leads. */
  | { readonly kind: 'edit-text'; readonly span: Span; readonly text: string };

/** A change of a text, by UTF-16 offsets in it. */
export interface TextEdit {
  readonly span: Span;
  readonly text: string;
}
