import { didYouMean, isSlip } from '#compiler/did-you-mean.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Report } from '#schemas/types/diagnostic.ts';
import type { Fix } from '#schemas/types/fix.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';
import type { Route, SourceId } from '#schemas/types/place.ts';

import { isControlWord } from '../1-read/control-forms.ts';
import { isStepOption, STEP_OPTIONS } from '../1-read/vocabulary.ts';

import type { Step, StepList, StepOptions } from './ast.ts';
import { commandInParts } from './command-in-parts.ts';
import { isControlKey, readControl } from './control.ts';
import { failureKey, reportFailureBlock } from './failure-block.ts';
import { hint, kindOf, quoted, type Owner } from './fields.ts';
import { AMONG_PARAMETERS, stepOptions } from './options.ts';
import { isOther, meantValue, optionMeant } from './other-options.ts';
import { isOfPlaybook } from './playbook.ts';
import type { Reading } from './reading.ts';
import { elementRoute } from './routes.ts';
import { isSwitch } from './switch-form.ts';
import { isWorkflowStep } from './workflow-step.ts';

/**
 * An action in any of its forms (`compiler/language/steps.md`); undefined where it could not be read, which has then
 * been reported.
 */
export function readAction(value: Json, list: StepList, index: number, reading: Reading): Step | undefined {
  if (isList(value)) return readArray(value, list, index, reading);
  if (isObject(value)) return readObject(value, list, index, reading);
  if (typeof value === 'string' && value !== '') return step(list, index, { command: value, form: 'name' });
  reading.report(d.notAnAction({ at: at(elementRoute(list, index), reading), actual: kindOf(value) }));
  return undefined;
}

type Written = Pick<Step, 'command' | 'form'> & Partial<Omit<Step, 'list' | 'index'>>;

// One place makes all steps, so that they have one hidden class.
function step(list: StepList, index: number, written: Written): Step {
  const { command, form, positional, keywords, options, beside, control } = written;
  return { list, index, command, form, positional, keywords, options, beside, control };
}

function at(route: Route, reading: Reading, part: 'key' | 'value' = 'value') {
  return { source: reading.source, route, part };
}

function readArray(value: readonly Json[], list: StepList, index: number, reading: Reading): Step | undefined {
  const [command, first, second] = [value[0], value[1], value[2]];
  if (typeof command === 'string' && isControlWord(command)) return formInList(command, value, list, index, reading);
  if (!isSound(value)) {
    const loose = looseParameters(value, reading);
    if (typeof command === 'string' && loose !== undefined)
      return step(list, index, { command, form: 'array', positional: loose });
    arrayProblem(value, elementRoute(list, index), reading);
    return undefined;
  }
  if (typeof command !== 'string') return undefined;
  if (isList(first))
    return withParameters(
      step(list, index, { command, form: 'array', positional: first, keywords: isObject(second) ? second : undefined }),
      reading,
    );
  if (!isObject(first)) return step(list, index, { command, form: 'array' });
  const options = isObject(second) ? thirdElement(second, elementRoute(list, index), reading) : undefined;
  return withParameters(step(list, index, { command, form: 'array', keywords: first, options }), reading);
}

/** Reports a control form that stands as a list; what only its word holds stands as well in an object. */
function formInList(word: string, value: readonly Json[], list: StepList, index: number, reading: Reading): undefined {
  const route = elementRoute(list, index);
  const isWhole = value.length === 2 && ['group', 'parallel', 'use'].includes(word);
  const operations = [{ kind: 'replace', route, value: { [word]: value[1] ?? null } }] as const;
  reading.report(
    d.formNotObject({
      at: at([...route, 0], reading),
      word,
      fixes: isWhole ? [{ title: `write it as ${word}: …`, safety: 'safe', operations }] : [],
    }),
  );
}

function isSound(value: readonly Json[]): boolean {
  const { length } = value;
  if (length === 0 || length > 3 || typeof value[0] !== 'string' || value[0] === '') return false;
  if (length === 1) return true;
  return typeof value[1] === 'object' && value[1] !== null && (length === 2 || isObject(value[2]));
}

/**
 * Texts and numbers beside the name of something that is no command: that it is none says more than that they stand in
 * no list of their own.
 */
function looseParameters([command, ...values]: readonly Json[], reading: Reading): readonly Json[] | undefined {
  if (typeof command !== 'string' || command === '' || values.length === 0 || reading.hasModules) return undefined;
  const isLoose = values.every((value) => typeof value === 'string' || typeof value === 'number');
  return isLoose && !reading.isCommand(command) ? values : undefined;
}

/** Says what is wrong with an array action that no reading can mend. */
function arrayProblem(value: readonly Json[], route: Route, reading: Reading): void {
  const [command, first, second] = value;
  if (value.length === 0) reading.report(d.emptyAction({ at: at(route, reading) }));
  else if (value.length > 3)
    reading.report(
      d.actionTooLong({ at: at([...route, 3], reading), count: value.length, fixes: inOneList(value, route) }),
    );
  else if (typeof command !== 'string' || command === '')
    reading.report(d.commandNotText({ at: at([...route, 0], reading), actual: kindOf(command ?? null) }));
  else if (!isList(first) && !isObject(first)) reading.report(notParameters(value, route, reading));
  else reading.report(d.thirdNotObject({ at: at([...route, 2], reading), actual: kindOf(second ?? null) }));
}

function notParameters(value: readonly Json[], route: Route, reading: Reading) {
  const first = value[1] ?? null;
  const place = [...route, 1];
  const without: Fix = {
    title: 'leave the parameters out',
    safety: 'safe',
    operations: [{ kind: 'remove', route: place }],
  };
  const fixes = first === null && value.length === 2 ? [without] : inOneList(value, route);
  return d.parametersNotContainer({ at: at(place, reading), actual: kindOf(first), fixes });
}

/** Parameters that stand beside the name, and not in a list of their own; keyword parameters may stand behind them. */
function inOneList(value: readonly Json[], route: Route): readonly Fix[] {
  const end = isObject(value.at(-1)) ? value.length - 1 : value.length;
  const positional = value.slice(1, end);
  if (positional.some((item) => isObject(item)) || isList(positional[0])) return [];
  return [
    {
      title: `write ${positional.length > 1 ? 'them as one list of parameters' : 'it as a list of one parameter'}`,
      safety: 'safe',
      operations: [
        { kind: 'replace', route: [...route, 1], value: positional },
        ...positional.slice(1).map((_, index) => ({ kind: 'remove' as const, route: [...route, index + 2] })),
      ],
    },
  ];
}

function thirdElement(value: JsonObject, route: Route, reading: Reading): StepOptions | undefined {
  const owner = ownerOf(value, [...route, 2], reading);
  for (const key of Object.keys(value)) if (!isStepOption(key)) unknownOption(key, owner);
  return stepOptions(owner);
}

function ownerOf(value: JsonObject, route: Route, reading: Reading): Owner {
  return { title: 'the step', object: value, route, source: reading.source, report: reading.report };
}

/** Reports a key beside the command, or in the third element, that is no step option. */
export function unknownOption(key: string, owner: Pick<Owner, 'object' | 'route' | 'source' | 'report'>): void {
  const route = [...owner.route, key];
  const names = didYouMean(key, STEP_OPTIONS);
  const meant = optionMeant(key, owner.object[key] ?? null);
  owner.report(
    d.unknownStepOption({
      at: { source: owner.source, route, part: 'key' },
      option: key,
      allowed: quoted(STEP_OPTIONS),
      ...(meant === undefined ? hint(key, STEP_OPTIONS) : { nearest: meant.option }),
      fixes: meant === undefined && !isSlip(key, names) ? [] : optionFixes(key, meant?.option ?? names[0] ?? '', owner),
    }),
  );
}

/** Renames a key to the step option that was meant; what another tool calls so may have another value, too. */
export function optionFixes(
  key: string,
  option: string,
  { object, route: of }: Pick<Owner, 'object' | 'route'>,
): readonly Fix[] {
  const written = object[key] ?? null;
  const { value, isSpelling } = optionMeant(key, written) ?? { value: written, isSpelling: true };
  if (value === undefined || Object.hasOwn(object, option)) return [];
  const route = [...of, key];
  const isChanged = isOther(value, written);
  const title = isChanged ? `write ${option}: ${JSON.stringify(value)}` : `rename it to "${option}"`;
  const rename = { kind: 'rename-key', route, key: option } as const;
  const operations = isChanged ? ([rename, { kind: 'replace', route, value }] as const) : [rename];
  return [{ title, safety: isSpelling && !isChanged ? 'safe' : 'unsafe', operations }];
}

function readObject(value: JsonObject, list: StepList, index: number, reading: Reading): Step | undefined {
  let command: string | undefined;
  let others: string[] | undefined;
  let hasOptions = false;
  for (const key in value) {
    if (isStepOption(key)) hasOptions = true;
    else if (command === undefined) command = key;
    else (others ??= []).push(key);
  }
  if (others !== undefined || typeof value['on_failure'] === 'object') {
    const key = failureKey(value, reading);
    if (key !== undefined) return reportFailureBlock(key, value, elementRoute(list, index), reading);
  }
  if (isOfAnotherLanguage(value, command, list, index, reading)) return undefined;
  if (command === undefined) {
    reading.report(d.noCommand({ at: at(elementRoute(list, index), reading) }));
    return undefined;
  }
  const keys = others === undefined ? undefined : [command, ...others];
  const isNearControl = keys === undefined ? isControlKey(command) : keys.some(isControlKey);
  if (isNearControl && isControl(keys ?? [command], reading)) return readForm(value, list, index, reading);
  const name = keys === undefined ? command : chooseCommand(value, keys, elementRoute(list, index), reading);
  if (name === undefined) return undefined;
  const beside = keys && othersThan(name, keys);
  const options =
    beside === undefined
      ? hasOptions
        ? stepOptions(new StepOwner(value, list, index, reading))
        : undefined
      : optionsBeside(value, hasOptions, new StepOwner(value, list, index, reading));
  const written = value[name] ?? null;
  if (isObject(written))
    return withParameters(
      step(list, index, { command: name, form: 'object', keywords: written, options, beside }),
      reading,
    );
  const positional = written === null ? undefined : isList(written) ? written : [written];
  return step(list, index, { command: name, form: 'object', positional, options, beside });
}

/** Reports a step that other tools have and that is no command in other words. Commands are the common case. */
function isOfAnotherLanguage(
  value: JsonObject,
  first: string | undefined,
  list: StepList,
  index: number,
  reading: Reading,
): boolean {
  if (first === undefined || /^(?:WR|AT|FA)_/.test(first)) return false;
  const route = elementRoute(list, index);
  if (isSwitch(value, route, reading)) return true;
  return !reading.hasModules && (isOfPlaybook(value, route, reading) || isWorkflowStep(value, route, reading));
}

// Apart from `readObject`: what a closure needs is made anew at each call of the function that holds it.
function readForm(value: JsonObject, list: StepList, index: number, reading: Reading): Step | undefined {
  return readControl(value, elementRoute(list, index), reading, (word, keywords, options, control) =>
    step(list, index, { command: word, form: 'control', keywords, options, control }),
  );
}

function othersThan(name: string, keys: readonly string[]): readonly string[] {
  return keys.filter((key) => key !== name);
}

/** Options beside a command. A name for its result in other words is reported with the call, and known all the same. */
function optionsBeside(value: JsonObject, hasOptions: boolean, owner: StepOwner): StepOptions | undefined {
  const options = hasOptions ? stepOptions(owner) : undefined;
  const name = meantValue('save_as', value) ?? null;
  if (name === null) return options;
  const { title, route, source } = owner;
  const meant = stepOptions({ title, route, source, object: { save_as: name }, report: () => undefined });
  return { ...meant, ...options };
}

/** Keys of a form beside a command are keys at the wrong indent, where no word of a form stands there too. */
function isControl(keys: readonly string[], { isCommand }: Reading): boolean {
  return keys.some(isControlWord) || !keys.some(isCommand);
}

/** A step as the owner of its options: its route is made when a finding needs it. */
class StepOwner implements Owner {
  readonly title = 'the step';
  readonly object: JsonObject;
  readonly source: SourceId;
  readonly report: Report;
  readonly #list: StepList;
  readonly #index: number;

  constructor(object: JsonObject, list: StepList, index: number, { source, report }: Reading) {
    this.object = object;
    this.source = source;
    this.report = report;
    this.#list = list;
    this.#index = index;
  }

  get route(): Route {
    return elementRoute(this.#list, this.#index);
  }
}

/** The command among several keys that are no step option; two commands are reported. */
function chooseCommand(value: JsonObject, keys: readonly string[], route: Route, reading: Reading): string | undefined {
  const known = keys.filter((key) => reading.isCommand(key));
  const commands = known.length > 0 ? known : keys.filter((key) => /^(?:WR|AT|FA)_/i.test(key));
  const [command, second] = commands.length > 0 ? commands : keys;
  if (command === undefined || commands.length === 1) return command;
  const parts = commandInParts(value, route, reading.isCommand);
  if (parts !== undefined) {
    reading.report(
      d.commandInParts({ at: at([...route, parts.key], reading), command: parts.command, fixes: [parts.fix] }),
    );
    return undefined;
  }
  const related = [at([...route, command], reading, 'key')];
  reading.report(
    d.twoCommands({
      at: at([...route, second ?? command], reading, 'key'),
      first: command,
      second: second ?? command,
      related,
    }),
  );
  return undefined;
}

/** Step options that stand among the parameters of an AT_ command are taken out (AT "Action and action file"). */
function withParameters(read: Step, reading: Reading): Step {
  const { keywords } = read;
  if (keywords === undefined || !read.command.startsWith('AT_')) return read;
  if (keywords['id'] === undefined && keywords['depends_on'] === undefined && keywords['tags'] === undefined)
    return read;
  const among = Object.fromEntries(Object.entries(keywords).filter(([key]) => AMONG_PARAMETERS.includes(key)));
  const rest = Object.fromEntries(Object.entries(keywords).filter(([key]) => !AMONG_PARAMETERS.includes(key)));
  const route = elementRoute(read.list, read.index);
  const parameters: Route =
    read.form === 'object' ? [...route, read.command] : [...route, read.positional === undefined ? 1 : 2];
  const owner = ownerOf(among, parameters, reading);
  const taken = stepOptions(owner);
  for (const key of Object.keys(among)) {
    if (read.options === undefined || !Object.hasOwn(read.options, key)) continue;
    reading.report(d.stepOptionGivenTwice({ at: at([...parameters, key], reading, 'key'), option: key }));
  }
  const options = { ...taken, ...read.options };
  return step(read.list, read.index, { ...read, keywords: rest, options });
}
