import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import { Failure } from '#schemas/types/failure.ts';

/** Nothing to run: neither a list nor an object that holds one, or an empty one. */
const NO_LIST = new Set(['steps-not-written-out', 'not-a-list', 'empty-body', 'not-an-action-file', 'body-missing']);
const GRAPH = new Set(['duplicate-step-id', 'unknown-dependency', 'step-cycle', 'not-a-node', 'node-lacks']);
/** Keys by which a node names itself and what it waits for. */
const NODE_KEYS = new Set<string | number>(['id', 'depends_on']);

/** The failure by the name that the specification has for what was found in a list; its code and text stay. */
export function refusedAs(failure: Failure, diagnostics: readonly Diagnostic[]): Failure {
  const errors = diagnostics.filter(isError);
  if (errors.every(isOfGraph)) return renamed(failure, 'DagException');
  return errors.every(({ slug }) => NO_LIST.has(slug)) ? renamed(failure, 'ExecuteActionException') : failure;
}

/** The failure of a file that is missing, or that cannot be read as YAML or JSON. */
export function refusedUnread(failure: Failure): Failure {
  return renamed(failure, 'JsonActionException');
}

/** Whether a file is no text, or neither YAML nor JSON. */
export function isUnread(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((found) => isError(found) && /^SVC100[0-6]/.test(found.code));
}

function renamed({ facts, options }: Failure, name: string): Failure {
  return new Failure({ ...facts, name }, options);
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}

function isOfGraph({ slug, primary: { route } }: Diagnostic): boolean {
  const key = route[route.indexOf('nodes') + 2];
  return GRAPH.has(slug) || (route.includes('nodes') && key !== undefined && NODE_KEYS.has(key));
}
