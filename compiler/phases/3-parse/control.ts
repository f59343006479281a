import { didYouMean, isSlip } from '#compiler/did-you-mean.ts';
import { hasReference } from '#grammar/reference/parse.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Fix, TreeOperation } from '#schemas/types/fix.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';
import type { ControlKind } from '#schemas/types/plan.ts';

import {
  CONTROL_FORMS,
  formOfOtherWord,
  keyOfOtherWord,
  formsWith,
  isControlWord,
  type ControlForm,
} from '../1-read/control-forms.ts';
import { isStepOption, STEP_OPTIONS } from '../1-read/vocabulary.ts';

import type { Step, StepOptions, WrittenControl } from './ast.ts';
import { hint, quoted, text, wrong, type Owner } from './fields.ts';
import { isIndexKey, otherNames } from './loop-names.ts';
import { onlyMeant, writing } from './meant.ts';
import { inSeconds } from './in-seconds.ts';
import { isVariableName } from './names.ts';
import { isWrittenElsewhere } from './form-elsewhere.ts';
import { condition, stepOptions } from './options.ts';
import type { Reading } from './reading.ts';

/**
 * Whether a key that is no step option has to do with control forms: a word, a key of one, or what people call one
 * elsewhere.
 */
export function isControlKey(key: string): boolean {
  // Commands are the common case, and no key of a form has capitals in front.
  if (key.startsWith('WR_') || key.startsWith('AT_') || key.startsWith('FA_')) return false;
  return isControlWord(key) || formsWith(key).length > 0 || formOfOtherWord(key) !== undefined;
}

type Make = (
  word: string,
  keywords: JsonObject,
  options: StepOptions | undefined,
  control: WrittenControl,
) => Step | undefined;

/**
 * Reads a control form (`compiler/language/control.md`): its word, the keys that belong to it, and step options beside
 * them.
 */
export function readControl(value: JsonObject, route: Route, reading: Reading, make: Make): Step | undefined {
  const owner: Owner = { title: 'the step', object: value, route, source: reading.source, report: reading.report };
  const keys = Object.keys(value).filter((key) => !isStepOption(key));
  const words = keys.filter(isControlWord);
  const [word, second] = words;
  if (word === undefined) return noWord(keys, owner, reading);
  const other = keys.find(reading.isCommand) ?? second;
  if (other !== undefined) return stepsUnderAnother(words, keys, owner) ? undefined : beside(word, other, owner);
  const form = CONTROL_FORMS[word];
  if (isWrittenElsewhere(form, keys, owner)) return undefined;
  const known = new Set(form.params.map(({ name }) => name));
  for (const key of keys) if (!known.has(key)) unknownKey(key, form, owner);
  const keywords = Object.fromEntries(keys.filter((key) => known.has(key)).map((key) => [key, value[key] ?? null]));
  const control = shapeOf(form, keywords, owner);
  const options = stepOptions(owner);
  return control && make(word, keywords, options, control);
}

/** `until` with its steps under `group`: they are the block that it lacks. */
function stepsUnderAnother(words: readonly ControlKind[], keys: readonly string[], owner: Owner): boolean {
  const [word] = words.filter((each) => each !== 'group');
  if (word === undefined || words.length !== 2 || !words.includes('group')) return false;
  return isWrittenElsewhere(CONTROL_FORMS[word], keys, owner);
}

function shapeOf(form: ControlForm, keywords: JsonObject, owner: Owner): WrittenControl | undefined {
  if (!hasItsBlocks(form, keywords, owner)) return undefined;
  if (form.word === 'use') return useOf(form, keywords, owner);
  if (form.word === 'for_each') return loopOf(form, keywords, owner);
  if (form.condition === undefined) return { form };
  const source = conditionOf(form.condition, keywords[form.condition] ?? null, owner);
  return source === undefined ? undefined : { form, condition: source };
}

/** As many nodes of a graph run at once. */
const DEFAULT_WORKERS = 4;

/** Keys under which other tools name the variable of a loop. */
const ITEM_KEYS = ['item', 'name', 'value', 'var', 'variable'];

/** Keys under which other tools name the file that they take steps from. */
const FILE_KEYS = ['file', 'from', 'name', 'path', 'source', 'src'];

function useOf(form: ControlForm, keywords: JsonObject, owner: Owner): WrittenControl | undefined {
  const { use } = keywords;
  const isElsewhere = Object.keys(owner.object).some(
    (key) => keyOfOtherWord(key, form) === 'with' || (key !== 'with' && didYouMean(key, ['with'], 2).length > 0),
  );
  if (typeof use !== 'string' || use === '') {
    const meant = onlyMeant(use ?? null, [...owner.route, 'use'], FILE_KEYS);
    return wrong(owner, ['use'], 'the path of a file', use ?? null, meant);
  }
  const [, read] = /^read\(\s*['"]([^'"]+)['"]\s*\)$/.exec(use) ?? [];
  if (read !== undefined) {
    const meant = writing([...owner.route, 'use'], read, 'safe');
    return wrong(owner, ['use'], 'the path of a file', use, meant);
  }
  if (!hasReference(use)) return { form, use, ...(isElsewhere && { withElsewhere: true }) };
  owner.report(d.usedFileUnknown({ at: { source: owner.source, route: [...owner.route, 'use'], part: 'value' } }));
  return undefined;
}

function loopOf(form: ControlForm, keywords: JsonObject, owner: Owner): WrittenControl | undefined {
  const { max_workers: workers, as: written = null } = keywords;
  const isName = written === null || typeof written === 'string';
  if (!isName) wrong(owner, ['as'], 'a name', written, onlyMeant(written, [...owner.route, 'as'], ITEM_KEYS));
  const other = otherNames(owner);
  const as = (isName && text({ ...owner, object: keywords }, 'as')) || other.as || 'item';
  const index = other.index === undefined ? {} : { index: other.index };
  return isVariableName(owner, ['as'], as)
    ? { form, as, ...index, ...(workers !== undefined && workers !== null && workers !== 1 && { branches: true }) }
    : undefined;
}

function conditionOf(key: string, value: Json, owner: Owner): string | undefined {
  return value === null ? wrong(owner, [key], 'a condition', value) : condition(owner, [key], value);
}

function hasItsBlocks(form: ControlForm, keywords: JsonObject, owner: Owner): boolean {
  const { word, params, oneOf } = form;
  const missing = params.find(({ name, required }) => required && !Object.hasOwn(keywords, name))?.name;
  const needed = missing === undefined ? (oneOf ?? []) : [missing];
  if (needed.length === 0 || needed.some((name) => Object.hasOwn(keywords, name))) return true;
  // A key that is written much like it was reported itself.
  const others = Object.keys(owner.object).filter((key) => !isStepOption(key) && !Object.hasOwn(keywords, key));
  const isMeant = (key: string): boolean =>
    didYouMean(key, needed).length > 0 || needed.includes(keyOfOtherWord(key, form) ?? '');
  if (others.some(isMeant)) return false;
  const at = { source: owner.source, route: [...owner.route, word], part: 'key' } as const;
  owner.report(d.controlKeyMissing({ at, word, keys: needed.map((name) => `"${name}"`).join(' or ') }));
  return false;
}

function unknownKey(key: string, form: ControlForm, owner: Owner): void {
  const { word, params } = form;
  const at = { source: owner.source, route: [...owner.route, key], part: 'key' } as const;
  if (word === 'if' && /^el(?:se)?[-_ ]?if$/i.test(key)) return owner.report(d.elseIf({ at, key }));
  if (word === 'for_each' && isIndexKey(key, owner)) return;
  const names = [...params.map(({ name }) => name), ...STEP_OPTIONS];
  const near = didYouMean(key, names);
  const other = keyOfOtherWord(key, form);
  const isFree = (name: string | undefined): name is string => name !== undefined && !Object.hasOwn(owner.object, name);
  const [meant] = isFree(other) ? [other] : near;
  const isMeant = isFree(other) || (isSlip(key, near) && formsWith(key).length === 0 && isFree(near[0]));
  owner.report(
    d.unknownControlKey({
      at,
      key,
      word,
      allowed: quoted(params.map(({ name }) => name)),
      ...(isFree(other) ? { nearest: other } : formsWith(key).length === 0 && hint(key, names)),
      fixes: isMeant && meant !== undefined ? [rename(key, meant, owner)] : [],
    }),
  );
}

/** `repeat: 3` counts, and goes on by a condition else. */
function formMeant(key: string, value: Json): ControlKind | undefined {
  const form = formOfOtherWord(key);
  return form === 'until' && typeof value === 'number' ? 'for_each' : form;
}

/** Words of other languages for the opposite of a condition: `while` goes on where `until` ends. */
const OPPOSITES: ReadonlySet<string> = new Set(['unless', 'while']);

function opposite(key: string, word: ControlKind, { object, route: of }: Owner): Fix | undefined {
  const written = object[key];
  if (!OPPOSITES.has(key.toLowerCase()) || typeof written !== 'string') return undefined;
  const value = `!(${written})`;
  const route = [...of, key];
  return {
    title: `write ${word}: ${value}`,
    safety: 'unsafe',
    operations: [
      { kind: 'rename-key', route, key: word },
      { kind: 'replace', route, value },
    ],
  };
}

/** Keys of a form without its word, or a word of another language. */
function noWord(keys: readonly string[], owner: Owner, { isCommand }: Reading): undefined {
  const at = (key: string) => ({ source: owner.source, route: [...owner.route, key], part: 'key' }) as const;
  const other = keys.find((key) => !isCommand(key) && formOfOtherWord(key) !== undefined);
  const meant = other === undefined ? undefined : formMeant(other, owner.object[other] ?? null);
  if (other !== undefined && meant !== undefined) {
    const fixes = [opposite(other, meant, owner) ?? rename(other, meant, owner)];
    owner.report(d.controlInOtherWords({ at: at(other), key: other, word: meant, fixes }));
    return;
  }
  const key = keys.find((each) => formsWith(each).length > 0) ?? '';
  const [first, ...more] = formsWith(key);
  const nearest = keys.find((each) => each !== key && didYouMean(each, [first ?? '', ...more]).length > 0);
  const word = (nearest === undefined ? first : didYouMean(nearest, formsWith(key))[0]) ?? '';
  owner.report(
    nearest === undefined
      ? d.controlWordMissing({
          at: at(key),
          key,
          words: formsWith(key)
            .map((each) => `"${each}"`)
            .join(' or '),
        })
      : d.controlInOtherWords({ at: at(nearest), key: nearest, word, fixes: [rename(nearest, word, owner)] }),
  );
}

function rename(from: string, key: string, { object, route: of }: Owner): Fix {
  const route = [...of, from];
  const operation = { kind: 'rename-key', route, key } as const;
  const written = object[from] ?? null;
  const unit = /(?:ms|millis)$/i.test(from) ? 0.001 : 1;
  const value = key.endsWith('_s') ? inSeconds(written, unit) : undefined;
  if (value !== undefined && value !== written)
    return {
      title: `write ${key}: ${value}`,
      safety: 'unsafe',
      operations: [operation, { kind: 'replace', route, value }],
    };
  return { title: `rename it to "${key}"`, safety: isSlip(from, [key]) ? 'safe' : 'unsafe', operations: [operation] };
}

/** `parallel: 4` beside a loop says how many of its iterations run at once. */
function areBranches(word: string, other: string, owner: Owner): boolean {
  const { object, route } = owner;
  const count = object['parallel'] ?? null;
  if (![word, other].includes('for_each') || ![word, other].includes('parallel')) return false;
  if (typeof count === 'object' || Object.hasOwn(object, 'max_workers')) return false;
  const isNumber = typeof count === 'number' && Number.isInteger(count) && count > 0;
  const rename = { kind: 'rename-key', route: [...route, 'parallel'], key: 'max_workers' } as const;
  const workers = { kind: 'replace', route: [...route, 'parallel'], value: DEFAULT_WORKERS } as const;
  const write: Fix = {
    title: `write max_workers: ${DEFAULT_WORKERS}`,
    safety: 'unsafe',
    operations: [rename, workers],
  };
  const fix: Fix = isNumber ? { title: 'rename it to "max_workers"', safety: 'unsafe', operations: [rename] } : write;
  owner.report(
    d.unknownControlKey({
      at: { source: owner.source, route: [...route, 'parallel'], part: 'key' },
      key: 'parallel',
      word: 'for_each',
      nearest: 'max_workers',
      allowed: quoted(CONTROL_FORMS.for_each.params.map(({ name }) => name)),
      fixes: isNumber || count === true ? [fix] : [],
    }),
  );
  return true;
}

/** A form is an action of its own; beside a command people mean an option, or forgot a dash. */
function beside(word: string, other: string, owner: Owner): undefined {
  if (areBranches(word, other, owner)) return;
  const place = (key: string) => ({ source: owner.source, route: [...owner.route, key], part: 'key' }) as const;
  const option = isControlWord(other) ? undefined : OPTION_BESIDE[word];
  const isMeant = option !== undefined && !Object.hasOwn(owner.object, option);
  const operations = isMeant ? asOption(word, option, owner) : [];
  const and = operations.length > 1 ? ', and add "retry"' : '';
  owner.report(
    d.controlBesideCommand({
      at: place(word),
      related: [place(other)],
      word,
      other,
      ...(isMeant && { nearest: option }),
      fixes: isMeant ? [{ title: `rename it to "${option}"${and}`, safety: 'unsafe', operations }] : [],
    }),
  );
}

/** Options that stand beside a command for what a form says of its block. */
const OPTION_BESIDE: Readonly<Partial<Record<string, 'expect' | 'when'>>> = { if: 'when', until: 'expect' };

const LIMITS: ReadonlySet<string> = new Set(['interval_s', 'max_attempts', 'max_s']);

/** `until` with `retries` and `delay`: an expectation, and how often the step tries to meet it. */
function asOption(word: string, option: string, { object, route }: Owner): readonly TreeOperation[] {
  const rename = { kind: 'rename-key', route: [...route, word], key: option } as const;
  if (option === 'when' || Object.hasOwn(object, 'retry')) return [rename];
  const keys = Object.keys(object).filter((key) => LIMITS.has(keyOfOtherWord(key, CONTROL_FORMS.until) ?? ''));
  const times = Object.fromEntries(
    keys.map((key) => [keyOfOtherWord(key, CONTROL_FORMS.until), inSeconds(object[key] ?? null, 1)]),
  );
  const { interval_s = 1, max_attempts, max_s } = times;
  const retry = { interval_s, ...(max_attempts === undefined ? { max_s: max_s ?? 30 } : { max_attempts }) };
  return [
    rename,
    { kind: 'insert', route, key: 'retry', value: retry },
    ...keys.map((key) => ({ kind: 'remove', route: [...route, key] }) as const),
  ];
}
