import { join } from 'node:path';

import type { CompileContext } from '#compiler/context.ts';
import type { Dag } from '#compiler/graph/dag.ts';
import type { Reader } from '#compiler/reader.ts';
import { isObject } from '#schemas/types/json.ts';

import { knownEnvironment, type KnownEnvironment } from './outside/environment.ts';
import { flowOf, literalText, type Profiles } from './flow.ts';
import { orderSteps, type Ordering } from './order.ts';
import type { Call, CallList } from './resolved.ts';
import type { Signature } from './signature.ts';
import type { Tokens } from './tokens.ts';
import { eachCall, eachList, listsOf } from './walk-calls.ts';

/** The order of every list that is a graph; one with a cycle has none, and is reported. */
export async function graphsOf(lists: readonly CallList[], ordering: Ordering): Promise<ReadonlyMap<CallList, Dag>> {
  const dags = new Map<CallList, Dag>();
  const visit = async (list: CallList, isParallel: boolean): Promise<void> => {
    const dag = await orderSteps(list, isParallel, ordering);
    if (dag !== undefined) dags.set(list, dag);
    for (const call of list.holders) {
      for (const [name, nested] of listsOf(call))
        await visit(nested, call.signature.parameters.get(name)?.parallel === true);
    }
  };
  for (const list of lists) await visit(list, false);
  return dags;
}

/** Call that defines each variable first. */
export function definersOf(lists: readonly CallList[], tokens: Tokens, profiles: Profiles): ReadonlyMap<string, Call> {
  const definers = new Map<string, Call>();
  eachCall(lists, (call) => {
    for (const name of flowOf(call, tokens, profiles)?.defines ?? []) if (!definers.has(name)) definers.set(name, call);
  });
  return definers;
}

/** Whether some step may define names that only a run knows. */
export function isOpen(lists: readonly CallList[], tokens: Tokens, profiles: Profiles): boolean {
  let open = false;
  eachList(lists, (list) => {
    open ||= list.incomplete;
  });
  eachCall(lists, (call) => {
    open ||= flowOf(call, tokens, profiles)?.isOpen === true;
  });
  return open;
}

/** Most files speak of no environment: nothing is read for them. */
export async function environmentOf(
  text: string,
  folder: string,
  name: string | undefined,
  context: CompileContext,
): Promise<KnownEnvironment> {
  // A key may be written with escapes in JSON, so that only the kinds' letters are looked for.
  if (text.includes('env') || text.includes('ENV') || text.includes('\\u'))
    return knownEnvironment(folder, name, context);
  return { has: () => false, keys: () => [], lookedFor: [], type: () => undefined, place: () => undefined };
}

const LARGEST_PROFILE = 1024 * 1024;

/** The names that files loaded by steps define (`variables: {defines: [file:PARAM]}`), where they can be read now. */
export async function readProfiles(
  lists: readonly CallList[],
  commands: Iterable<Signature>,
  tokens: Tokens,
  { host, reader }: CompileContext,
): Promise<Profiles> {
  const profiles = new Map<Call, readonly string[] | undefined>();
  // Few files call a command that loads another: the steps are looked through only for those.
  if (![...commands].some(({ info }) => info.variables?.defines?.some((name) => name.startsWith('file:'))))
    return profiles;
  const loading: { readonly call: Call; readonly parameter: string }[] = [];
  eachCall(lists, (call) => {
    const written = call.signature.info.variables?.defines?.find((each) => each.startsWith('file:'));
    if (written !== undefined) loading.push({ call, parameter: written.slice('file:'.length) });
  });
  for (const { call, parameter } of loading) {
    const path = literalText(call.args[parameter] ?? null, tokens);
    profiles.set(call, path === undefined ? undefined : await topNames(join(host.cwd, path), reader));
  }
  return profiles;
}

async function topNames(path: string, reader: Reader): Promise<readonly string[] | undefined> {
  if ((await reader.find(path))?.kind !== 'file') return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(await reader.read(path, { limit: LARGEST_PROFILE })));
    return isObject(value) ? Object.keys(value) : undefined;
  } catch {
    // The step that loads it says what is wrong with it.
    return undefined;
  }
}
