import * as d from '#schemas/generated/diagnostics.ts';
import type { Fix } from '#schemas/types/fix.ts';
import { isList, isObject, type Json } from '#schemas/types/json.ts';
import type { Parameter } from '#schemas/types/command.ts';
import type { Route } from '#schemas/types/place.ts';

import type { StepList } from '../3-parse/ast.ts';
import { isControlWord } from '../1-read/control-forms.ts';
import { isBodyKey } from '../1-read/vocabulary.ts';
import { readBody } from '../3-parse/envelope.ts';
import { kindOf } from '../3-parse/fields.ts';
import { isStepId } from '../3-parse/names.ts';
import type { Reading } from '../3-parse/reading.ts';
import { readStepList } from '../3-parse/step-list.ts';

import { takesNull } from './signature.ts';

/**
 * The steps that the value of a parameter holds, in all forms of a file's body (`compiler/language/steps.md`).
 * Undefined where it holds none: null where that is allowed, or a mistake, which has then been reported.
 */
export function readBlock(value: Json, parameter: Parameter, route: Route, reading: Reading): StepList | undefined {
  const at = { source: reading.source, route, part: 'value' } as const;
  const name = parameter.name;
  // A list that need not be given may be null: it is not given.
  if (value === null && (takesNull(parameter) || !parameter.required)) return undefined;
  if (typeof value === 'string' && !reading.isCommand(value)) {
    reading.report(d.stepsNotWrittenOut({ at, parameter: name }));
    return undefined;
  }
  if (isOneAction(value, reading)) {
    const fix: Fix = {
      title: 'write it as a list of one action',
      safety: 'safe',
      operations: [{ kind: 'replace', route, value: [value] }],
    };
    reading.report(d.actionNotInList({ at, parameter: name, fixes: [fix] }));
    return undefined;
  }
  if (isList(value) || (isObject(value) && Object.keys(value).some(isBodyKey))) {
    const list = readBody(value, route, reading, parameter.role === 'graph' ? 'graph' : 'list')?.list;
    if (list?.steps.length === 0 && !list.incomplete && parameter.schema['minItems'] !== undefined)
      reading.report(d.emptyBody({ at }));
    return list;
  }
  reading.report(d.notAList({ at, field: name, actual: kindOf(value) }));
  return undefined;
}

/** The branches of `parallel`: a list of lists, or an object of named ones. Anything else has been reported. */
export function readBranches(
  value: Json,
  route: Route,
  reading: Reading,
): readonly { readonly name: string; readonly list: StepList }[] {
  const at = (...inside: Route) => ({ source: reading.source, route: [...route, ...inside], part: 'value' }) as const;
  if (!isList(value) && !isObject(value)) {
    reading.report(d.branchesUnfit({ at: at(), actual: kindOf(value) }));
    return [];
  }
  const wrapper = wrapperOf(value);
  if (wrapper !== undefined) {
    const inside = { kind: 'replace', route, value: wrapper.branches } as const;
    const fixes: readonly Fix[] = [{ title: `leave "${wrapper.key}" out`, safety: 'unsafe', operations: [inside] }];
    const actual = `an object whose "${wrapper.key}" holds them`;
    reading.report(d.branchesUnfit({ at: { ...at(wrapper.key), part: 'key' }, actual, fixes }));
    return [];
  }
  const branches: readonly (readonly [number | string, Json])[] = isList(value)
    ? value.map((branch, index) => [index, branch] as const)
    : Object.entries(value);
  if (branches.length === 0) reading.report(d.emptyBlock({ at: at(), block: 'parallel' }));
  return branches.flatMap(([key, branch]) => {
    const name = `parallel.${key}`;
    if (typeof key === 'string' && !isStepId(key)) {
      reading.report(d.badStepId({ at: { ...at(key), part: 'key' }, id: key }));
      return [];
    }
    const list = readControlBlock(branch, { name, about: '', schema: {}, required: true }, [...route, key], reading);
    return list === undefined ? [] : [{ name, list }];
  });
}

/** The key under which all branches stand, where a branch was to be. */
function wrapperOf(value: Json): { readonly key: string; readonly branches: Json } | undefined {
  if (!isObject(value)) return undefined;
  const [only, ...others] = Object.entries(value);
  if (only === undefined || others.length > 0) return undefined;
  const [key, inside] = only;
  const lists = isList(inside) ? inside : isObject(inside) ? Object.values(inside) : [];
  const isBranch = (each: Json): boolean => isList(each) && typeof each[0] === 'object';
  return lists.length > 0 && lists.every(isBranch) ? { key, branches: inside } : undefined;
}

/**
 * The steps of a block of a control form: a list of them, in any of their forms. Undefined where it holds none, which
 * has then been reported.
 */
export function readControlBlock(
  value: Json,
  { name }: Parameter,
  route: Route,
  reading: Reading,
): StepList | undefined {
  const at = { source: reading.source, route, part: 'value' } as const;
  if (value === null || (isList(value) && value.length === 0)) {
    reading.report(d.emptyBlock({ at, block: name }));
    return undefined;
  }
  if (typeof value === 'string' && !reading.isCommand(value)) {
    reading.report(d.stepsNotWrittenOut({ at, parameter: name }));
    return undefined;
  }
  if (isOneAction(value, reading)) {
    const operations = [{ kind: 'replace' as const, route, value: [value] }];
    const fix: Fix = { title: 'write it as a list of one action', safety: 'safe', operations };
    reading.report(d.actionNotInList({ at, parameter: name, fixes: [fix] }));
    return undefined;
  }
  return readStepList(value, route, 'list', reading);
}

/** `then: NAME`, `then: [NAME, {…}]` and `then: {NAME: …}`, where a list of such was meant. */
function isOneAction(value: Json, reading: Reading): boolean {
  if (typeof value === 'string') return true;
  if (isObject(value)) return Object.keys(value).some((key) => reading.isCommand(key) || isControlWord(key));
  if (!isList(value) || typeof value[0] !== 'string' || !reading.isCommand(value[0])) return false;
  const [, second] = value;
  // A form behind a command is a step of its own.
  if (isObject(second)) return !Object.keys(second).some((key) => reading.isCommand(key) || isControlWord(key));
  return isList(second) && !(typeof second[0] === 'string' && reading.isCommand(second[0]));
}
