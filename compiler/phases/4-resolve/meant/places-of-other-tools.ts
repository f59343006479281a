import type { Label } from '#schemas/types/diagnostic.ts';
import type { Json } from '#schemas/types/json.ts';
import type { Ref } from '#schemas/types/reference.ts';

import { valueAt } from '../../3-parse/routes.ts';
import type { View } from '../flow-facts.ts';

/** Names of other tools for the facts about a step. */
const OTHER_FIELDS: Readonly<Record<string, string>> = {
  ...{ conclusion: 'status', outcome: 'status', state: 'status' },
  ...{ output: 'result', outputs: 'result', response: 'result', stdout: 'result', value: 'result' },
};

/** The field that a name of another tool stands for, where it is one of these. */
export function fieldOfOtherWord(name: string, fields: readonly string[]): string | undefined {
  const meant = Object.hasOwn(OTHER_FIELDS, name) ? OTHER_FIELDS[name] : undefined;
  return meant !== undefined && fields.includes(meant) ? meant : undefined;
}

/** The reference to a step with another field; outputs by name have no counterpart. */
export function withField(written: string, owner: string, field: string, meant: string): string | undefined {
  const at = written.indexOf(`.${field}`);
  if (!owner.startsWith('steps.') || at < 0) return undefined;
  const behind = written.slice(at + field.length + 1);
  return `${written.slice(0, at)}.${meant}${field === 'outputs' ? behind.replace(/^(?:\.[\w-]+)+/, '') : behind}`;
}

/** Words of other tools for the place where inputs and variables are: here they stand by their names. */
const PLACES: ReadonlySet<string> = new Set(['inputs', 'params', 'parameters', 'variables', 'vars']);

/** `inputs.user`, where `user` is there. */
export function withoutPlace({ name, path = [] }: Ref, written: string, view: View): string | undefined {
  const [first] = path;
  if (!PLACES.has(name) || typeof first !== 'string' || !view.hasVariable(first)) return undefined;
  return written.includes(`${name}.`) ? written.replace(`${name}.`, '') : undefined;
}

/** The part of a text that a label marks. */
export function writtenAt({ route, part }: Label, document: Json): string {
  const text = valueAt(document, route);
  return typeof text === 'string' && Array.isArray(part) ? text.slice(part[0], part[1]) : '';
}
