import * as d from '#schemas/generated/diagnostics.ts';
import type { Callable, CommandInfo } from '#schemas/types/command.ts';
import type { Label, Report } from '#schemas/types/diagnostic.ts';
import type { Route } from '#schemas/types/place.ts';

import { quoted } from '../3-parse/fields.ts';
import { typeWords } from '../3-parse/type-words.ts';

import { nearName } from './near-parameter.ts';
import { ANY, jsonTypesOf, noMember, type NoMember, type Type } from './value-type.ts';

/** The type of a command's result. */
export function resultType(command: Callable): Type {
  return 'returns' in command ? [(command as CommandInfo).returns] : ANY;
}

/** Reports a path into the result of a command that the command's declaration rules out. */
export function checkResultPath(command: Callable, path: Route, at: () => Label, report: Report): void {
  const missing = path.length === 0 ? undefined : noMember(resultType(command), path);
  if (missing === undefined) return;
  report(
    d.resultHasNoField({
      at: at(),
      command: command.name,
      path: path
        .slice(0, missing.index + 1)
        .map(String)
        .join('.'),
      what: whatIsThere(missing),
      nearest: nearName(String(path[missing.index]), missing.members),
    }),
  );
}

/** In the words of messages: its members, or its type. */
export function whatIsThere({ members, type }: NoMember): string {
  return members.length > 0 ? `has ${quoted(members)}` : `is ${typeWords([...(jsonTypesOf(type) ?? [])])}`;
}
