import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { spawnProgram } from './spawn.ts';

/** A process, told from a later one with the same number by the moment of its start. */
export interface Process {
  readonly pid: number;
  readonly start: string;
}

interface Seen extends Process {
  readonly parent: number;
  readonly group: number;
}

/**
 * Processes that descend from a process now. A program that makes a session of its own leaves the group of its
 * parent, and is still found here. Empty where the system has no /proc: there the group has to do.
 */
export function processesBelow(pid: number): readonly Process[] {
  const seen = runningProcesses();
  const found: Seen[] = [];
  const parents = new Set([pid]);
  // Children may have lower numbers than their parents, where numbers have gone round.
  for (let grown = true; grown;) {
    const more = seen.filter((one) => parents.has(one.parent) && !parents.has(one.pid));
    for (const one of more) parents.add(one.pid);
    found.push(...more);
    grown = more.length > 0;
  }
  return found;
}

/** Sends a signal to a program, its group, and those of `others` that are still the same processes. */
export function signalTree(pid: number, others: readonly Process[], signal: 'SIGTERM' | 'SIGKILL'): void {
  if (process.platform === 'win32') return endOnWindows(pid);
  send(-pid, signal);
  for (const { pid: other, start } of others) if (processOf(other)?.start === start) send(other, signal);
}

/**
 * Whether anything of the group, or of `others`, still runs. A process that has ended and waits for its parent
 * to notice does not.
 */
export function isTreeAlive(pid: number, others: readonly Process[]): boolean {
  if (process.platform === 'win32') return false;
  if (others.some((one) => processOf(one.pid)?.start === one.start)) return true;
  return send(-pid, 0) && (process.platform !== 'linux' || runningProcesses().some(({ group }) => group === pid));
}

function send(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    // It has ended meanwhile, or has become somebody else's.
    return false;
  }
}

/** Windows has no groups of processes; its own program ends a tree, and at once. */
function endOnWindows(pid: number): void {
  const taskkill = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe');
  spawnProgram(taskkill, ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' }).on('error', () =>
    send(pid, 'SIGKILL'),
  );
}

function runningProcesses(): readonly Seen[] {
  if (process.platform !== 'linux') return [];
  try {
    return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (processOf(Number(name)) ?? []) : []));
  } catch {
    return [];
  }
}

/** A process by its number; undefined where there is none that runs. */
function processOf(pid: number): Seen | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name stands in brackets and may hold anything; what follows is fixed.
    const [state = '', parent = '', group = '', ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' || state === 'X'
      ? undefined
      : { pid, parent: Number(parent), group: Number(group), start: rest[16] ?? '' };
  } catch {
    return undefined;
  }
}
