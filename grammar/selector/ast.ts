/** One step of a selector: what is searched inside what the part before has found. */
export interface SelectorPart {
  /** Such as `css`, `role` or `label`. */
  readonly engine: string;
  readonly body: string;
  /** Offset at which the part begins, with its engine. */
  readonly from: number;
  readonly to: number;
  /** The elements of this part are the result, not those of the last one. */
  readonly captured: boolean;
}

export interface SelectorProblem {
  readonly from: number;
  readonly to: number;
  /** Words that go on after "it is no selector:". */
  readonly reason: string;
}

export interface ParsedSelector {
  readonly parts: readonly SelectorPart[];
  readonly problem?: SelectorProblem;
}
