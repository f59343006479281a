import * as d from '#schemas/generated/diagnostics.ts';
import type { Callable, CommandInfo } from '#schemas/types/command.ts';
import type { Diagnostic, Label, Report } from '#schemas/types/diagnostic.ts';
import type { Route } from '#schemas/types/place.ts';

import { quoted } from '../3-parse/fields.ts';
import { typeWords } from '../3-parse/type-words.ts';

import { nearName } from './near-parameter.ts';
import type { Narrowed } from './outside/narrowing.ts';
import type { Call } from './resolved.ts';
import { ANY, declarerOf, jsonTypesOf, noMember, type NoMember, type Type } from './value-type.ts';

/** The type of a command's result. */
export function resultType(command: Callable): Type {
  return 'returns' in command ? [(command as CommandInfo).returns] : ANY;
}

/** The type of the result of one call: its literal arguments may say more than the declaration. */
export function ownResultType(call: Call, { narrowed }: { readonly narrowed: Narrowed }): Type {
  return narrowed.get(call) ?? resultType(call.signature.info);
}

/** Reports a path into the result of a command that the command's declaration rules out. */
export function checkResultPath(
  call: Call,
  path: Route,
  at: () => Label,
  knowledge: { readonly narrowed: Narrowed; readonly report: Report },
): void {
  const missing = path.length === 0 ? undefined : noMember(ownResultType(call, knowledge), path);
  if (missing === undefined) return;
  const { report } = knowledge;
  const declarer = declarerOf(missing.type);
  if (declarer !== undefined) return report(undeclared(missing, String(path[missing.index]), at(), declarer));
  report(
    d.resultHasNoField({
      at: at(),
      command: call.signature.info.name,
      path: path
        .slice(0, missing.index + 1)
        .map(String)
        .join('.'),
      what: whatIsThere(missing),
      nearest: nearName(String(path[missing.index]), missing.members),
    }),
  );
}

/** A member that a document outside does not name. */
export function undeclared(missing: NoMember, member: string, at: Label, declarer: string): Diagnostic {
  return d.memberNotDeclared({
    at,
    member,
    declarer,
    what: whatIsThere(missing),
    nearest: nearName(member, missing.members),
  });
}

/** Value that is there instead, in the words of messages: its members, or its type. */
export function whatIsThere({ members, type }: NoMember): string {
  return members.length > 0 ? `has ${quoted(members)}` : `is ${typeWords([...(jsonTypesOf(type) ?? [])])}`;
}
