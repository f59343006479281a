import type { Parameter } from '#schemas/types/command.ts';
import type { JsonObject } from '#schemas/types/json.ts';
import type { ControlKind } from '#schemas/types/plan.ts';

/** A control form (LANGUAGE §8): a key that stands where a command would, and keys that belong to it. */
export interface ControlForm {
  readonly word: ControlKind;
  /** Values and blocks by key, the word among them. Blocks are `list: run`. */
  readonly params: readonly Parameter[];
  /** The key that holds a condition. */
  readonly condition?: string;
  /** Blocks of which one must be there. */
  readonly oneOf?: readonly string[];
}

function value(name: string, about: string, schema: JsonObject, required = false): Parameter {
  return { name, about, schema, required };
}

function block(name: string, about: string, required = false): Parameter {
  return { name, about, schema: { type: 'array', minItems: 1 }, required, list: 'run' };
}

const CONDITION: JsonObject = { type: ['string', 'boolean'] };

export const CONTROL_FORMS: Readonly<Record<ControlKind, ControlForm>> = {
  group: {
    word: 'group',
    params: [
      block('group', 'Steps under one name.', true),
      block('always', 'Steps that run on every path, as those of a teardown.'),
    ],
  },
  if: {
    word: 'if',
    condition: 'if',
    oneOf: ['then', 'else'],
    params: [
      value('if', 'The condition.', CONDITION, true),
      block('then', 'Steps that run where it holds.'),
      block('else', 'Steps that run where it does not.'),
    ],
  },
};

export const CONTROL_WORDS = Object.keys(CONTROL_FORMS) as readonly ControlKind[];

export function isControlWord(key: string): key is ControlKind {
  return Object.hasOwn(CONTROL_FORMS, key);
}

/** The forms to which a key belongs that is no word itself: `then` to `if`. */
export function formsWith(key: string): readonly ControlKind[] {
  return CONTROL_WORDS.filter((word) => word !== key && CONTROL_FORMS[word].params.some(({ name }) => name === key));
}

/** What people call a form in other languages. */
const OTHER_WORDS: Readonly<Record<string, ControlKind>> = {
  block: 'group',
  steps: 'group',
  try: 'group',
  cond: 'if',
  unless: 'if',
};

/** The form that a key may have meant which is neither command nor option. */
export function formOfOtherWord(key: string): ControlKind | undefined {
  const word = key.toLowerCase().replaceAll(/[-_ ]/g, '');
  if (Object.hasOwn(OTHER_WORDS, word)) return OTHER_WORDS[word];
  return CONTROL_WORDS.find((each) => each.replaceAll('_', '') === word);
}
