import * as fail from '#schemas/generated/failures.ts';
import type { Capture } from '#schemas/types/plan.ts';

import type { Regex } from '../ports.ts';
import { follow, Missing } from './path.ts';
import { typeName } from './type-name.ts';
import { scalarOf, whatIsThere } from './what-is-there.ts';

/** The value that a `save_as` takes out of a result. */
export function capture(saveAs: Capture, result: unknown, regex: Regex): unknown {
  const found = follow(result ?? null, saveAs.path ?? [], 'result');
  if (found instanceof Missing)
    throw fail.captureWithoutValue({
      name: saveAs.name,
      piece: found.piece,
      path: found.before,
      help: whatIsThere(found),
      ...scalarOf(found),
    });
  if (saveAs.match === undefined) return found;
  if (typeof found !== 'string') throw fail.captureNotText({ name: saveAs.name, type: typeName(found) });
  const match = regex.match(saveAs.match, '', found);
  const group = match && (match.groups.length > 1 ? match.groups[1] : match.groups[0]);
  if (group === undefined || group === null)
    throw fail.captureWithoutMatch({ name: saveAs.name, pattern: saveAs.match, actual: found });
  return group;
}
