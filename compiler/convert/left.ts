import type { Label } from '#schemas/types/diagnostic.ts';
import type { Route } from '#schemas/types/place.ts';

/** Something that the other way of writing cannot carry, at its place in the file as it was. */
export interface Left {
  readonly route: Route;
  readonly part: Label['part'];
  /** Sentence for people about the part that is left, or lost, with the reason. */
  readonly text: string;
}

export type NoteLeft = (left: Left) => void;
