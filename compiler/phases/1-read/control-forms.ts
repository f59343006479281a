import type { Parameter } from '#schemas/types/command.ts';
import type { JsonObject } from '#schemas/types/json.ts';
import type { ControlKind } from '#schemas/types/plan.ts';

/**
 * A control form (`compiler/language/control.md`): a key that stands where a command would, and keys that belong to it.
 */
export interface ControlForm {
  readonly word: ControlKind;
  /** Values and blocks by key, the word among them. Blocks are `list: run`. */
  readonly params: readonly Parameter[];
  /** The key that holds a condition. */
  readonly condition?: string;
  /** The condition is judged when the block has run. */
  readonly judgesAfter?: true;
  /** Keys that are no values: the compiler reads them. */
  readonly names?: readonly string[];
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

const SECONDS: JsonObject = { type: 'number', minimum: 0 };
const COUNT: JsonObject = { type: 'integer', minimum: 1 };

export const CONTROL_FORMS: Readonly<Record<ControlKind, ControlForm>> = {
  for_each: {
    word: 'for_each',
    names: ['as'],
    params: [
      value('for_each', 'A list, an object, or a range: `{from, to, step}`.', { type: ['array', 'object'] }, true),
      value('as', 'Name of the variable that holds the item.', { type: 'string' }),
      block('do', 'Steps that run for each item.', true),
      value('max_workers', 'Number of iterations that run at once.', COUNT),
      value('collect', 'Value of each iteration in the result, with references.', {}),
    ],
  },
  parallel: {
    word: 'parallel',
    params: [
      block('parallel', 'Lists of steps that run at once: a list of them, or an object of named ones.', true),
      value('max_workers', 'Number of them that run at once.', COUNT),
    ],
  },
  use: {
    word: 'use',
    names: ['use'],
    params: [
      value('use', 'The file, looked up as those of `depends_on`.', { type: 'string' }, true),
      value('with', 'Values of its inputs, by name.', { type: 'object' }),
    ],
  },
  until: {
    word: 'until',
    condition: 'until',
    judgesAfter: true,
    params: [
      value('until', 'The condition, judged when the steps have run.', CONDITION, true),
      block('do', 'Steps that run before each judgement.', true),
      value('interval_s', 'Seconds between attempts.', SECONDS),
      value('max_s', 'Seconds for all attempts.', { type: 'number', exclusiveMinimum: 0 }),
      value('max_attempts', 'Highest number of runs of the steps.', COUNT),
    ],
  },
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

const CONTROL_WORDS = Object.keys(CONTROL_FORMS) as readonly ControlKind[];

export function isControlWord(key: string): key is ControlKind {
  return Object.hasOwn(CONTROL_FORMS, key);
}

/** The forms to which a key belongs that is no word itself: `then` to `if`. */
export function formsWith(key: string): readonly ControlKind[] {
  return CONTROL_WORDS.filter((word) => word !== key && CONTROL_FORMS[word].params.some(({ name }) => name === key));
}

/** Names that a form has in other languages. */
const OTHER_WORDS: Readonly<Record<string, ControlKind>> = {
  block: 'group',
  call: 'use',
  callonce: 'use',
  import: 'use',
  importplaybook: 'use',
  importtasks: 'use',
  include: 'use',
  includetasks: 'use',
  uses: 'use',
  template: 'use',
  concurrent: 'parallel',
  each: 'for_each',
  for: 'for_each',
  foreach: 'for_each',
  loop: 'for_each',
  withitems: 'for_each',
  repeat: 'until',
  while: 'until',
  eventually: 'until',
  waituntil: 'until',
  steps: 'group',
  try: 'group',
  cond: 'if',
  unless: 'if',
};

/** Names that keys beside a control form have in other languages. */
const OTHER_KEYS: Readonly<Record<string, readonly string[]>> = {
  do: ['action', 'actions', 'body', 'run', 'step', 'steps', 'task', 'tasks'],
  then: ['action', 'actions', 'body', 'do', 'run', 'step', 'steps', 'task', 'tasks'],
  else: ['otherwise'],
  always: ['cleanup', 'ensure', 'finally', 'teardown'],
  as: ['each', 'item', 'itemname', 'loopvar', 'name', 'var', 'variable'],
  with: ['args', 'arguments', 'input', 'inputs', 'params', 'parameters', 'variables', 'vars'],
  max_workers: ['concurrency', 'maxparallel', 'parallel', 'threads', 'workers'],
  collect: ['gather', 'result', 'results', 'returns'],
  interval_s: ['delay', 'every', 'interval', 'pause', 'sleep'],
  max_s: ['limit', 'maxtime', 'timeout', 'within'],
  max_attempts: ['attempts', 'count', 'retries', 'times', 'tries'],
};

/** The key of a form that another one may have meant. */
export function keyOfOtherWord(key: string, { params }: ControlForm): string | undefined {
  const word = key
    .toLowerCase()
    .replaceAll(/[-_ ]/g, '')
    .replace(/(?<=interval|delay|timeout|max)(?:ms|millis)$/, '');
  return params.find(({ name }) => OTHER_KEYS[name]?.includes(word))?.name;
}

/** The form that a key may have meant which is neither command nor option. */
export function formOfOtherWord(key: string): ControlKind | undefined {
  const word = key.toLowerCase().replaceAll(/[-_ ]/g, '');
  if (Object.hasOwn(OTHER_WORDS, word)) return OTHER_WORDS[word];
  return CONTROL_WORDS.find((each) => each.replaceAll('_', '') === word);
}
