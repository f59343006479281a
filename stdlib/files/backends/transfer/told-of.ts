import { Failure } from '#schemas/types/failure.ts';

/**
 * The error about a part that is sent first, told of the file that was meant. What a service says in its own words
 * stays: it speaks of the part, and its log does too.
 */
export function toldOf(path: string, part: string, error: unknown): unknown {
  const named = (text: string): string => text.replaceAll(`${part}"`, `${path}"`).replaceAll(`${part}'`, `${path}'`);
  if (error instanceof Failure) {
    const { facts, options } = error;
    return facts.message.includes(part) ? new Failure({ ...facts, message: named(facts.message) }, options) : error;
  }
  if (!(error instanceof Error && 'path' in error && typeof error.path === 'string' && error.path.endsWith(part)))
    return error;
  const told = new Error(named(error.message), { cause: error });
  return Object.assign(told, error, { path: error.path.slice(0, -part.length) + path });
}
