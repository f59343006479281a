import * as fail from '#schemas/generated/failures.ts';
import type { Capture } from '#schemas/types/plan.ts';

import type { Frame } from './frame.ts';
import type { Regex } from './ports.ts';
import { follow, Missing } from './values/path.ts';
import { typeName } from './values/type-name.ts';

/** Takes one value out of a result and stores it. Yields it where it is secret. */
export function capture(wish: Capture, result: unknown, frame: Frame, regex: Regex): unknown {
  const value = taken(wish, result, regex);
  if (wish.secret) frame.unit.run.masker.add(value);
  frame.scope.define(wish.name, value, wish.secret ? { secret: true } : {});
  return wish.secret ? value : undefined;
}

function taken(wish: Capture, result: unknown, regex: Regex): unknown {
  const found = follow(result ?? null, wish.path ?? [], 'result');
  if (found instanceof Missing) throw fail.captureWithoutValue({ name: wish.name, piece: found.piece, path: found.before });
  if (wish.match === undefined) return found;
  if (typeof found !== 'string') throw fail.captureNotText({ name: wish.name, type: typeName(found) });
  const match = regex.match(wish.match, '', found);
  const group = match && (match.groups.length > 1 ? match.groups[1] : match.groups[0]);
  if (group === undefined || group === null) throw fail.captureWithoutMatch({ name: wish.name, pattern: wish.match, actual: found });
  return group;
}
