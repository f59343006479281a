import type { Parameter } from '#schemas/types/command.ts';

import type { Call } from '../resolved.ts';
import type { Gap } from '../variable.ts';

/** Whether a list of steps that a command runs may be passed over: one of several, or switched off by another value. */
export function mayStayOut(call: Call, { one_of, unless }: Parameter): boolean {
  if (one_of !== undefined) return true;
  if (unless === undefined) return false;
  const given = call.args[unless] ?? null;
  return given !== null && given !== (call.signature.parameters.get(unless)?.default ?? null);
}

/** The way past the lists of a command that may be passed over; undefined where one of them runs. */
export function gapOf(call: Call, ways: number): Gap | undefined {
  const either = call.signature.blocks.filter(({ one_of }) => one_of !== undefined).length;
  return either > 1 && ways === either ? undefined : { kind: either > 1 ? 'branch' : 'list', call };
}
