import { isList, isObject, type Json } from '#schemas/types/json.ts';

/** A list of actions, or an object as action files hold it, and what its caller wants of the run. */
export interface ActionsAsked {
  readonly actions: Json;
  readonly dryRun: boolean;
}

/**
 * Options beside the actions, in whatever form these come. Lists are always checked first, and references are never
 * filled for a client.
 */
const options = ['validate_first', 'dry_run', 'substitute'] as const;
/** Keys that may stand beside `actions`; beside other keys of older files everything may, and is passed over. */
const known: ReadonlySet<string> = new Set(['actions', 'meta', 'setup', 'teardown', ...options]);

/** Reads what a caller sent: a list of actions, or an object that holds one. A text tells why it is neither. */
export function askedActions(body: Json): ActionsAsked | string {
  if (isList(body)) return { actions: body, dryRun: false };
  if (!isObject(body)) return 'not a list of actions';
  const other = Object.hasOwn(body, 'actions') ? Object.keys(body).find((key) => !known.has(key)) : undefined;
  if (other !== undefined) return `there is no option "${other}" beside "actions"`;
  const odd = options.find((key) => Object.hasOwn(body, key) && typeof body[key] !== 'boolean');
  if (odd !== undefined) return `"${odd}" must be true or false`;
  if (body['substitute'] === true) return 'references are not filled for callers';
  const { validate_first: _first, dry_run: dryRun, substitute: _filled, ...file } = body;
  const isBare = Object.keys(file).length === 1 && file['actions'] !== undefined;
  return { actions: isBare ? (file['actions'] ?? null) : file, dryRun: dryRun === true };
}
