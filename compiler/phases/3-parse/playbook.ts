import * as d from '#schemas/generated/diagnostics.ts';
import type { Fix } from '#schemas/types/fix.ts';
import { isList, type Json, type JsonObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import { moduleMeant, type ModuleMeant } from './playbook-modules.ts';
import { optionsCarried } from './options-carried.ts';
import type { Reading } from './reading.ts';

/** Keys under which a play holds steps. */
const TASKS: readonly string[] = ['pre_tasks', 'tasks', 'post_tasks', 'roles', 'handlers'];

/** Keys of a play about machines and rights, which a file for one machine does without. */
const ABOUT_MACHINES: readonly string[] = [
  ...['any_errors_fatal', 'become', 'become_method', 'become_user', 'connection', 'gather_facts', 'hosts'],
  ...['max_fail_percentage', 'remote_user', 'serial', 'strategy'],
];

/** Reports a play of Ansible, or a task that calls one of its modules. */
export function isOfPlaybook(step: JsonObject, route: Route, reading: Reading): boolean {
  const keys = Object.keys(step);
  if (keys.some(reading.isCommand)) return false;
  return isPlay(step, route, reading) || isModule(step, keys, route, reading);
}

/** `hosts: all` with `tasks` beside it. */
function isPlay(step: JsonObject, route: Route, { source, report }: Reading): boolean {
  if (!Object.hasOwn(step, 'hosts') || !TASKS.some((key) => isList(step[key]))) return false;
  const { options, others } = optionsCarried(step, [...ABOUT_MACHINES, 'tasks']);
  const group = { group: step['tasks'] ?? null, ...options };
  // Comments between the keys are lost.
  const operations = [{ kind: 'replace', route, value: group }] as const;
  const isWhole = others.length === 0 && isList(step['tasks']);
  const fixes: readonly Fix[] = isWhole ? [{ title: 'write its tasks as a group', safety: 'unsafe', operations }] : [];
  report(d.playAsStep({ at: { source, route: [...route, 'hosts'], part: 'key' }, fixes }));
  return true;
}

/** `ansible.builtin.copy: {src: a.txt, dest: b.txt}` */
function isModule(step: JsonObject, keys: readonly string[], route: Route, { source, report }: Reading): boolean {
  for (const key of keys) {
    const meant = moduleMeant(key, step[key] ?? null);
    if (meant === undefined) continue;
    const at = { source, route: [...route, key], part: 'key' } as const;
    const { command: nearest } = meant;
    report(d.moduleOfPlaybook({ at, name: key, nearest, fixes: inOurWords(step, key, meant, route) }));
    return true;
  }
  return false;
}

function inOurWords(step: JsonObject, key: string, { command, parameters, expect }: ModuleMeant, route: Route) {
  const fixes: Fix[] = [];
  const { options, others } = optionsCarried(step, [key]);
  const isAlone = expect === undefined || options['expect'] === undefined;
  if (command !== undefined && parameters !== undefined && others.length === 0 && isAlone) {
    const value: Json = { [command]: parameters, ...(expect !== undefined && { expect }), ...options };
    const operations = [{ kind: 'replace', route, value }] as const;
    fixes.push({ title: `write it as ${command}: …`, safety: 'unsafe', operations });
  }
  if (command === undefined && typeof route.at(-1) === 'number')
    fixes.push({ title: 'leave it out', safety: 'unsafe', operations: [{ kind: 'remove', route }] });
  return fixes;
}
