import type { Json } from '#schemas/types/json.ts';

import type { Call, CallList } from '../resolved.ts';
import { eachCall } from '../walk-calls.ts';

import { ALL_WRITES, joined, NO_WRITES, type Writes } from './written-paths.ts';

/**
 * Paths that the steps of lists may change, those of files that they use included. `pathOf`: the absolute path that a
 * value is, where it is known now.
 */
export function writesOf(lists: readonly CallList[], pathOf: (value: Json) => string | undefined): Writes {
  const all: Writes[] = [];
  eachCall(lists, (call) => void all.push(writesOfCall(call, pathOf)));
  return joined(all);
}

/** Paths that one step may change, without those inside it. */
export function writesOfCall(call: Call, pathOf: (value: Json) => string | undefined): Writes {
  if (call.used !== undefined) return call.used.writes();
  return changesAnything(call) ? ALL_WRITES : writtenBy(call, pathOf);
}

/** A module or a program of the user, or steps that nobody has seen. */
function changesAnything({ signature: { info, module } }: Call): boolean {
  return module !== undefined || info.steps === 'unknown' || info.effects.includes('process');
}

function writtenBy({ signature, args }: Call, pathOf: (value: Json) => string | undefined): Writes {
  if (!signature.info.effects.includes('fs-write')) return NO_WRITES;
  const places = signature.info.params.filter(({ access }) => access?.some((each) => each !== 'read'));
  const values = places.map(({ name, default: other }) => args[name] ?? other ?? null).filter((each) => each !== null);
  const paths = values.map(pathOf);
  const known = paths.filter((path) => path !== undefined);
  // Nobody has said where a command without such a parameter writes.
  return { paths: new Set(known), all: places.length === 0 || known.length < paths.length };
}
