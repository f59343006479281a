import * as d from '#schemas/generated/diagnostics.ts';
import type { Callable, CommandInfo } from '#schemas/types/command.ts';
import type { Diagnostic, Label } from '#schemas/types/diagnostic.ts';
import type { Route } from '#schemas/types/place.ts';

import { quoted } from '../3-parse/fields.ts';
import { typeWords } from '../3-parse/type-words.ts';

import type { Knowledge } from './knowledge.ts';
import { memberMeant, renamedMember } from './meant/member-meant.ts';
import { nearName } from './meant/near-parameter.ts';
import type { Call } from './resolved.ts';
import { ANY, declarerOf, jsonTypesOf, listOf, noMember, objectOf, type NoMember, type Type } from './value-type.ts';

/** The type of a command's result. */
export function resultType(command: Callable): Type {
  return 'returns' in command ? [(command as CommandInfo).returns] : ANY;
}

/** Facts that say more of the result of a call than its declaration. */
export type ResultFacts = Pick<Knowledge, 'narrowed' | 'collected'>;

/** The type of the result of one call: its literal arguments may say more than the declaration. */
export function ownResultType(call: Call, facts: ResultFacts): Type {
  const { control, info } = call.signature;
  return control === undefined
    ? (facts.narrowed.get(call) ?? resultType(info))
    : resultOfForm(call, control.word, facts);
}

/** The type of the result of a control form (`compiler/language/control.md`). */
function resultOfForm(call: Call, word: string, { collected }: ResultFacts): Type {
  switch (word) {
    case 'if':
      return [{ type: ['string', 'null'] }];
    case 'until':
      return objectOf([['attempts', [{ type: 'integer' }]]]);
    case 'for_each': {
      if ((call.args['collect'] ?? null) === null) return NULL;
      const item = collected.get(call);
      return item === undefined ? ANY : listOf(item.get());
    }
    case 'use': {
      if (call.used === undefined) return ANY;
      const properties = call.used.resolved.returns;
      return properties === undefined ? NULL : [{ type: 'object', properties, additionalProperties: false }];
    }
    default:
      return NULL;
  }
}

const NULL: Type = [{ type: 'null' }];

/** Reports a path into the result of a command that the command's declaration rules out. */
export function checkResultPath(
  call: Call,
  path: Route,
  at: () => Label,
  knowledge: ResultFacts & Pick<Knowledge, 'report' | 'document'>,
): void {
  const missing = path.length === 0 ? undefined : noMember(ownResultType(call, knowledge), path);
  if (missing === undefined) return;
  const { document, report } = knowledge;
  const { control, info } = call.signature;
  const declarer = declarerOf(missing.type);
  const place = at();
  if (declarer !== undefined) return report(undeclared(missing, String(path[missing.index]), place, declarer));
  const lost = { ...missing, path };
  const nearest = memberMeant(lost);
  report(
    d.resultHasNoField({
      at: place,
      command: info.name,
      shown: control === undefined ? `commands show ${info.name}` : 'help control',
      path: path
        .slice(0, missing.index + 1)
        .map(String)
        .join('.'),
      what: whatIsThere(missing),
      nearest,
      fixes: renamedMember(lost, nearest, place, document.value),
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
