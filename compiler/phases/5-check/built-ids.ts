import * as d from '#schemas/generated/diagnostics.ts';
import type { Report } from '#schemas/types/diagnostic.ts';
import type { Document } from '#grammar/document/document.ts';

import type { Section } from '../3-parse/ast.ts';
import { isStepId } from '../3-parse/names.ts';
import { optionRoute } from '../3-parse/routes.ts';
import { localId } from '../4-resolve/ids.ts';
import type { Call, CallList, ResolvedFile } from '../4-resolve/resolved.ts';
import { eachList, listsOf } from '../4-resolve/walk-calls.ts';

/**
 * Reports ids that equal the one which another step gets by its place. Only the free text of graph nodes can: ids of
 * steps hold neither dots nor begin with a digit.
 */
export function checkBuiltIds(resolved: ResolvedFile, document: Document, report: Report): void {
  const free = freeIds(resolved);
  if (free.size === 0) return;
  const built = new Set<string>();
  const gather = (list: CallList, section: Section, parent?: string): void => {
    for (const call of list.calls) {
      const own = call.step.options?.id;
      const id = localId(call, section, parent);
      if (own === undefined) built.add(id);
      for (const [parameter, nested] of listsOf(call)) gather(nested, section, `${id}.${parameter}`);
    }
  };
  // Inputs and sessions that a file asks for have places beside those of steps.
  built.add('meta.sessions');
  for (const { name } of resolved.file.meta.inputs ?? []) built.add(`meta.inputs.${name}`);
  gather(resolved.setup, 'setup');
  gather(resolved.body, 'body');
  gather(resolved.teardown, 'teardown');
  for (const [id, call] of free) {
    if (!built.has(id)) continue;
    report(
      d.idIsBuilt({
        at: { source: document.source, route: optionRoute(call.step, document, 'id'), part: 'value' },
        id,
      }),
    );
  }
}

/** Ids that no step outside of a graph could have. */
function freeIds({ setup, body, teardown }: ResolvedFile): ReadonlyMap<string, Call> {
  const free = new Map<string, Call>();
  eachList([setup, body, teardown], ({ list, named }) => {
    if (list.kind !== 'graph') return;
    for (const call of named) {
      const own = call.step.options?.id;
      if (own !== undefined && !isStepId(own)) free.set(own, call);
    }
  });
  return free;
}
