import type { Document } from '#grammar/document/document.ts';
import type { Report } from '#schemas/types/diagnostic.ts';

import type { ResolvedFile } from '../4-resolve/resolved.ts';

import { checkBuiltIds } from './ids.ts';

/** Calls with their arguments named and still as written: what check looks at and sealing makes a plan of. */
export interface Draft {
  readonly resolved: ResolvedFile;
}

/** Drafts the plan of a file. Nodes are built when the draft is sealed: a file that is only checked needs none. */
export function plan(resolved: ResolvedFile, document: Document, report: Report): Draft {
  checkBuiltIds(resolved, document, report);
  return { resolved };
}
