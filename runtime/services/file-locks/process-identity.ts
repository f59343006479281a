import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Identity of a process of a machine: enough for another one to see that it is gone. Parts that the system does
 * not tell are empty.
 */
export interface ProcessIdentity {
  readonly host: string;
  readonly machine: string;
  /** Differs after each start of the machine. */
  readonly boot: string;
  /** Process numbers of another space mean nothing in this one (containers). */
  readonly pid_space: string;
  readonly pid: number;
  /** Start of the process, by the system's own count: a number is given to another process some day. */
  readonly started: string;
}

export function ownIdentity(): ProcessIdentity {
  return {
    host: hostname(),
    machine: textOf('/etc/machine-id'),
    boot: textOf('/proc/sys/kernel/random/boot_id'),
    pid_space: pidSpace(),
    pid: process.pid,
    started: statOf(process.pid)?.started ?? '',
  };
}

/**
 * Whether a process has certainly ended. False where nothing can be known: it runs on another machine, or in a
 * container whose processes are not seen from here.
 */
export function isGone(other: ProcessIdentity, own: ProcessIdentity): boolean {
  if (other.host !== own.host || other.machine !== own.machine) return false;
  // Without a number of the machine, another one of this name that runs right now looks the same.
  if (other.boot !== own.boot) return own.machine !== '' && other.boot !== '' && own.boot !== '';
  if (other.pid_space !== own.pid_space) return false;
  if (!exists(other.pid)) return true;
  const stat = statOf(other.pid);
  if (stat === undefined) return false;
  return stat.state === 'Z' || stat.state === 'X' || (other.started !== '' && stat.started !== other.started);
}

/** Whether both run at once on one machine, so that their monotonic clocks show the same. */
export function sharesClock(one: ProcessIdentity, other: ProcessIdentity): boolean {
  return one.boot !== '' && one.boot === other.boot && one.machine === other.machine && one.host === other.host;
}

/** Name of a process in failures. */
export function describe({ pid, host }: ProcessIdentity): string {
  return `process ${pid} on ${host}`;
}

export function isIdentity(value: unknown): value is ProcessIdentity {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Readonly<Record<string, unknown>>;
  return (
    ['host', 'machine', 'boot', 'pid_space', 'started'].every((name) => typeof fields[name] === 'string') &&
    Number.isSafeInteger(fields['pid']) &&
    (fields['pid'] as number) > 0
  );
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there, but belongs to somebody else.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Linux tells state and start; the name in between may hold anything. */
function statOf(pid: number): { readonly state: string; readonly started: string } | undefined {
  const text = textOf(`/proc/${pid}/stat`);
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  const started = fields[19];
  return state === undefined || started === undefined ? undefined : { state, started };
}

function pidSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}
