import { resolve } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import type { ProcessResult } from '#schemas/types/host.ts';
import { command, type Context } from '#stdlib/command.ts';
import { requireFolder } from '#stdlib/files/kind.ts';
import { readingNamed } from '#stdlib/files/text-decoding.ts';

import { lastLines, outputText } from './output-text.ts';

/** Bytes that are kept of each stream. */
const kept = 10 * 1024 * 1024;

export const FA_run_shell = command('FA_run_shell', async (params, ctx) => {
  const [program = '', ...args] = params.command;
  const reading = readingNamed(params.encoding);
  const cwd = resolve(ctx.folders.cwd, params.cwd ?? '.');
  await requireFolder(ctx.files, cwd);
  const ended = await start(ctx, program, args, {
    cwd,
    timeout_ms: params.timeout * 1000,
    // One byte more tells that there was more.
    limit: kept + 1,
    output: params.capture_output ? 'keep' : 'drop',
    signal: ctx.signal,
    ...(params.env === null ? {} : { env: params.env }),
    ...(params.input === null ? {} : { input: params.input }),
  });
  const texts = { stdout: outputText(ended.stdout, reading, kept), stderr: outputText(ended.stderr, reading, kept) };
  const result = { returncode: statusOf(ended), ...texts };
  const about = { program, said: lastLines(texts.stderr) };
  if (ended.timed_out) throw fail.programTimeout({ ...about, seconds: params.timeout, result });
  if (params.check && result.returncode !== 0)
    throw fail.programFailed({ ...about, status: ended.signal ?? result.returncode, result });
  return result;
});

type Start = Parameters<Context<'FA_run_shell'>['processes']['run']>;

async function start(
  { processes, signal }: Context<'FA_run_shell'>,
  program: Start[0],
  args: Start[1],
  options: Start[2],
): Promise<ProcessResult> {
  try {
    return await processes.run(program, args, options);
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw fail.programNotStarted({ program, reason: reasonOf(cause), cause });
  }
}

/** Status as other programs count it: the negative number of the signal that ended it. */
function statusOf({ code, signal_number }: ProcessResult): number {
  return code ?? -(signal_number ?? 1);
}

/** Reason in one word. */
function reasonOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
}
