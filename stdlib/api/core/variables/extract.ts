import { follow, Missing } from '#runtime/kernel/values/path.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';

import { PathError, readPath } from '../../read-path.ts';
import { namesIn } from './names-in.ts';

/**
 * The value at a dotted path; `start` is what the source is called in messages. Fails with the first piece that is not
 * there.
 */
export function extract(source: Json, path: string, start: string): Json {
  const route = readPath(path);
  if (route instanceof PathError) throw fail.extractPath({ path, rest: path.slice(route.at) });
  const found = follow(source, route, start);
  if (!(found instanceof Missing)) return found as Json;
  const reached = route.findIndex((_, index) => follow(source, route.slice(0, index + 1), start) instanceof Missing);
  const present = namesIn(follow(source, route.slice(0, reached), start));
  // A JSONPath begins with the whole.
  const isJsonPath = reached === 0 && route[0] === '$' && present !== undefined;
  throw fail.extractNotFound({
    piece: found.piece,
    where: found.before,
    present: isJsonPath ? `${present}; a path begins with one of these, without "$"` : present,
  });
}
