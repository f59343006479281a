import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

import * as fail from '#schemas/generated/failures.ts';
import type { Host, StartedProcess } from '#schemas/types/host.ts';
import type { LoadResult } from '#schemas/types/load.ts';

import type { LoadOptions, LoadRun } from './port.ts';

/** Bytes of a result: endpoints, seconds and buckets of hours. */
const MOST = 64 * 1024 * 1024;
const SHOWN = 2000;
/** Time (ms) in which the engine ends by itself after it was asked to. */
const GRACE_MS = 2000;

interface Options extends LoadOptions {
  /** Hears how the run goes, a line a second. */
  readonly told: (line: string) => void;
}

/** Runs the engine in a process of its own with the plan on its standard input. */
export async function runEngine(
  input: string,
  { timeout_ms: timeoutMs, signal, told, stopped }: Options,
  { processes, clock }: Pick<Host, 'processes' | 'clock'>,
): Promise<LoadRun> {
  const { flags, file } = engine();
  signal.throwIfAborted();
  const child = processes.start(process.execPath, [...flags, file], { input: whole(input) });
  let isLate = false;
  const timers: (() => void)[] = [];
  const stop = (): void => {
    child.ask();
    timers.push(clock.timer(GRACE_MS, () => child.kill()));
  };
  timers.push(
    clock.timer(timeoutMs, () => {
      isLate = true;
      stop();
    }),
  );
  signal.addEventListener('abort', stop, { once: true });
  try {
    const [output, errors, { code, error }] = await Promise.all([
      readOutput(child),
      readErrors(child, told),
      child.ended,
    ]);
    const result = readResult(output);
    if (signal.aborted && result) for (const line of (await stopped?.(result)) ?? []) told(line);
    signal.throwIfAborted();
    if (error) throw fail.loadEngineFailed({ reason: error.message, cause: error });
    return { result, code: isLate ? -1 : (code ?? 1), output: errors };
  } finally {
    for (const end of timers) end();
    signal.removeEventListener('abort', stop);
    child.release();
  }
}

async function* whole(text: string): AsyncGenerator<Uint8Array, void> {
  yield await Promise.resolve(new TextEncoder().encode(text));
}

async function readOutput({ streams }: StartedProcess): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of streams?.output ?? [])
    if (text.length < MOST) text += decoder.decode(chunk, { stream: true });
  return text;
}

/** The end of what the engine wrote beside its result; each line of progress is told when it is there. */
async function readErrors({ streams }: StartedProcess, told: (line: string) => void): Promise<string> {
  const decoder = new TextDecoder();
  let kept = '';
  let open = '';
  for await (const chunk of streams?.errors ?? []) {
    const [...lines] = (open + decoder.decode(chunk, { stream: true })).split('\n');
    open = (lines.pop() ?? '').slice(-SHOWN);
    for (const line of lines) {
      const progress = progressText(line);
      if (progress === undefined) kept = `${kept}${line}\n`.slice(-SHOWN);
      else told(progress);
    }
  }
  return (kept + open).slice(-SHOWN);
}

/** A line of progress as people read it; undefined: it is another line. */
function progressText(line: string): string | undefined {
  try {
    const { second, requests, failures } = JSON.parse(line) as Readonly<Record<string, unknown>>;
    if (typeof second !== 'number' || typeof requests !== 'number' || typeof failures !== 'number') return undefined;
    return `load: ${second} s, ${requests} requests, ${failures} failed`;
  } catch {
    return undefined;
  }
}

/**
 * The engine's module: beside this one in the sources, else that of the installed package. It is never part of a
 * program.
 */
function engine(): { readonly flags: readonly string[]; readonly file: string } {
  if (import.meta.url.endsWith('/load/run-engine.ts'))
    return {
      flags: ['--conditions=source', '--disable-warning=ExperimentalWarning'],
      file: fileURLToPath(new URL('./engine/main.ts', import.meta.url)),
    };
  try {
    return { flags: [], file: createRequire(import.meta.url).resolve('svc/load-engine') };
  } catch (cause) {
    throw fail.loadEngineMissing({ cause });
  }
}

function readResult(text: string): LoadResult | undefined {
  try {
    return JSON.parse(text) as LoadResult;
  } catch {
    return undefined;
  }
}
