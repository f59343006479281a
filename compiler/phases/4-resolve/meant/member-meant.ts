import { didYouMean, isSlip } from '#compiler/did-you-mean.ts';
import type { Label } from '#schemas/types/diagnostic.ts';
import type { Fix } from '#schemas/types/fix.ts';
import { isList, type Json } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import { valueAt } from '../../3-parse/routes.ts';

import { nearName } from './near-parameter.ts';

/** Names that parts of an answer have elsewhere. */
export const OF_ANSWERS: Readonly<Record<string, string>> = {
  body: 'json',
  code: 'status_code',
  data: 'json',
  duration: 'elapsed_ms',
  res: '',
  resp: '',
  response: '',
  responseStatus: 'status_code',
  responseTime: 'elapsed_ms',
  status: 'status_code',
  statusCode: 'status_code',
};

/** A path that leads nowhere, the first piece of it that is not there, and what is there instead. */
export interface Lost {
  readonly path: Route;
  readonly index: number;
  readonly members: readonly string[];
}

/** The member that was likely meant by one that is not there. */
export function memberMeant({ path, index, members }: Lost): string | undefined {
  const member = String(path[index]);
  if (index > 0 || !members.includes('status_code')) return nearName(member, members);
  // The body of an answer is text, of which only its JSON has members.
  if (member === 'body' && path.length === 1) return 'text';
  const other = Object.hasOwn(OF_ANSWERS, member) ? OF_ANSWERS[member] : undefined;
  return other !== undefined && members.includes(other) ? other : nearName(member, members);
}

/** The fix that writes a member in place of another, where the text at hand has that one once. */
export function renamedMember(lost: Lost, meant: string | undefined, { route, part }: Label, value: Json): Fix[] {
  const member = String(lost.path[lost.index]);
  const text = valueAt(value, route);
  if (meant === undefined || typeof text !== 'string' || !/^\w+$/.test(member) || !/^\w+$/.test(meant)) return [];
  const [from, to] = isList(part) ? [Number(part[0]), Number(part[1])] : [0, text.length];
  const words = [...text.slice(from, to).matchAll(/["']?\w+/g)].filter(([word]) => word === member);
  const [only, other] = words;
  if (only === undefined || other !== undefined) return [];
  const start = from + only.index;
  const operation = { kind: 'replace-text', route, from: start, to: start + member.length, text: meant } as const;
  const safety = isSlip(member, didYouMean(member, lost.members)) ? 'safe' : 'unsafe';
  return [{ title: `write ${meant}`, safety, operations: [operation] }];
}
