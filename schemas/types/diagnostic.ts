import type { Fix } from './fix.ts';
import type { JsonObject } from './json.ts';
import type { Position, Route, SourceId, Span } from './place.ts';

export type Severity = 'error' | 'warning' | 'info' | 'hint';

/**
 * A finding about the user's files: data, not an Error. Phases speak in routes; spans, lines and columns are computed
 * only when it is printed (`compiler/report`).
 */
export interface Diagnostic {
  /** `SVC` + phase digit + three digits. */
  readonly code: string;
  readonly slug: string;
  readonly severity: Severity;
  readonly message: string;
  readonly primary: Label;
  readonly related: readonly Label[];
  readonly help?: string;
  readonly fixes: readonly Fix[];
  readonly tags?: readonly ('deprecated' | 'unnecessary')[];
  /** The values that were put into the message. */
  readonly args: JsonObject;
}

export interface Label {
  readonly source: SourceId;
  readonly route: Route;
  /**
   * Marked part of what the route names: its key, its value, a range of UTF-16 offsets inside a text value as
   * the reader sees it (escapes resolved), or a range of the file's own text where there is no tree (syntax
   * errors).
   */
  readonly part: 'key' | 'value' | readonly [from: number, to: number] | { readonly text: Span };
  /** Text beside the marked place. */
  readonly text?: string;
  /** The place itself in files that are no action files: datasets, profiles. Nothing of them is shown. */
  readonly position?: Position;
}

/** Receiver of each diagnostic that a phase finds. */
export type Report = (diagnostic: Diagnostic) => void;
