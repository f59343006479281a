import { STDIN } from '#compiler/phases/4-resolve/files.ts';
import { DEFAULT_LIMITS } from '#grammar/document/limits.ts';
import type { Compiler } from '#runtime/adapters/compiler/port.ts';
import type { Around, CompileActions, CompiledActions, Implementation } from '#runtime/kernel/linked.ts';
import type { ActionCalls, CallsAround } from '#runtime/servers/action-calls.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import type { ActionToolsAround } from './action-tools.ts';
import { checkList, compileLists, type ListPlan, type ListsMade, type ListWork } from './lists/compile-list.ts';
import type { ListRules } from './lists/list-rules.ts';
import type { compileInThread } from './lists/lists-in-thread.ts';
import { refusedIn } from './lists/refused-name.ts';
import { linkedOf } from './program.ts';

/** Compiles what commands hand over while a run goes on. */
export function makeCompileActions(rules: ListRules = {}): CompileActions {
  const { functions, kept, threads } = rules;
  const made = (given: ListWork['given'], prefix: string, { host, root, here, signal }: Around): Promise<ListsMade> => {
    // Files may run elsewhere too, where there are no such functions.
    const work = { given, prefix, root, here, ...(functions && typeof given === 'string' && { functions }) };
    return threads ? threads.compile(work, host, signal) : compileLists(work, host);
  };
  return {
    list: async (actions, prefix, around) => {
      try {
        const content = textOf(actions);
        const known = kept?.find(content, prefix);
        if (known) return permitted(known, rules);
        const { plans, lookedAround } = await made(content, prefix, around);
        const compiled = linked(plans[0] ?? NOTHING, prefix);
        if (!lookedAround) kept?.keep(content, prefix, compiled);
        return permitted(compiled, rules);
      } catch (error) {
        // Mistakes would tell of a command that is refused.
        const refused = isMistake(error) && rules.allows ? refusedIn(actions, rules.allows) : undefined;
        throw refused === undefined ? error : notPermitted(refused);
      }
    },
    files: async (paths, prefix, around) => {
      const { plans } = await made(paths, prefix, around);
      return plans.map((plan, index) => permitted(linked(plan, `${prefix}.${index}`), rules));
    },
    check: async (actions, { host, root, here, signal }) => {
      const [content, list] = [textOf(actions), { root, here, ...(functions && { functions }) }];
      return threads ? threads.check(content, list, host, signal) : checkList(content, list, host);
    },
  };
}

const NOTHING: ListPlan = { facts: {}, places: {}, parts: [] };

function linked({ facts, places, parts }: ListPlan, prefix: string): CompiledActions {
  return { prefix, ...linkedOf(facts, places), parts };
}

/** Every command that the compiled lists can run stands among their facts, whichever list it was nested in. */
function permitted(compiled: CompiledActions, { allows = () => true, guard }: ListRules): CompiledActions {
  const refused = Object.keys(compiled.facts).find((command) => !allows(command));
  if (refused !== undefined) throw notPermitted(refused);
  return guard ? { ...compiled, commands: commandsBehind(guard, compiled.commands) } : compiled;
}

type Guard = NonNullable<ListRules['guard']>;
type Commands = CompiledActions['commands'];

/** Commands behind their guards, made once for a list that is kept: by the guard, then by the commands themselves. */
const behindGuards = new WeakMap<Guard, WeakMap<Commands, Commands>>();

function commandsBehind(guard: Guard, commands: Commands): Commands {
  const known = behindGuards.get(guard) ?? new WeakMap<Commands, Commands>();
  behindGuards.set(guard, known);
  const behind = known.get(commands) ?? guarded(commands, guard);
  known.set(commands, behind);
  return behind;
}

function notPermitted(action: string): Failure {
  return fail.actionNotPermitted({ action, actual: action });
}

/** A list that was looked at and has mistakes. */
function isMistake(error: unknown): boolean {
  return error instanceof Failure && error.name !== 'ActionNotPermittedException';
}

function guarded(commands: Commands, guard: Guard): Commands {
  const entries = Object.entries(commands).map(([name, load]) => {
    const loaded = async (): Promise<Implementation> => {
      const implementation = await load();
      return async (args, base) => {
        await guard(name, args as JsonObject);
        return implementation(args, base);
      };
    };
    return [name, loaded] as const;
  });
  return Object.fromEntries(entries);
}

/**
 * The text of a list. One that is nested too deep to be written is refused as the reader of files refuses it, and so is
 * one that is no JSON: it holds itself, or a number such as `1n`.
 */
function textOf(actions: Json): string {
  try {
    return JSON.stringify(actions);
  } catch (cause) {
    if (!(cause instanceof RangeError)) {
      const [reason] = cause instanceof Error ? cause.message.split('\n') : [String(cause)];
      throw fail.actionsInvalid({ problems: `it is not JSON: ${reason}`, cause });
    }
    const { code, message } = d.tooDeep({
      at: { source: STDIN, route: [], part: 'value' },
      limit: DEFAULT_LIMITS.depth,
    });
    throw fail.actionsInvalid({ problems: `${code} ${message}`, cause });
  }
}

/** Door through which servers of actions run them (`runtime/servers`); loaded only when one is started. */
export async function openActionCalls(around: CallsAround): Promise<ActionCalls> {
  return (await import('./callers/action-calls.ts')).actionCalls(around);
}

/** Door of the port `compiler` to commands about action files; loaded only when one of them asks. */
export async function openActionTools(around: ActionToolsAround): Promise<Compiler> {
  return (await import('./action-tools.ts')).actionTools(around);
}

/** Door of threads that compile lists for servers. */
export async function openListThread(): Promise<typeof compileInThread> {
  return (await import('./lists/lists-in-thread.ts')).compileInThread;
}
