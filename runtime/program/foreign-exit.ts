import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';

/** A run that code of others could end, as seen from here. */
export interface Guarded {
  /** No new steps; teardown and release happen. */
  stop(reason: string): void;
  /** Brings what was recorded to the operating system. */
  flush(): void;
  /** Tells what no report can: where an error came from, and the last words of a process. */
  complain(text: string): void;
}

/** A teardown has a minute, and what is open some seconds to let go. */
const GRACE_MS = 80_000;
/** Node's own way out, below `process.exit`; not declared, for nobody should call it. */
const below = process as unknown as { reallyExit: (status?: number) => never };
/** Functions of the process as they were when this was loaded: before any module of others. */
const exit = process.exit.bind(process);
const reallyExit = /* @__PURE__ */ below.reallyExit.bind(process);
let isLeaving = false;

/** Ends the process at once: the one way out that is ours while a run goes on. */
export function exitNow(status: number): never {
  isLeaving = true;
  return exit(status);
}

/**
 * Lets nobody but us end the process while a run goes on: a module that calls `process.exit` gets a failure in
 * its place, an error that nobody catches and work that can never end stop the run, and teardown, reports and
 * records come as after any other failure. A call that ends the process all the same ends it with a failure.
 * Yields a function that gives everything back as it was.
 */
export function guardExit(run: Guarded): () => void {
  const before = {
    exitCode: process.exitCode,
    listeners: process.listeners('uncaughtException'),
  };
  const stop = (failure: Failure): Failure => {
    run.stop(failure.message);
    return failure;
  };
  const onError = (error: unknown): void => {
    if (!import.meta.withoutForeignCode && isRefusal(error)) return;
    run.complain(framesOf(error));
    const reason = error instanceof Error ? error.message : String(error);
    stop(fail.errorEscaped({ reason: import.meta.withoutForeignCode ? reason : `${originOf(error)}${reason}` }));
    setTimeout(() => exitNow(70), GRACE_MS).unref();
  };
  const onIdle = (): void => void stop(fail.nothingGoesOn());
  let isTold = false;
  const onExit = (): void => {
    if (isLeaving || isTold) return;
    isTold = true;
    process.exitCode = 1;
    run.flush();
    const { code, message, help } = fail.processLeft().facts;
    run.complain(`error[${code}]: ${message}\n${help === undefined ? '' : `  = ${help}\n`}`);
  };
  const giveBack = import.meta.withoutForeignCode ? undefined : refuseExit(stop, onExit);
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', onError).once('beforeExit', onIdle).on('exit', onExit);
  return () => {
    giveBack?.();
    process.off('uncaughtException', onError).off('beforeExit', onIdle).off('exit', onExit);
    for (const listener of before.listeners) process.on('uncaughtException', listener);
    process.exitCode = before.exitCode;
  };
}

/** Puts a failure in the place of the process's end. Yields what takes that back. */
function refuseExit(stop: (failure: Failure) => Failure, onExit: () => void): () => void {
  const before = { exit: process.exit, reallyExit: below.reallyExit };
  process.exit = (status?: string | number | null): never => {
    throw stop(fail.exitRefused({ status: String(status ?? process.exitCode ?? 0) }));
  };
  below.reallyExit = (status) => {
    if (isLeaving) return reallyExit(status);
    onExit();
    return reallyExit(status === undefined || status === 0 ? 1 : status);
  };
  // Modules that name `exit` in an import get what stands there now.
  syncBuiltins();
  return () => {
    process.exit = before.exit;
    below.reallyExit = before.reallyExit;
    syncBuiltins();
  };
}

function isRefusal(error: unknown): boolean {
  return error instanceof Failure && error.facts.name === 'exit-refused';
}

/** The package whose file an error was made in, as a beginning of its words; empty where the stack names none. */
function originOf(error: unknown): string {
  const [frame = ''] = framesOf(error)
    .split('\n')
    .filter((line) => !line.includes('node:'));
  const name = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(frame)?.[1];
  return name === undefined ? '' : `in the package "${name.replace('\\', '/')}": `;
}

/** Stack of an error, a line each; not its message, which may hold a secret and is told masked. */
function framesOf(error: unknown): string {
  const lines = error instanceof Error ? (error.stack?.split('\n') ?? []) : [];
  return lines
    .filter((line) => line.startsWith('    at '))
    .map((line) => `${line}\n`)
    .join('');
}

function syncBuiltins(): void {
  process.getBuiltinModule('node:module').syncBuiltinESMExports();
}
