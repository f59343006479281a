import type { Json } from '#schemas/types/json.ts';

import type { PlaceId, Places } from '../places.ts';
import type { Insertion } from './operations.ts';

/** The text under an edit, as those see it who add and remove members of objects and lists (`tree-editor.ts`). */
export interface Editing {
  readonly text: string;
  readonly places: Places;
  readonly isYaml: boolean;
  /** Notes that `text` takes the place of what stands from `start` to `end`. */
  put(start: number, end: number, text: string): void;
  /** Writes another value where one stands. */
  replace(id: PlaceId, value: Json): void;
  /** Offset at which a member of an object or list begins: at its key or the `?` of that, its `-`, or its value. */
  begin(id: PlaceId): number;
  /** Text of a new member of a flow collection. */
  flowMember(holder: PlaceId, insertion: Insertion): string;
  /** Text of a new member of a block collection whose members begin in column `indent`. */
  blockMember(holder: PlaceId, insertion: Insertion, indent: number): string;
}
