import { didYouMean } from '#compiler/did-you-mean.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Fix, TreeOperation } from '#schemas/types/fix.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';
import type { ControlKind } from '#schemas/types/plan.ts';

import { keyOfOtherWord, type ControlForm } from '../1-read/control-forms.ts';
import { isStepOption } from '../1-read/vocabulary.ts';

import { quoted, wrong, type Owner } from './fields.ts';
import { isIdentifier } from './names.ts';

/** Reports a form whose value stands under another key, or whose keys stand below its word. */
export function isWrittenElsewhere(form: ControlForm, keys: readonly string[], owner: Owner): boolean {
  return (
    hasBlockElsewhere(form, keys, owner) ||
    hasKeysInside(form, owner) ||
    hasListElsewhere(form, owner) ||
    hasConditionElsewhere(form, keys, owner) ||
    hasStepsElsewhere(form, keys, owner)
  );
}

/** Keys under which other languages hold the steps of a block. */
const BLOCKS: ReadonlySet<string> = new Set(['actions', 'body', 'branches', 'do', 'jobs', 'run', 'steps', 'tasks']);

/**
 * `group: login` and `parallel: 4` with `steps` beside it: the word holds the steps itself, and a name is a step
 * option.
 */
function hasBlockElsewhere({ word, params }: ControlForm, keys: readonly string[], owner: Owner): boolean {
  const written = owner.object[word] ?? null;
  if (params.find(({ name }) => name === word)?.list === undefined) return false;
  if (typeof written === 'object' && written !== null) return false;
  const key = keys.find((each) => BLOCKS.has(each) && typeof owner.object[each] === 'object');
  if (key === undefined) return false;
  const route = [...owner.route, word];
  const name = typeof written === 'string' ? 'name' : typeof written === 'number' ? 'max_workers' : undefined;
  const isTaken = name === undefined || Object.hasOwn(owner.object, name) || (name !== 'name' && word !== 'parallel');
  const first = isTaken ? ({ kind: 'remove', route } as const) : ({ kind: 'rename-key', route, key: name } as const);
  const second = { kind: 'rename-key', route: [...owner.route, key], key: word } as const;
  const title = isTaken ? `write the steps under "${word}"` : `write them as "${name}" and "${word}"`;
  owner.report(
    d.unknownControlKey({
      at: { source: owner.source, route: [...owner.route, key], part: 'key' },
      key,
      word,
      nearest: word,
      allowed: quoted(params.map((param) => param.name)),
      fixes: [{ title, safety: 'unsafe', operations: [first, second] }],
    }),
  );
  return true;
}

/** Keys under which other tools hold what stands behind the word here, beside those of blocks and files. */
const VALUE_KEYS: Readonly<Record<ControlKind, readonly string[]>> = {
  for_each: ['for_each', 'in', 'items', 'list', 'of', 'over', 'values'],
  group: [...BLOCKS, 'group'],
  if: ['cond', 'condition', 'expr', 'expression', 'if', 'test', 'when'],
  parallel: [...BLOCKS, 'parallel'],
  until: ['cond', 'condition', 'expr', 'expression', 'test', 'until', 'while'],
  use: ['file', 'from', 'path', 'source', 'src', 'use'],
};

/** Words for the value that a form takes, said where it holds the keys of the whole form. */
const EXPECTED: Readonly<Record<ControlKind, string>> = {
  for_each: 'a list, an object or a range',
  group: 'a list of steps',
  if: 'a condition',
  parallel: 'a list of lists, or an object of named ones',
  until: 'a condition',
  use: 'the path of a file',
};

/** `use: {file: login.yaml, with: {…}}`: the keys of a form stand beside its word. */
function hasKeysInside(form: ControlForm, owner: Owner): boolean {
  const { word } = form;
  const written = owner.object[word] ?? null;
  if (!isObject(written) || !isWholeForm(form, written, owner)) return false;
  const entries = Object.entries(written).map(([key, value]) => [keyInside(key, form), value] as const);
  const value = entries.find(([key]) => key === word)?.[1] ?? null;
  const rest = entries.filter(([key]) => key !== word);
  const operations: readonly TreeOperation[] = [
    { kind: 'replace', route: [...owner.route, word], value },
    ...rest.map(([key = '', each]) => ({ kind: 'insert', route: owner.route, key, value: each }) as const),
  ];
  const names = rest.length === 0 ? '' : ` and ${quoted(rest.map(([key = '']) => key))} beside it`;
  const title = `write what it holds behind "${word}"${names}`;
  wrong(owner, [word], EXPECTED[word], written, { fixes: [{ title, safety: 'unsafe', operations }] });
  return true;
}

/** Whether an object holds the value of the word, and beside it nothing but keys of the form, once each. */
function isWholeForm(form: ControlForm, written: JsonObject, { object }: Owner): boolean {
  const { word } = form;
  const keys = Object.keys(written);
  const meant = keys.map((key) => keyInside(key, form));
  if (meant.includes(undefined) || new Set(meant).size < meant.length || !meant.includes(word)) return false;
  if (meant.some((key = '') => key !== word && Object.hasOwn(object, key))) return false;
  const value = written[keys[meant.indexOf(word)] ?? ''] ?? null;
  switch (word) {
    // An object is a value of these two: only a key that the form cannot do without tells.
    case 'for_each':
      return meant.includes('do');
    case 'parallel':
      return meant.includes('max_workers') && isList(value);
    case 'group':
      return isList(value);
    default:
      return typeof value === 'string' && keys.length > 1;
  }
}

/** The key that one inside the word's value is beside the word. */
function keyInside(key: string, form: ControlForm): string | undefined {
  if (VALUE_KEYS[form.word].includes(key)) return form.word;
  if (isStepOption(key) || form.params.some(({ name }) => name === key)) return key;
  return keyOfOtherWord(key, form);
}

/** `for_each: user` with `in` beside it: the name of the item, and what the loop goes over. */
function hasListElsewhere({ word, params }: ControlForm, owner: Owner): boolean {
  const { object, route } = owner;
  const item: Json = object[word] ?? null;
  const key = Object.keys(object).find((each) => ['in', 'of', 'over', 'items'].includes(each.toLowerCase()));
  if (word !== 'for_each' || key === undefined || typeof item !== 'string' || !isIdentifier(item)) return false;
  const isFree = !Object.hasOwn(object, 'as');
  const operations = [
    { kind: 'rename-key', route: [...route, word], key: 'as' },
    { kind: 'rename-key', route: [...route, key], key: word },
  ] as const;
  owner.report(
    d.unknownControlKey({
      at: { source: owner.source, route: [...route, key], part: 'key' },
      key,
      word,
      nearest: word,
      allowed: quoted(params.map(({ name }) => name)),
      fixes: isFree ? [{ title: 'write them as "as" and "for_each"', safety: 'unsafe', operations }] : [],
    }),
  );
  return true;
}

/** `until: [steps]` with `condition` beside it: the word holds the condition, and the steps stand beside. */
function hasConditionElsewhere(
  { word, condition, params }: ControlForm,
  keys: readonly string[],
  owner: Owner,
): boolean {
  const { object, route } = owner;
  const [block] = blocksOf(params);
  if (condition === undefined || block === undefined || !isList(object[word])) return false;
  if (keys.some((key) => params.some(({ name, list }) => name === key && list !== undefined))) return false;
  const key = keys.find((each) => each !== word && VALUE_KEYS[word].includes(each) && typeof object[each] === 'string');
  const written = object[key ?? ''];
  const value = key === 'while' && word === 'until' ? `!(${String(written)})` : written;
  const operations: readonly TreeOperation[] =
    key === undefined
      ? []
      : [
          { kind: 'rename-key', route: [...route, word], key: block },
          { kind: 'rename-key', route: [...route, key], key: word },
          ...(value === written ? [] : [{ kind: 'replace', route: [...route, key], value: value ?? null } as const]),
        ];
  const title = `write the condition under "${word}", and the steps under "${block}"`;
  const fixes: readonly Fix[] = key === undefined ? [] : [{ title, safety: 'unsafe', operations }];
  wrong(owner, [word], EXPECTED[word], object[word] ?? null, { fixes });
  return true;
}

function blocksOf(params: ControlForm['params']): readonly string[] {
  return params.filter(({ list }) => list !== undefined).map(({ name }) => name);
}

/** `until` with its steps under `then`: the form lacks a block, and one other key holds steps. */
function hasStepsElsewhere(form: ControlForm, keys: readonly string[], owner: Owner): boolean {
  const { word, params } = form;
  const blocks = blocksOf(params);
  const [block] = blocks;
  if (block === undefined || block === word || keys.some((key) => blocks.includes(key))) return false;
  const known = params.map(({ name }) => name);
  const others = keys.filter((key) => !known.includes(key) && isList(owner.object[key]));
  const [key, another] = others;
  // A slip of the pen for a key of the form, and a name that other tools have for one, are told as such.
  if (key === undefined || another !== undefined || keyOfOtherWord(key, form) !== undefined) return false;
  if (didYouMean(key, known).length > 0) return false;
  const operations = [{ kind: 'rename-key', route: [...owner.route, key], key: block }] as const;
  owner.report(
    d.unknownControlKey({
      at: { source: owner.source, route: [...owner.route, key], part: 'key' },
      key,
      word,
      nearest: block,
      allowed: quoted(known),
      fixes: [{ title: `rename it to "${block}"`, safety: 'unsafe', operations }],
    }),
  );
  return true;
}
