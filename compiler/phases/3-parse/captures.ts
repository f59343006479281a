import { didYouMean } from '#compiler/did-you-mean.ts';
import type { Fix } from '#schemas/types/fix.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import type { StepOptions, WrittenCapture } from './ast.ts';
import { closed, flag, given, missing, text, wrong, type Owner } from './fields.ts';
import { isIdentifier, isVariableName } from './names.ts';

/** The option `save_as`: a name, an object, or a list of these. */
export function captures(owner: Owner): StepOptions['save_as'] {
  const value = given(owner, 'save_as');
  if (value === undefined) return undefined;
  if (!isList(value)) return [capture(owner, ['save_as'], value)];
  if (value.length === 0) return wrong(owner, ['save_as'], 'a name, an object, or a list of these', value);
  return value.map((each, index) => capture(owner, ['save_as', index], each));
}

const FIELDS = ['name', 'path', 'match', 'secret'];
/** Names of other tools for the name: what stands under one is no path. */
const NAME_WORDS = ['as', 'into', 'to', 'var', 'var_name', 'variable', 'variable_name'];

/** Names of other tools for the fields. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(NAME_WORDS.map((word) => [word, 'name'])),
  from: 'path',
  json: 'path',
  jsonpath: 'path',
  source: 'path',
  value: 'path',
  pattern: 'match',
  regex: 'match',
  sensitive: 'secret',
};

/** `{token: json.token}`: names with the paths that they stand for. */
function isByName(value: JsonObject): boolean {
  if (Object.hasOwn(value, 'name')) return false;
  const entries = Object.entries(value);
  const isMeant = ([key, path]: readonly [string, Json]): boolean =>
    !NAME_WORDS.includes(key) &&
    isIdentifier(key) &&
    didYouMean(key, FIELDS, 1).length === 0 &&
    typeof path === 'string' &&
    path !== '';
  return entries.length > 0 && entries.every(isMeant);
}

/** Reports names with their paths. */
function byName(owner: Owner, route: Route, written: JsonObject): undefined {
  const meant = Object.entries(written).map(([name, path]) => ({ name, path: inResult(String(path)) }));
  const texts = meant.map(({ name, path }) => `{ name: ${name}, path: ${path} }`);
  const isOne = meant.length === 1;
  const text = isOne ? texts.join() : `[${texts.join(', ')}]`;
  const value: Json = isOne ? (meant[0] ?? null) : meant;
  const isCertain = !Object.values(written).some((path) => String(path).startsWith('$'));
  const fix: Fix = {
    title: `write ${text}`,
    safety: isCertain ? 'safe' : 'unsafe',
    operations: [{ kind: 'replace', route: [...owner.route, ...route], value }],
  };
  // Of a list of captures one element cannot become several.
  const fixes = isOne || route.length === 1 ? [fix] : [];
  return wrong(owner, route, 'a name, or an object with "name" and "path"', written, { text, fixes });
}

/** The path in a result that a JSONPath of the answer's body leads to. */
function inResult(path: string): string {
  return /^\$(?:\.\w+|\[\d+\])+$/.test(path) ? `json${path.slice(1)}` : path;
}

/**
 * Names of other tools for the fields; without a name the one key that is none of them is another word for it.
 * Undefined where no key has to do with a capture.
 */
function withNameMeant(value: JsonObject): Readonly<Record<string, string>> | undefined {
  if (Object.hasOwn(value, 'name')) return OTHER_WORDS;
  const keys = Object.keys(value);
  const isField = (key: string): boolean =>
    FIELDS.includes(key) || Object.hasOwn(OTHER_WORDS, key) || didYouMean(key, FIELDS).length > 0;
  const strange = keys.filter((key) => !isField(key));
  const [only = '', second] = strange;
  if (keys.length > 0 && strange.length === keys.length) return undefined;
  const hasName = keys.some((key) => NAME_WORDS.includes(key) || didYouMean(key, ['name']).length > 0);
  return hasName || second !== undefined || typeof value[only] !== 'string'
    ? OTHER_WORDS
    : { ...OTHER_WORDS, [only]: 'name' };
}

function capture(owner: Owner, route: Route, value: Json): WrittenCapture | undefined {
  if (typeof value === 'string') return isVariableName(owner, route, value) ? { name: value } : undefined;
  if (!isObject(value)) return wrong(owner, route, 'a name or an object', value);
  if (isByName(value)) return byName(owner, route, value);
  const own: Owner = { ...owner, title: 'save_as', object: value, route: [...owner.route, ...route] };
  const others = withNameMeant(value);
  if (others === undefined) return wrong(owner, route, 'a name, or an object with "name" and "path"', value);
  closed(own, FIELDS, others);
  const name = text(own, 'name');
  if (name === undefined) return given(own, 'name') === undefined ? missing(own, 'name', others) : undefined;
  if (!isVariableName(own, ['name'], name)) return undefined;
  const path = text(own, 'path');
  const match = text(own, 'match');
  return {
    name,
    ...(path === undefined ? {} : { path }),
    ...(match === undefined ? {} : { match }),
    ...(flag(own, 'secret') === true ? { secret: true } : {}),
  };
}
