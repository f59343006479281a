import type { Refusal } from '#compiler/reader.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Diagnostic, Label } from '#schemas/types/diagnostic.ts';

/** The finding about a file that may not be read, where it is named. */
export function refusedAt(why: Refusal, named: { readonly at: Label; readonly path: string }): Diagnostic {
  return why === 'outside' ? d.fileOutside(named) : d.fileNotRegular(named);
}
