import * as d from '#schemas/generated/diagnostics.ts';
import type { Fix } from '#schemas/types/fix.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import { BODY_KEYS, isBodyKey } from '../1-read/vocabulary.ts';

import type { StepList } from './ast.ts';
import { hint, kindOf } from './fields.ts';
import type { Reading } from './reading.ts';
import { asList, readStepList } from './step-list.ts';

export interface Body {
  readonly key?: string;
  readonly list: StepList;
}

/** Keys under which other tools hold their steps. */
const OTHER_WORDS: ReadonlySet<string> = new Set(['steps', 'tasks', 'tests', 'stages', 'scenario', 'commands', 'body']);

/**
 * The body of a file, or of a parameter that holds steps: a list, or an object with one body key. Undefined where there
 * is none, which has then been reported.
 */
export function readBody(
  value: Json,
  route: Route,
  reading: Reading,
  listKind: StepList['kind'] = 'list',
): Body | undefined {
  if (isList(value)) return { list: readStepList(value, route, listKind, reading) };
  const at = { source: reading.source, route, part: 'value' } as const;
  if (!isObject(value)) {
    reading.report(d.notAnActionFile({ at, actual: kindOf(value) }));
    return undefined;
  }
  const key = bodyKey(value, route, reading);
  if (key === undefined) return undefined;
  return { key, list: readStepList(value[key], [...route, key], key === 'nodes' ? 'graph' : 'list', reading) };
}

function bodyKey(value: JsonObject, route: Route, reading: Reading): string | undefined {
  const keys = Object.keys(value).filter(isBodyKey);
  const [first, second] = keys;
  const place = (key: string) => ({ source: reading.source, route: [...route, key], part: 'key' }) as const;
  if (first === undefined) {
    const typo = Object.keys(value).find((key) => hint(key, BODY_KEYS).nearest !== undefined && isList(value[key]));
    const at = typo === undefined ? ({ source: reading.source, route, part: 'value' } as const) : place(typo);
    const other =
      typo === undefined ? Object.keys(value).find((key) => OTHER_WORDS.has(key) && isList(value[key])) : undefined;
    if (other !== undefined) {
      const fixes = renamedBody([...route, other], 'actions');
      reading.report(d.bodyMissing({ at: place(other), nearest: 'actions', fixes }));
      return undefined;
    }
    if (typo === undefined && isObject(value['jobs'])) {
      reading.report(d.bodyMissing({ at: place('jobs'), nearest: 'actions', fixes: stepsOfJob(value, route) }));
      return undefined;
    }
    const near = typo === undefined ? {} : hint(typo, BODY_KEYS);
    const fixes =
      typo === undefined || near.nearest === undefined
        ? asList(value, route, reading.isCommand)
        : renamedBody([...route, typo], near.nearest);
    reading.report(d.bodyMissing({ at, ...near, fixes }));
    return undefined;
  }
  if (second === undefined) return first;
  reading.report(d.twoBodies({ at: place(second), first, second, related: [place(first)] }));
  return undefined;
}

function renamedBody(route: Route, key: string): readonly Fix[] {
  return [{ title: `rename it to "${key}"`, safety: 'unsafe', operations: [{ kind: 'rename-key', route, key }] }];
}

/** Keys of a workflow about when, where and with what rights it runs. */
const OF_WORKFLOWS: ReadonlySet<string> = new Set(['concurrency', 'defaults', 'jobs', 'on', 'permissions', 'run-name']);

/** The steps of the only job of a workflow as actions. */
function stepsOfJob(value: JsonObject, route: Route): readonly Fix[] {
  const [job, another] = Object.values(value['jobs'] ?? {});
  if (another !== undefined || !isObject(job) || !isList(job['steps'])) return [];
  const removed = Object.keys(value).filter((key) => OF_WORKFLOWS.has(key));
  const operations = [
    { kind: 'insert', route, key: 'actions', value: job['steps'] ?? null } as const,
    ...removed.map((key) => ({ kind: 'remove', route: [...route, key] }) as const),
  ];
  return [{ title: 'write the steps of the job as "actions"', safety: 'unsafe', operations }];
}
