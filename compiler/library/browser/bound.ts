import { call, type CallParameters } from '#compiler/engine/call.ts';
import type { CommandMap } from '#schemas/generated/command-map.ts';
import type { Json } from '#schemas/types/json.ts';

type Result<Name extends keyof CommandMap> = Promise<CommandMap[Name]['result']>;
/** Lists that are data may be any value. */
type Given<Name extends keyof CommandMap, Key extends keyof CallParameters<Name>> = [
  CallParameters<Name>[Key],
] extends [never]
  ? Json
  : CallParameters<Name>[Key];
/** Parameters that do not stand in order: all but the first ones. */
type Rest<Name extends keyof CommandMap, Keys extends PropertyKey> = Partial<Omit<CallParameters<Name>, Keys>>;

/** A command without required parameters as a function. */
export function bound0<Name extends keyof CommandMap>(name: Name) {
  return named(name, (rest: Rest<Name, never> = {}): Result<Name> => call(name, rest as CallParameters<Name>));
}

/** A command with one required parameter as a function: that one, then the others in one object. */
export function bound1<Name extends keyof CommandMap, A extends keyof CallParameters<Name>>(name: Name, a: A) {
  return named(name, (first: Given<Name, A>, rest: Rest<Name, A> = {}): Result<Name> =>
    call(name, { ...rest, [a]: first } as CallParameters<Name>),
  );
}

/** The same with two. */
export function bound2<
  Name extends keyof CommandMap,
  A extends keyof CallParameters<Name>,
  B extends keyof CallParameters<Name>,
>(name: Name, a: A, b: B) {
  return named(name, (first: Given<Name, A>, second: Given<Name, B>, rest: Rest<Name, A | B> = {}): Result<Name> =>
    call(name, { ...rest, [a]: first, [b]: second } as CallParameters<Name>),
  );
}

/** The same with three. */
export function bound3<
  Name extends keyof CommandMap,
  A extends keyof CallParameters<Name>,
  B extends keyof CallParameters<Name>,
  C extends keyof CallParameters<Name>,
>(name: Name, a: A, b: B, c: C) {
  return named(
    name,
    (
      first: Given<Name, A>,
      second: Given<Name, B>,
      third: Given<Name, C>,
      rest: Rest<Name, A | B | C> = {},
    ): Result<Name> => call(name, { ...rest, [a]: first, [b]: second, [c]: third } as CallParameters<Name>),
  );
}

/** The function with the name under which it is exported: that of its command without the prefix. */
function named<Own extends (...given: never[]) => unknown>(command: string, own: Own): Own {
  return Object.defineProperty(own, 'name', { value: command.slice('WR_'.length) });
}
