import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Package of others that is loaded. */
interface Loaded {
  readonly name: string;
  /** Its folder, absolute. */
  readonly home: string;
}

interface Watch extends Loaded {
  readonly fail: (error: Error) => void;
}

const watches = new Set<Watch>();

/** Lets Node tell of promises that were left alone so far. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Does work of a package, and fails where code of it leaves a promise alone that failed. Node would end the process, or
 * the run, and nobody would know the package. The work must have an end.
 */
export async function withoutLeftRejections<Result>(loaded: Loaded, work: () => Promise<Result>): Promise<Result> {
  const left = Promise.withResolvers<never>();
  const done = async (): Promise<Result> => {
    const result = await work();
    await turn();
    return result;
  };
  const watch = { ...loaded, fail: left.reject };
  if (watches.size === 0) process.on('unhandledRejection', hear);
  watches.add(watch);
  try {
    return await Promise.race([done(), left.promise]);
  } finally {
    watches.delete(watch);
    if (watches.size === 0) process.off('unhandledRejection', hear);
  }
}

function hear(reason: unknown): void {
  const frames = framesOf(reason);
  const its = [...watches].filter(({ home }) => isIn(home, frames));
  for (const { fail } of its)
    fail(new Error(`a promise that nobody waits for failed while it was loaded: ${wordsOf(reason)}`));
  if (its.length > 0 || process.listenerCount('unhandledRejection') > 1) return;
  // As Node does where nobody listens.
  process.nextTick(() => {
    throw frames.length > 0 ? reason : ofSomebody(reason);
  });
}

function isIn(home: string, frames: readonly string[]): boolean {
  return frames.some((frame) => frame.includes(home + sep) || frame.includes(`${pathToFileURL(home).href}/`));
}

function framesOf(reason: unknown): readonly string[] {
  const { stack = '' } = reason instanceof Error ? reason : {};
  return stack.split('\n').filter((line) => line.startsWith('    at '));
}

/** Error for a reason that says nothing of its origin: it names those that it may come from. */
function ofSomebody(reason: unknown): Error {
  const names = [...watches].map(({ name }) => `"${name}"`).join(', ');
  return new Error(`${wordsOf(reason)}, which nobody waits for, while plugins were loaded: ${names}`, {
    cause: reason,
  });
}

function wordsOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
