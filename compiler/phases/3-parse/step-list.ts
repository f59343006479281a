import * as d from '#schemas/generated/diagnostics.ts';
import type { Fix } from '#schemas/types/fix.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import { isControlWord } from '../1-read/control-forms.ts';
import { isStepOption } from '../1-read/vocabulary.ts';

import { optionFixes, readAction } from './action.ts';
import type { Step, StepList, StepOptions } from './ast.ts';
import { commandInParts } from './command-in-parts.ts';
import { hint, kindOf, quoted, text, texts, type Owner } from './fields.ts';
import { meantValue, optionMeant } from './other-options.ts';
import type { Reading } from './reading.ts';
import { requestInParts } from './request-parts.ts';

const NODE_KEYS = ['id', 'action', 'depends_on'];

type Growing = { -readonly [Field in keyof StepList]: StepList[Field] } & { steps: Step[] };

/** Reads the actions of a list, or the nodes of a graph. */
export function readStepList(
  value: Json | undefined,
  route: Route,
  kind: StepList['kind'],
  reading: Reading,
): StepList {
  const list: Growing = { route, kind, steps: [], incomplete: false };
  if (value === undefined || value === null) return list;
  if (!isList(value)) {
    const title = String(route.at(-1) ?? 'the file');
    const at = { source: reading.source, route, part: 'value' } as const;
    const fixes = kind === 'graph' ? [] : asList(value, route, reading.isCommand);
    reading.report(d.notAList({ at, field: title, actual: kindOf(value), fixes }));
    return { ...list, incomplete: true };
  }
  if (!affords(value, route, reading)) return { ...list, incomplete: true };
  for (let index = 0; index < value.length; index += 1) {
    const taken = kind === 'graph' || reading.hasModules ? 0 : requestInParts(value, index, route, reading);
    if (taken > 0) {
      list.incomplete = true;
      index += taken - 1;
      continue;
    }
    const step = readElement(value[index] ?? null, list, index, reading);
    if (step === undefined) list.incomplete = true;
    else list.steps.push(step);
  }
  return list;
}

/** Steps that were written without their dashes: each command begins one, and step options belong to the one before. */
export function asList(value: Json, route: Route, isCommand: (name: string) => boolean): readonly Fix[] {
  const steps = typeof value === 'string' ? (isCommand(value) ? [value] : []) : stepsIn(value, isCommand);
  if (steps.length === 0) return [];
  return [{ title: 'write it as a list', safety: 'safe', operations: [{ kind: 'replace', route, value: steps }] }];
}

function stepsIn(value: Json, isCommand: (name: string) => boolean): readonly Json[] {
  if (!isObject(value)) return [];
  const steps: Record<string, Json>[] = [];
  for (const [key, written] of Object.entries(value)) {
    const last = steps.at(-1);
    if (isCommand(key)) steps.push({ [key]: written });
    else if (last !== undefined && isStepOption(key)) last[key] = written;
    else return [];
  }
  return steps;
}

function affords(value: readonly Json[], route: Route, reading: Reading): boolean {
  reading.budget.left -= value.length;
  if (reading.budget.left >= 0) return true;
  reading.report(
    d.tooManyActions({ at: { source: reading.source, route, part: 'value' }, limit: reading.budget.most }),
  );
  return false;
}

function readElement(value: Json, list: StepList, index: number, reading: Reading): Step | undefined {
  if (reading.isPoisoned?.([...list.route, index]) === true) return undefined;
  if (list.kind === 'graph') return readNode(value, list, index, reading);
  return readAction(value, list, index, reading);
}

/** A node of a graph: its id and dependencies become options of its step. */
function readNode(value: Json, list: StepList, index: number, reading: Reading): Step | undefined {
  const route = [...list.route, index];
  const at = { source: reading.source, route, part: 'value' } as const;
  if (!isObject(value)) {
    reading.report(d.notANode({ at, actual: kindOf(value) }));
    return undefined;
  }
  const owner: Owner = { title: 'the node', object: value, route, source: reading.source, report: reading.report };
  if (isFlatNode(value, owner, reading)) return undefined;
  unknownNodeKeys(value, owner);
  const id = text(owner, 'id');
  const meant = meantValue('depends_on', value) ?? null;
  const depends_on = texts(owner, 'depends_on') ?? (isList(meant) ? meant.map(String) : undefined);
  for (const key of ['id', 'action']) if (lacks(value, key)) reading.report(d.nodeLacks({ at, key }));
  if (id === undefined || value['action'] === undefined || value['action'] === null) return undefined;
  const step = readAction(value['action'], list, index, reading);
  if (step === undefined) return undefined;
  if (step.options !== undefined) ownOptions(step.options, value, owner);
  return { ...step, options: { ...step.options, id, ...(depends_on === undefined ? {} : { depends_on }) } };
}

/** Reports a node that has its command as a key beside `id`, as steps of lists have. */
function isFlatNode(node: JsonObject, owner: Owner, { isCommand }: Reading): boolean {
  if (Object.hasOwn(node, 'action')) return false;
  const parts = commandInParts(node, owner.route, isCommand, ['id', 'depends_on']);
  if (parts !== undefined) {
    const at = { source: owner.source, route: [...owner.route, parts.key], part: 'value' } as const;
    owner.report(d.commandInParts({ at, command: parts.command, fixes: [parts.fix] }));
    return true;
  }
  const command = Object.keys(node).find((key) => isCommand(key) || isControlWord(key));
  if (command === undefined) return false;
  const inside = Object.entries(node).filter(([key]) => !NODE_KEYS.includes(key));
  const { source, route, report } = owner;
  const whole: Fix = {
    title: 'write it as the action of the node',
    // Comments between the keys are lost.
    safety: 'unsafe',
    operations: [
      { kind: 'insert', route, key: 'action', value: Object.fromEntries(inside) },
      ...inside.map(([key]) => ({ kind: 'remove' as const, route: [...route, key] })),
    ],
  };
  report(d.nodeIsAction({ at: { source, route: [...route, command], part: 'key' }, command, fixes: [whole] }));
  return true;
}

/** A mistyped key that stands for it has been reported. */
function lacks(node: JsonObject, key: string): boolean {
  const isGiven = node[key] !== undefined && node[key] !== null;
  return (
    !isGiven &&
    !Object.keys(node).some((other) => !NODE_KEYS.includes(other) && hint(other, [key]).nearest !== undefined)
  );
}

function unknownNodeKeys(value: JsonObject, owner: Owner): void {
  for (const key of Object.keys(value)) {
    if (NODE_KEYS.includes(key)) continue;
    const route = [...owner.route, key];
    const inside = isStepOption(key) && isObject(value['action']);
    const option = optionMeant(key, value[key] ?? null)?.option;
    const meant = option === 'id' || option === 'depends_on' ? option : undefined;
    const move: Fix = {
      title: 'move it into the action',
      safety: 'safe',
      operations: [{ kind: 'move', route, to: [...owner.route, 'action'], key }],
    };
    owner.report(
      d.unknownNodeKey({
        at: { source: owner.source, route, part: 'key' },
        key,
        allowed: quoted(NODE_KEYS),
        ...(meant === undefined ? hint(key, NODE_KEYS) : { nearest: meant }),
        fixes: inside ? [move] : meant === undefined ? [] : optionFixes(key, meant, owner),
      }),
    );
  }
}

/** The action of a node has no `id` and no `depends_on` of its own. */
function ownOptions(options: StepOptions, node: JsonObject, owner: Owner): void {
  for (const option of ['id', 'depends_on'] as const) {
    if (options[option] === undefined) continue;
    const route = routeOfOption(node, option, owner.route);
    const fix: Fix =
      node[option] === undefined
        ? {
            title: 'move it to the node',
            safety: 'safe',
            operations: [{ kind: 'move', route, to: owner.route, key: option }],
          }
        : {
            title: 'leave it out',
            safety: node[option] === options[option] ? 'safe' : 'unsafe',
            operations: [{ kind: 'remove', route }],
          };
    owner.report(d.nodeActionHasOption({ at: { source: owner.source, route, part: 'key' }, option, fixes: [fix] }));
  }
}

/** Beside the command, in the third element, or among the parameters. */
function routeOfOption(node: JsonObject, option: string, route: Route): Route {
  const action = node['action'] ?? null;
  if (isObject(action) && Object.hasOwn(action, option)) return [...route, 'action', option];
  if (isList(action)) {
    const index = action.findLastIndex((element) => isObject(element) && Object.hasOwn(element, option));
    return [...route, 'action', index, option];
  }
  const command = Object.keys(isObject(action) ? action : {}).find((key) => !isStepOption(key)) ?? '';
  return [...route, 'action', command, option];
}
