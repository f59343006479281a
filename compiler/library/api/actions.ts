import { scripts } from '#compiler/completion-scripts.ts';
import type { SessionOptions } from '#compiler/engine/unit-session.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';

import { CallbackExecutor, type CallbackOptions } from '../action-executor.ts';
import { create_project_dir as createProject } from '../project.ts';
import type { Session } from '../session.ts';

const METADATA = new Set(['id', 'depends_on', 'tags']);

/** A copy of an action without `id`, `depends_on` and `tags`; one in positional form is copied as it is. */
export function strip_runner_metadata(action: readonly Json[]): Json[] {
  return action.map((part, index) =>
    index > 0 && isObject(part)
      ? Object.fromEntries(Object.entries(part).filter(([name]) => !METADATA.has(name)))
      : part,
  );
}

/** Runs a command and then a function of the program, as `CallbackExecutor` of `svc/files` does. */
export async function callback_function(
  trigger_function_name: string,
  callback: (...given: never[]) => unknown,
  { kwargs, ...options }: Omit<CallbackOptions, 'kwargs'> & { readonly kwargs?: JsonObject | null } = {},
): Promise<unknown> {
  return await new CallbackExecutor().callback_function(trigger_function_name, callback, {
    ...options,
    ...(kwargs && { kwargs }),
  });
}

/** Removes a variable of a session; one that is not there is no error. */
export async function variable_delete(session: Session, name: string): Promise<void> {
  await session.step('variable_delete', ['variables'], ({ variables }) => {
    const kept = Object.entries(variables.all()).filter(([key]) => key !== name);
    variables.clear();
    for (const [key, value] of kept) variables.set(key, value, { reserved: true });
  });
}

/** A copy of the variables of a session, by name. */
export async function variable_snapshot(session: Session): Promise<Record<string, Json>> {
  return await session.step('variable_snapshot', ['variables'], ({ variables }) => ({ ...variables.all() }));
}

/** Makes a starter project in `<project_path>/<parent_name>`; files that are there stay as they are. */
export async function create_project_dir(
  project_path: string | null = null,
  { parent_name = 'svc' }: { readonly parent_name?: string } = {},
): Promise<null> {
  return await createProject(project_path, { parent_name });
}

/** The completion script for a shell; throws RangeError for another one. */
export function generate_completion_script(shell: 'bash' | 'zsh' | 'fish' | 'powershell'): string {
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
  if (script === undefined) throw new RangeError(`shell must be one of ${Object.keys(scripts).toSorted().join(', ')}`);
  return script;
}

/** Streams of `repl_loop`: those of the process by default. */
export interface ReplOptions {
  readonly input_stream?: AsyncIterable<string | Uint8Array> | null;
  readonly output_stream?: { write(text: string): unknown } | null;
  readonly show_prompt?: boolean;
}

/**
 * Runs an action a line, as `svc repl` does, until the input ends or says `exit` or `quit`; answers each with a line:
 * its result as JSON, or what is wrong. Yields how many lines ran. Variables, records and mocks live as long as the
 * loop.
 */
export async function repl_loop(
  { input_stream, output_stream, show_prompt = true }: ReplOptions = {},
  { host = nodeHost(), settings = {}, signal = new AbortController().signal }: SessionOptions = {},
): Promise<number> {
  const { openPrompt } = await import('#compiler/engine/prompt.ts');
  const { createInterface } = await import('node:readline');
  const { Readable } = await import('node:stream');
  const { standardOutput } = await import('#runtime/program/standard-streams.ts');
  const output = output_stream ?? { write: (text: string) => standardOutput.write(text, 'json') };
  await using prompt = await openPrompt(
    { host, root: host.cwd, variables: {}, environment: {} },
    { settings: { gates: {}, ...settings }, signal },
  );
  const input = input_stream ? Readable.from(input_stream) : process.stdin;
  const ask = (): void => void (show_prompt && output.write('svc> '));
  let count = 0;
  ask();
  for await (const line of createInterface({ input, crlfDelay: Infinity, signal })) {
    const text = line.trim();
    if (/^(?:exit|quit)$/i.test(text)) break;
    if (text !== '' && !text.startsWith('#')) {
      count += 1;
      output.write(`${(await prompt.run(text)).text}\n`);
    }
    ask();
  }
  return count;
}
