import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { many, one } from '../options.ts';

const statuses: readonly ExitStatus[] = [0, 1, 2, 70, 130, 143];

/** Runs compiled programs one after another, each in a process of its own, with the options that programs take. */
export async function runPrograms(paths: readonly string[], args: ParsedArguments, terminal: Terminal): Promise<ExitStatus> {
  let worst: ExitStatus = 0;
  for (const path of paths) {
    const file = resolve(terminal.cwd, path);
    if (!(await isProgram(file))) throw fail.programNotReadable({ path });
    const status = await runProgram(file, programOptions(args), terminal);
    if (status > worst) worst = status;
    if (status >= 130 || (status !== 0 && args.options['fail-fast'])) break;
  }
  return worst;
}

/** Programs say in their first lines what made them. */
async function isProgram(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined);
  if (!file) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0);
    return buffer.subarray(0, bytesRead).toString('utf8').includes('__svc_program');
  } finally {
    await file.close();
  }
}

function programOptions({ options }: ParsedArguments): string[] {
  const single = ['env', 'dotenv', 'record', 'report-dir'].flatMap((name) => {
    const value = one(options, name);
    return value === undefined ? [] : [`--${name}`, value];
  });
  const repeated = ['var', 'allow', 'deny', 'reporter'].flatMap((name) => many(options, name).flatMap((value) => [`--${name}`, value]));
  const flags = ['dry-run', 'fail-fast'].flatMap((name) => (options[name] ? [`--${name}`] : []));
  return [...single, ...repeated, ...flags];
}

function runProgram(file: string, argv: readonly string[], terminal: Terminal): Promise<ExitStatus> {
  return new Promise((resolveStatus, reject) => {
    const child = spawn(process.execPath, [file, ...argv], { cwd: terminal.cwd, env: terminal.env as NodeJS.ProcessEnv, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      const status = signal === 'SIGINT' ? 130 : signal === 'SIGTERM' ? 143 : code;
      resolveStatus(statuses.find((known) => known === status) ?? 70);
    });
  });
}
