import type { Document } from '#grammar/document/document.ts';
import { isList, isObject, type Json } from '#schemas/types/json.ts';

import { isIdentifier } from '../3-parse/names.ts';
import { optionRoute, valueAt } from '../3-parse/routes.ts';

import { flowOf, type Profiles } from './flow.ts';
import type { Call, CallList } from './resolved.ts';
import type { Tokens } from './tokens.ts';
import { eachCall, eachList } from './walk-calls.ts';

/** Every variable that some step of these lists may define, as far as names are known. */
export function definedNames(lists: readonly CallList[], tokens: Tokens, profiles: Profiles): ReadonlySet<string> {
  const names = new Set<string>();
  eachCall(lists, (call) => {
    for (const name of flowOf(call, tokens, profiles)?.defines ?? []) names.add(name);
  });
  return names;
}

/** Words of one file that are looked at; a file may be one long text. */
const MOST_WORDS = 100_000;

/**
 * Words of the steps that an error left out, and of those whose names for variables cannot be read: any of them may be
 * a variable or an id that the step would have made.
 */
export function unreadWords(lists: readonly CallList[], document: Document): ReadonlySet<string> {
  const words = new Set(unreadInputs(document.value));
  eachList(lists, (list) => {
    if (list.incomplete) addLeftOut(list, document, words);
    for (const call of list.calls) {
      if (isNameless(call) || lacksBlock(call)) addWords(call.args, words);
      const { save_as: captures } = call.step.options ?? {};
      if (captures?.includes(undefined) === true)
        addWords(valueAt(document.value, optionRoute(call.step, document, 'save_as')) ?? null, words);
    }
  });
  return words;
}

/** Inputs whose names no variable can have, which were reported. */
function unreadInputs(file: Json): readonly string[] {
  const inputs = valueAt(file, ['meta', 'inputs']) ?? null;
  return isObject(inputs) ? Object.keys(inputs).filter((name) => !isIdentifier(name)) : [];
}

function addLeftOut({ list, calls }: CallList, document: Document, words: Set<string>): void {
  const written = valueAt(document.value, list.route) ?? null;
  if (!isList(written)) return addWords(written, words);
  const read = new Set(calls.map(({ step }) => step.index));
  for (const [index, element] of written.entries()) if (!read.has(index)) addWords(element, words);
}

/** Whether the steps that a call must hold are not there: they may stand under another name. */
export function lacksBlock({ signature, args }: Call): boolean {
  return signature.blocks.some(({ name, required }) => required && !Object.hasOwn(args, name));
}

/** Whether a call defines a variable whose name is missing, or is none. */
function isNameless({ signature, args }: Call): boolean {
  const parameters = (signature.info.variables?.defines ?? []).filter((written) => written.startsWith('param:'));
  return parameters.some((written) => {
    const name = written.slice('param:'.length);
    const value = args[name] ?? signature.parameters.get(name)?.default;
    return typeof value === 'string'
      ? /[^\p{L}\p{M}\p{N}_$.[\]-]/u.test(value)
      : signature.parameters.get(name)?.required === true;
  });
}

function addWords(value: Json, words: Set<string>): void {
  if (words.size > MOST_WORDS) return;
  if (typeof value === 'string') {
    if (value.length < 10_000) for (const word of value.split(/[^\p{L}\p{M}\p{N}_-]+/u)) words.add(word);
  } else if (isList(value)) for (const item of value) addWords(item, words);
  else if (isObject(value))
    for (const [key, item] of Object.entries(value)) {
      words.add(key);
      addWords(item, words);
    }
}
