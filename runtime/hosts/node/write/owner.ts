import { readFileSync, readlinkSync } from 'node:fs';

/** A running program, as the name of a temporary file carries it: numbers with base 36. */
export interface Owner {
  /** The machine since it was started, and the space in which process numbers count. */
  readonly world: string;
  readonly pid: number;
  /**
   * Start of the process in the system's own count; numbers of processes are used again. `0` where it cannot be told.
   */
  readonly start: string;
}

export function thisProcess(): Owner {
  return { world: worldName(), pid: process.pid, start: statOf(process.pid)?.start ?? '0' };
}

/** `unknown`: it ran elsewhere, or this system does not tell one use of a process number from the next. */
export function stateOf({ world, pid, start }: Owner, here: Owner): 'alive' | 'ended' | 'unknown' {
  if (world !== here.world) return 'unknown';
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH' ? 'ended' : 'unknown';
  }
  const found = statOf(pid);
  if (found === undefined) return 'unknown';
  // A process that was killed stands in the list until its parent has asked for it.
  return found.start !== start || /^[ZX]$/.test(found.state) ? 'ended' : 'alive';
}

/**
 * State and start time of a process, as Linux tells them; undefined elsewhere, and for processes that are
 * hidden from this user.
 */
function statOf(pid: number): { readonly state: string; readonly start: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program stands in brackets, and may hold blanks and brackets itself.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', start: Number(fields[19]).toString(36) };
  } catch {
    return undefined;
  }
}

/**
 * Differs between machines, between two starts of one, and between containers; short, and the same for all processes of
 * one.
 */
function worldName(): string {
  let text: string = process.platform;
  try {
    text += readFileSync('/proc/sys/kernel/random/boot_id', 'latin1') + readlinkSync('/proc/self/ns/pid');
  } catch {
    // Elsewhere process numbers are all there is.
  }
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash.toString(36);
}
