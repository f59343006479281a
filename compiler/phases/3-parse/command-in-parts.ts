import type { Fix } from '#schemas/types/fix.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import { isStepOption } from '../1-read/vocabulary.ts';

const NAMES = ['command', 'action', 'type', 'cmd', 'call', 'function', 'keyword', 'method'];
const PARAMETERS = ['args', 'arguments', 'params', 'parameters', 'kwargs', 'options', 'input', 'inputs', 'with'];

/** An action that names its command as a value, as other tools have it: `{command: NAME, args: {…}}`. */
export interface InParts {
  /** Key under which the command stands. */
  readonly key: string;
  readonly command: string;
  readonly fix: Fix;
}

/** The command of an object whose keys are parts of an action; `kept` stay where they are. */
export function commandInParts(
  object: JsonObject,
  route: Route,
  isCommand: (name: string) => boolean,
  kept: readonly string[] = [],
): InParts | undefined {
  const key = NAMES.find((name) => typeof object[name] === 'string' && isCommand(object[name]));
  if (key === undefined) return undefined;
  const command = String(object[key]);
  const others = Object.entries(object).filter(([name]) => name !== key && !kept.includes(name));
  const options = others.filter(([name]) => isStepOption(name));
  const rest = others.filter(([name]) => !isStepOption(name));
  const whole = { [command]: parametersOf(rest), ...Object.fromEntries(options) };
  const before = Object.entries(object).filter(([name]) => kept.includes(name));
  const value: Json = kept.length === 0 ? whole : { ...Object.fromEntries(before), action: whole };
  const title = `write it as ${command}: …`;
  // Comments between the keys are lost.
  return { key, command, fix: { title, safety: 'unsafe', operations: [{ kind: 'replace', route, value }] } };
}

function parametersOf(rest: readonly (readonly [name: string, value: Json])[]): Json {
  const [first, ...more] = rest;
  if (first === undefined) return null;
  const [name, value] = first;
  const isWhole = more.length === 0 && PARAMETERS.includes(name) && (isObject(value) || isList(value));
  return isWhole ? value : Object.fromEntries(rest);
}
