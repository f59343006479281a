import { findSecrets } from '#grammar/secret/find-secrets.ts';
import type { CommandInfo } from '#schemas/types/command.ts';
import { isList, isObject, type Json } from '#schemas/types/json.ts';
import { isPlaceholder } from '#schemas/types/secret-forms.ts';
import { isSecretHeader } from '#schemas/types/secret-key.ts';

/** Declaration of the command of this name, if it is one. */
type LookUp = (name: string) => CommandInfo | undefined;

/**
 * Literal texts of a file that are secrets: those of parameters that are declared secret, and what looks like one under
 * its key, or is a header that lets somebody in. Calls are known by the name of their command, also where they are
 * written wrongly.
 */
export function secretTexts(value: Json, commandOf: LookUp, key?: string): readonly string[] {
  if (typeof value === 'string') return findSecrets(value, key).map(({ start, end }) => value.slice(start, end));
  if (isList(value)) {
    const [name, ...rest] = value;
    const command = typeof name === 'string' ? commandOf(name) : undefined;
    return command ? ofArguments(rest, command, commandOf) : value.flatMap((item) => secretTexts(item, commandOf, key));
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const command = commandOf(name);
    if (command) return ofArguments([part], command, commandOf);
    return key === 'headers' && isSecretHeader(name) ? literals(part) : secretTexts(part, commandOf, name);
  });
}

/** By name in objects; in a list, and where several values stand without one, by position. */
function ofArguments(values: readonly Json[], command: CommandInfo, commandOf: LookUp): readonly string[] {
  const [first] = values;
  const positional = isList(first) ? first : values.filter((value) => !isObject(value));
  const named = values.filter((value) => isObject(value)).flatMap((value) => Object.entries(value));
  const { params } = command;
  return [...positional.map((value, index) => [params[index]?.name ?? '', value] as const), ...named].flatMap(
    ([name, value]) => {
      const isSecret = params.some((parameter) => parameter.name === name && parameter.secret === true);
      return isSecret ? literals(value) : secretTexts(value, commandOf, name);
    },
  );
}

/** Texts of a secret value; of a pair of a user's name and a password, the password. */
function literals(value: Json): readonly string[] {
  if (typeof value === 'string') return isPlaceholder(value) ? [] : [value];
  if (isList(value)) return (value.length === 2 ? value.slice(1) : value).flatMap(literals);
  return isObject(value) ? Object.values(value).flatMap(literals) : [];
}
