import type { Label } from '#schemas/types/diagnostic.ts';
import type { Json } from '#schemas/types/json.ts';
import type { Route, SourceId, Span } from '#schemas/types/place.ts';

/**
 * An action file, a configuration or a dataset as read: a plain value, and its places when somebody asks. Values are
 * never mutated. The value behind several YAML aliases is one object that several routes lead to.
 */
export interface Document {
  readonly source: SourceId;
  readonly format: 'json' | 'yaml';
  /** The text that all offsets count in: without the byte order mark. */
  readonly text: string;
  readonly hadByteOrderMark: boolean;
  readonly value: Json;
  /**
   * The range of the text where a label points. Behind an alias: where the anchor stands. A route that leads nowhere,
   * or to something that an overlay has added, yields the range of its nearest ancestor that is in the text. A `key` of
   * a list element is its value. Never throws.
   */
  spanAt(route: Route, part?: Label['part']): Span;
  /**
   * The route of the innermost value whose key or value holds the offset; an empty route where only the document does.
   */
  routeAt(offset: number): Route;
  /** All comments, in order. JSON has none. */
  comments(): readonly Comment[];
  /** Whether the route leads through a YAML alias, so that its text stands elsewhere. */
  isAliased(route: Route): boolean;
  /** Whether a reading error was reported at this value or above it: later phases say nothing about it. */
  isPoisoned(route: Route): boolean;
}

export interface Comment {
  /** Span from `#` to the end of the line. */
  readonly span: Span;
  /** Text behind the `#`, trimmed. */
  readonly text: string;
  /** Whether it has a line of its own; else it stands behind something. */
  readonly ownLine: boolean;
}
