import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../built.ts';
import { requireProgram } from '../fixtures/programs.ts';
import { readTrace, type Trace } from './trace.ts';
import type { World } from './world.ts';

export interface Limits {
  /** Processor time of each process; the wall clock gets three times as much, and 20 s for a busy machine. */
  readonly seconds?: number;
  /** Memory that a process may write to. */
  readonly mib?: number;
}

export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  /** Negative after a signal, `undefined` when the wall clock was over. */
  readonly exit: number | undefined;
  readonly trace: Trace;
}

export interface Start extends Limits {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Standard input stays open, and nothing is ever written to it. */
  readonly waits?: boolean;
  /** Notes system calls, unless it is false. */
  readonly trace?: boolean;
}

const traced = [
  'open',
  'openat',
  'openat2',
  'creat',
  'rename',
  'renameat',
  'renameat2',
  'unlink',
  'unlinkat',
  'mkdir',
  'mkdirat',
  'rmdir',
  'link',
  'linkat',
  'symlink',
  'symlinkat',
  'chmod',
  'fchmodat',
  'chown',
  'lchown',
  'fchownat',
  'truncate',
  'utimensat',
  'mknod',
  'mknodat',
  'execve',
  'execveat',
  'connect',
  'bind',
];
const SVC = join(root, 'dist/bin/svc.js');

/** Words before a program whose system calls, and those of its children, are noted in a file. */
export function tracing(notes: string): readonly string[] {
  requireProgram('strace');
  return [
    'strace',
    '-f',
    '--seccomp-bpf',
    '-qq',
    '-y',
    '-s',
    '4096',
    '-e',
    `trace=${traced.map((name) => `?${name}`).join(',')}`,
    '-e',
    'signal=none',
    '-o',
    notes,
  ];
}

/** Runs the built command line in the box of a world, under limits of the system and with its system calls noted. */
export function svcWithin(world: World, words: readonly string[], start: Start = {}): Promise<Outcome> {
  return nodeWithin(world, [SVC, ...words], start);
}

/** Runs Node in the box of a world, under limits of the system and with its system calls noted. */
export async function nodeWithin(
  world: World,
  words: readonly string[],
  { seconds = 20, mib = 1536, env = {}, input, waits = false, trace = true }: Start = {},
): Promise<Outcome> {
  requireProgram('prlimit');
  const notes = join(world.outer, '.trace');
  const limited = [`--cpu=${seconds}`, `--data=${mib * 2 ** 20}`, '--core=0', `--fsize=${2 ** 30}`, '--nofile=512'];
  const child = spawn('prlimit', [...limited, '--', ...(trace ? tracing(notes) : []), process.execPath, ...words], {
    cwd: world.box,
    env: { ...world.env, ...env },
    stdio: [input === undefined && !waits ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    detached: true,
  });
  child.stdin?.on('error', () => {});
  if (!waits) child.stdin?.end(input);
  let [stdout, stderr, isOver] = ['', '', false];
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString('latin1')));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString('latin1')));
  const clock = setTimeout(
    () => {
      isOver = true;
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    },
    seconds * 3_000 + 20_000,
  );
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(clock);
      const text = trace ? readFileSync(notes, 'utf8') : '';
      rmSync(notes, { force: true });
      resolve({
        stdout: utf8(stdout),
        stderr: utf8(stderr),
        exit: isOver ? undefined : signal === null ? (code ?? -1) : -1,
        trace: readTrace(text, world.box),
      });
    });
  });
}

/** Chunks end within characters: they are put together as bytes. */
function utf8(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
