import type { Handles, Sessions } from '#schemas/types/command.ts';
import type { Json } from '#schemas/types/json.ts';

import type { Call } from './resolved.ts';
import type { Flow } from './signature.ts';
import type { Tokens } from './tokens.ts';

/** Names that a file which a step loads would define; undefined where only a run can read it. */
export type Profiles = ReadonlyMap<Call, readonly string[] | undefined>;

/** A plan knows of no such files: what they hold when it is made must not change its bytes. */
export const NO_PROFILES: Profiles = new Map();

const NOTHING: readonly string[] = [];

/** Effect of a call by itself on variables, sessions and environment; the steps inside it are not counted. */
export function flowOf(call: Call, tokens: Tokens, profiles: Profiles): Flow | undefined {
  const { signature, step } = call;
  const captures = step.options?.save_as;
  if (captures === undefined) {
    if (!signature.hasFlow) return undefined;
    if (signature.flow !== undefined) return signature.flow;
  }
  const { info } = signature;
  let defines: readonly string[] = NOTHING;
  let isOpen = info.steps === 'unknown';
  for (const written of info.variables?.defines ?? []) {
    const names = definedNames(written, call, tokens, profiles);
    if (names === undefined) isOpen = true;
    // Most calls define one name: its list is taken as it is.
    else defines = defines.length === 0 ? names : [...defines, ...names];
  }
  for (const capture of captures ?? []) if (capture !== undefined) defines = [...defines, capture.name];
  const addsEnvironment = info.environment === 'loads';
  // Most calls do no more than that, and there may be many.
  if (info.sessions === undefined && info.handles === undefined) return { defines, isOpen, addsEnvironment };
  return {
    defines,
    isOpen,
    ...(info.sessions && sessionsOf(info.sessions, call, tokens)),
    ...(info.handles && handlesOf(info.handles, call, tokens)),
    addsEnvironment,
  };
}

/**
 * Sessions that a call opens, uses and closes: one with a name is another than the one without. Of a name that only a
 * run knows the opening alone counts, of a kind that only a run knows nothing.
 */
function sessionsOf(
  { named, by, ...sessions }: Sessions,
  { args }: Call,
  tokens: Tokens,
): Pick<Flow, 'opens' | 'uses' | 'closes'> {
  const kind = by === undefined ? null : (args[by] ?? null);
  if (kind !== null) {
    const uses = literalText(kind, tokens);
    return uses === undefined ? {} : { uses };
  }
  const given = named === undefined ? null : (args[named] ?? null);
  if (given === null) return sessions;
  const name = literalText(given, tokens);
  const { opens, uses, closes } = sessions;
  if (name === undefined) return opens === undefined ? {} : { opens };
  return {
    ...(opens !== undefined && { opens: `${opens} "${name}"` }),
    ...(uses !== undefined && { uses: `${uses} "${name}"` }),
    ...(closes !== undefined && { closes: `${closes} "${name}"` }),
  };
}

/**
 * Things that a call makes, needs and ends, by kind and name. Of a name that only a run knows the making alone counts,
 * and that some thing is ended.
 */
function handlesOf(
  { makes, needs, ends, ends_all: endsAll, holds, named, unless }: Handles,
  { args, signature, step }: Call,
  tokens: Tokens,
): Pick<Flow, 'makes' | 'needs' | 'ends' | 'endsAll' | 'endsSome' | 'holds'> {
  const some = ends === undefined ? {} : { endsSome: ends };
  if (unless !== undefined && (args[unless] ?? null) !== null) return some;
  // A parameter that is misspelt may be the one that was meant.
  if (unless !== undefined && Object.keys(step.keywords ?? {}).some((name) => !signature.parameters.has(name)))
    return some;
  const parts = [named ?? []].flat().map((parameter) => literalText(args[parameter] ?? null, tokens));
  if (parts.includes(undefined)) return { ...some, ...(makes !== undefined && { makes }) };
  const key = (kind: string): string => (parts.length === 0 ? kind : `${kind} "${parts.join(' ')}"`);
  return {
    ...(makes !== undefined && { makes: key(makes) }),
    ...(needs !== undefined && { needs: key(needs) }),
    ...(ends !== undefined && { ends: key(ends) }),
    ...(endsAll !== undefined && { endsAll }),
    ...(holds !== undefined && { holds: key(holds) }),
  };
}

/**
 * `NAME`, `param:NAME`, or `file:NAME`: the top names of the file that a parameter names. Undefined: only a run knows.
 */
function definedNames(written: string, call: Call, tokens: Tokens, profiles: Profiles): readonly string[] | undefined {
  if (written.startsWith('file:')) return profiles.get(call);
  if (!written.startsWith('param:')) return [written];
  const parameter = written.slice('param:'.length);
  const value = call.args[parameter] ?? call.signature.parameters.get(parameter)?.default;
  if (value === undefined || value === null) return [];
  const literal = literalText(value, tokens);
  return literal === undefined ? undefined : [literal];
}

/**
 * The text that a value is, escapes resolved; undefined where it is none, or holds references, broken ones included.
 */
export function literalText(value: Json, tokens: Pick<Tokens, 'text'>): string | undefined {
  if (typeof value !== 'string') return undefined;
  const parsed = tokens.text(value);
  if (parsed === undefined) return value;
  if (parsed.problems.length > 0) return undefined;
  return parsed.parts.every((part) => typeof part === 'string') ? parsed.parts.join('') : undefined;
}
