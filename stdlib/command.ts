import { fileFailure } from '#runtime/kernel/file-failure.ts';
import type { Preview } from '#runtime/kernel/linked.ts';
import type { CommandMap } from '#schemas/generated/command-map.ts';
import type { Base, Ports } from '#runtime/kernel/ports.ts';
import { Failure } from '#schemas/types/failure.ts';

/**
 * Context of a command's function, beside its parameters: the base, and exactly the ports that its declaration
 * needs.
 */
export type Context<Name extends keyof CommandMap> = Base & Pick<Ports, CommandMap[Name]['needs'] & keyof Ports>;

export type CommandFunction<Name extends keyof CommandMap> = (
  params: CommandMap[Name]['params'],
  ctx: Context<Name>,
) => CommandMap[Name]['result'] | Promise<CommandMap[Name]['result']>;

/** Says by reading alone what a call would change, for dry runs of what is declared with `preview`. */
export type CommandPreview<Name extends keyof CommandMap> = (
  params: CommandMap[Name]['params'],
  ctx: Context<Name>,
) => Promise<Preview>;

/** Ties a function to its declaration: types of parameters, result and context come from there. */
export function command<Name extends keyof CommandMap>(
  _name: Name,
  fn: CommandFunction<Name>,
  preview?: CommandPreview<Name>,
): CommandFunction<Name> {
  return preview ? Object.assign(fn, { preview }) : fn;
}

/** Names that say more than a family's own: they stay whoever threw them. */
const EXACT: ReadonlySet<string> = new Set([
  'CancelledException',
  'PathTraversalException',
  'QuotaExceededException',
  'SecretNotFoundException',
  'SubstitutionException',
  'ValidationException',
]);

/**
 * The same for a family whose failures have one name by the specification: whatever shared code threw is called that,
 * also what the file system said. `keeps` lists names that stay. Codes, texts and classes do not change; failures of
 * the run itself, such as a time limit or a closed gate, keep their names.
 */
export function commandRaising(exception: string, keeps: readonly string[] = []): typeof command {
  const renamed = (error: unknown, signal: AbortSignal): unknown => {
    const failure = error instanceof Failure ? error : fileFailure(error);
    if (!failure || signal.aborted) return error;
    const { code, name } = failure.facts;
    if (isOfTheRun(code, name) || name === exception || EXACT.has(name) || keeps.includes(name)) return failure;
    return new Failure({ ...failure.facts, name: exception }, failure.options);
  };
  return (_name, fn, preview) => {
    const raising: typeof fn = (params, ctx) => {
      try {
        const result = fn(params, ctx);
        if (!(result instanceof Promise)) return result;
        return result.catch((error: unknown) => {
          throw renamed(error, ctx.signal);
        });
      } catch (error) {
        throw renamed(error, ctx.signal);
      }
    };
    return preview ? Object.assign(raising, { preview }) : raising;
  };
}

/** Failures of the kernel, but for those of regular expressions, which families search with. */
function isOfTheRun(code: string, name: string): boolean {
  return code.startsWith('SVC80') && !name.startsWith('match-');
}
