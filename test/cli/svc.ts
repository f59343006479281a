import { spawn, type ChildProcess } from 'node:child_process';

import { main } from '#compiler/cli/main.ts';
import { outgoing } from '#runtime/reporters/outgoing.ts';
import type { Terminal } from '#schemas/types/cli.ts';

import { commandLine } from '../built.ts';

export interface Said {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number;
}

export interface Around {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: Uint8Array | string;
}

/** Runs the command line in this process. */
export async function svc(cwd: string, args: readonly string[], { env = {}, input = '' }: Around = {}): Promise<Said> {
  let stdout = '';
  let stderr = '';
  const terminal: Terminal = {
    cwd,
    env: { HOME: cwd, ...inherited(), ...env },
    out: (text, form = 'people') => void (stdout += outgoing(text, form)),
    err: (text, form = 'people') => void (stderr += outgoing(text, form)),
    input: () => Promise.resolve(typeof input === 'string' ? new TextEncoder().encode(input) : input),
    lines: async function* () {
      yield* (typeof input === 'string' ? input : new TextDecoder().decode(input)).split('\n');
    },
    colours: { out: false, err: false },
    isTerminal: false,
    columns: 80,
  };
  const exit = await main(args, terminal);
  return { stdout, stderr, exit };
}

/** Variables that the command line hands on to processes that it starts. */
function inherited(): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) };
}

/** The command line in a process of its own. */
export function startSvc(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  stdout: 'pipe' | number = 'pipe',
): { readonly child: ChildProcess; readonly ended: Promise<Said & { readonly signal: string | null }> } {
  const child = spawn(process.execPath, [...commandLine, ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', stdout, 'pipe'],
  });
  let written = '';
  let stderr = '';
  child.stdout?.on('data', (chunk) => (written += String(chunk)));
  child.stderr?.on('data', (chunk) => (stderr += String(chunk)));
  const ended = new Promise<Said & { readonly signal: string | null }>((resolve) =>
    child.on('close', (code, signal) => resolve({ stdout: written, stderr, exit: code ?? -1, signal })),
  );
  return { child, ended };
}
