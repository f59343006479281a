import { readJsonOrYaml } from '#grammar/openapi/read.ts';
import type { Settings } from '#runtime/kernel/ports.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { Json } from '#schemas/types/json.ts';

import { makeCompileActions } from './compile-actions.ts';
import { sessionObservers } from './observed.ts';
import { valueOf, type Project } from './project.ts';
import { openUnit } from './unit-session.ts';

/** A unit in which lines of actions run, one after the other. */
export interface Prompt extends AsyncDisposable {
  /**
   * Runs a line; `text` is one line: the result as JSON, or what is wrong. Never rejects because of what a line says.
   */
  run(line: string): Promise<{ readonly text: string; readonly failed: boolean }>;
}

/** Opens a unit in the project, with its environment and the variables of the command line. */
export async function openPrompt(
  { host, root, variables, environment }: Pick<Project, 'host' | 'root' | 'variables' | 'environment'>,
  { settings, signal }: { readonly settings: Partial<Settings>; readonly signal: AbortSignal },
): Promise<Prompt> {
  const unit = await openUnit({
    host,
    root,
    settings,
    signal,
    unit: { source: 'prompt' },
    environment,
    variables: Object.fromEntries(Object.entries(variables).map(([name, given]) => [name, valueOf(given)])),
    observers: sessionObservers(),
  });
  const compiler = makeCompileActions();
  let count = 0;
  const run = async (line: string): Promise<string> => {
    const read = await readJsonOrYaml(line);
    if ('error' in read) throw new SyntaxError(read.error);
    const given = read.json;
    const actions =
      Array.isArray(given) && given.every((one) => typeof one === 'object' && one !== null) ? given : [given];
    const compiled = await compiler.list(actions as Json[], `prompt#${count++}`, { host, root, here: root });
    let result: unknown = null;
    for (const node of compiled.parts[0]?.body ?? []) {
      const end = await unit.step(node, compiled);
      if (end.failure) throw end.failure;
      result = end.result;
    }
    return JSON.stringify(unit.masked((result ?? null) as Json) ?? null);
  };
  return {
    async run(line) {
      try {
        return { text: await run(line), failed: false };
      } catch (error) {
        if (error instanceof SyntaxError) return { text: `invalid JSON: ${oneLine(error.message)}`, failed: true };
        if (error instanceof Failure) return { text: `error: ${oneLine(unit.masked(told(error)))}`, failed: true };
        throw error;
      }
    },
    [Symbol.asyncDispose]: () => unit.close(),
  };
}

function told(failure: Failure): string {
  const { code, message } = said(failure);
  const { help } = failure.facts;
  return `[${code}] ${message}${help === undefined ? '' : ` (${help})`}`;
}

/** Code and text of a failure; of a line that did not compile, those of its one mistake. */
function said({ facts, options }: Failure): { readonly code: string; readonly message: string } {
  const { actual } = options;
  const [only, ...others] = facts.code === 'SVC85071' && Array.isArray(actual) ? (actual as readonly Json[]) : [];
  const [, code, message] = /^(?:\[0\][^ ]*: )?(SVC\d+) (.*)$/s.exec(others.length === 0 ? String(only) : '') ?? [];
  return code === undefined || message === undefined ? facts : { code, message };
}

function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, '; ');
}
