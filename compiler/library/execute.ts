import { nodeHost } from '#runtime/hosts/node.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { CommandMap } from '#schemas/generated/command-map.ts';
import type { Host } from '#schemas/types/host.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { substitute as filled } from '#stdlib/files/jobs/execute/substitute.ts';
import type { StepResult } from '#stdlib/files/step-results.ts';

import { once, Session } from './session.ts';
import type { SessionOptions } from '#compiler/engine/unit-session.ts';

export type { StepResult } from '#stdlib/files/step-results.ts';

/** A list of actions, or an object that holds one under `auto_control` or `actions`: what stands in an action file. */
export type ActionList = Json;

/** Result of each action, in list order, by `execute[<index>]: ` and the action as it was given, as compact JSON. */
export type ActionResults = Readonly<Record<string, StepResult>>;

/** Options for running a list. */
export interface ExecuteOptions extends SessionOptions {
  /** Tell what would run, run nothing. */
  readonly dry_run?: boolean;
  /**
   * The whole list is always checked before its first action runs, and references are always filled: neither can be
   * switched off.
   */
  readonly validate_first?: true;
  readonly substitute?: true;
}

/** Options for running actions at the same time. */
export interface ParallelOptions extends SessionOptions {
  /** The largest number of actions at once; 4 by default. */
  readonly max_workers?: number;
  readonly dry_run?: boolean;
}

/** Options for running a graph. */
export interface DagOptions extends ParallelOptions {
  /** Skip what depends on a failure; true by default. */
  readonly fail_fast?: boolean;
}

/** One node of a graph: `depends_on` names nodes that must have ended before. */
export interface DagNode {
  /** Unique in its graph. */
  readonly id: string;
  /** One action, in any form that a list takes. */
  readonly action: Json;
  readonly depends_on?: readonly string[];
}

/**
 * Runs a list of actions in order. One that fails does not stop those behind it: its entry says so. Rejects where
 * nothing has run: with `ExecuteActionException` something that is no list or an empty one, with `ValidationException`
 * unknown names and parameters that do not fit.
 */
export async function execute_action(
  actions: ActionList,
  { dry_run = false, ...options }: ExecuteOptions = {},
): Promise<ActionResults> {
  const results = await asAction('FA_execute_action', { action_list: given(actions), dry_run }, options);
  return keyed(results as ActionResults, await itemsOf(actions));
}

/** The same, several at once; no action may need what another one makes. */
export async function execute_action_parallel(
  actions: ActionList,
  { max_workers = 4, dry_run = false, ...options }: ParallelOptions = {},
): Promise<ActionResults> {
  const results = await asAction(
    'FA_execute_action_parallel',
    { action_list: given(actions), max_workers, dry_run },
    options,
  );
  return keyed(results as ActionResults, await itemsOf(actions));
}

/**
 * Runs nodes in the order of what they depend on, and answers by node id. Rejects with `DagException` for a cycle, an
 * id that is used twice or unknown, and a node without id or action; nothing has run then.
 */
export async function execute_action_dag(
  nodes: readonly DagNode[],
  { max_workers = 4, fail_fast = true, dry_run = false, ...options }: DagOptions = {},
): Promise<Readonly<Record<string, StepResult>>> {
  return (await asAction(
    'FA_execute_action_dag',
    { nodes: nodes as unknown as Json, max_workers, fail_fast, dry_run },
    options,
  )) as Readonly<Record<string, StepResult>>;
}

/**
 * Runs action files one after the other, with one result for each. Rejects where one of them is broken, with
 * `JsonActionException` where it cannot be read; nothing has run then.
 */
export async function execute_files(
  execute_files_list: readonly string[],
  options: SessionOptions = {},
): Promise<readonly ActionResults[]> {
  const written = await Promise.all(execute_files_list.map((path) => itemsIn(path, options.host ?? nodeHost())));
  const results = await asAction('FA_execute_files', { execute_files_list: [...execute_files_list] }, options);
  return (results as readonly ActionResults[]).map((each, index) => keyed(each, written[index] ?? []));
}

/**
 * Checks names, parameters and nested lists, and answers with the command names in order. Rejects with
 * `ValidationException`, which tells every problem.
 */
export async function validate_action(
  actions: ActionList,
  { host = nodeHost(), functions = {} }: SessionOptions = {},
): Promise<readonly string[]> {
  const { makeCompileActions } = await import('#compiler/engine/compile-actions.ts');
  const { commands, problems } = await makeCompileActions({ functions: new Set(Object.keys(functions)) }).check(
    given(actions),
    {
      host,
      root: host.cwd,
      here: host.cwd,
    },
  );
  if (problems.length > 0) throw fail.actionsInvalid({ problems: problems.join('; '), actual: problems });
  return commands;
}

/** A copy in which the references of all texts are filled; keys stay. Rejects with `SubstitutionException`. */
export function substitute(payload: Json, options: SessionOptions = {}): Promise<Json> {
  return once('substitute', ['references'], ({ references }) => filled(payload, references), options);
}

/** Actions as they were given; those that a program forgot are no list, as null is none. */
function given(actions: Json | undefined): Json {
  return actions ?? null;
}

/** Results by the actions as they were given. */
function keyed(results: ActionResults, items: readonly Json[]): ActionResults {
  return Object.fromEntries(
    Object.values(results).map((result, index) => [
      `execute[${index}]: ${JSON.stringify(items[index] ?? result.action)}`,
      result,
    ]),
  );
}

/** Only who has results to tell pays for the words of action files. */
async function itemsOf(actions: Json): Promise<readonly Json[]> {
  return (await import('#compiler/engine/callers/action-items.ts')).actionItems(actions);
}

/** The actions of a file; what cannot be read is told by its run. */
async function itemsIn(path: string, { files }: Pick<Host, 'files'>): Promise<readonly Json[]> {
  const { readDocument } = await import('#grammar/document/read.ts');
  try {
    const { document } = await readDocument(await files.read(path), { source: path });
    return document ? await itemsOf(document.value) : [];
  } catch {
    return [];
  }
}

async function asAction(name: keyof CommandMap, params: JsonObject, options: SessionOptions): Promise<unknown> {
  await using session = await Session.open(options);
  return await session.action(name, params);
}
