import type { Report } from '#schemas/types/diagnostic.ts';
import type { Route, SourceId } from '#schemas/types/place.ts';

/** State that the readers of one file share. */
export interface Reading {
  readonly source: SourceId;
  readonly report: Report;
  /** Whether a name is a command: it tells a mistyped option from a second command. */
  readonly isCommand: (name: string) => boolean;
  /** Whether the file names modules, whose commands may be called by any word. */
  readonly hasModules: boolean;
  /** Given where the text had errors: values that were reported already are passed over in silence. */
  readonly isPoisoned?: (route: Route) => boolean;
  /** Number of actions that the file may have, and how many are left of it. */
  readonly budget: { readonly most: number; left: number };
}

export const MAX_ACTIONS = 1_000_000;
