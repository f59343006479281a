import type { Json, JsonObject } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';

/** Facts about an action as data, for a runner. */
export interface ActionFacts {
  readonly id: string | undefined;
  readonly depends_on: readonly string[];
  readonly tags: readonly string[];
}

/** The facts of an action in any of its forms; those beside the command win over those among its parameters. */
export function readAction(action: Json): ActionFacts {
  const owners = ownersOf(action);
  const given = (key: string): Json | undefined =>
    owners.find((owner) => Object.hasOwn(owner, key) && owner[key] !== null)?.[key];
  const id = given('id');
  return {
    id: typeof id === 'string' ? id : undefined,
    depends_on: texts(given('depends_on')),
    tags: texts(given('tags')),
  };
}

/** The actions of a list, or of an object that holds one under a body key. */
export function actionsOf(list: Json): readonly Json[] {
  if (Array.isArray(list)) return list as readonly Json[];
  const held = isObject(list) ? Object.values(list).find((value) => Array.isArray(value)) : undefined;
  return (held as readonly Json[] | undefined) ?? [];
}

/** Objects in which step options may stand, the strongest first. */
function ownersOf(action: Json): readonly JsonObject[] {
  if (Array.isArray(action)) return [action[2], action[1]].filter((part) => isObject(part as Json)) as JsonObject[];
  if (!isObject(action)) return [];
  const parameters = Object.entries(action).find(([key]) => /^(?:WR|AT|FA)_/.test(key))?.[1];
  return isObject(parameters) ? [action, parameters] : [action];
}

function texts(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? (value as readonly Json[]).filter((item) => typeof item === 'string') : [];
}
