import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';

import { spawnProgram } from './spawn.ts';

/**
 * Reads which groups begin (`+ 12`) and end (`- 12`). Its input ends when the process that it watches is gone, however
 * that ended: then it kills the groups that are left, and what has left them for a session of its own where the system
 * has /proc.
 */
const script = `
groups=
while read -r sign group; do
  case $sign in
    +) groups="$groups $group" ;;
    -) kept=; for one in $groups; do [ "$one" = "$group" ] || kept="$kept $one"; done; groups=$kept ;;
  esac
done
[ -n "$groups" ] || exit 0
tree="$groups "
more=yes
while [ -n "$more" ]; do
  more=
  for place in /proc/[0-9]*; do
    { read -r line < "$place/stat"; } 2> /dev/null || continue
    set -- \${line##*) }
    pid=\${place#/proc/}
    case $tree in
      *" $pid "*) ;;
      *" $2 "* | *" $3 "*) tree="$tree$pid "; more=yes ;;
    esac
  done
done
for one in $groups; do kill -s KILL -- "-$one"; done 2> /dev/null
for one in $tree; do kill -s KILL "$one"; done 2> /dev/null
`;

/**
 * A small process that outlives this one by a moment, so that no program does: it costs a millisecond at the first
 * start of a program. Windows needs none, since there programs belong to a job that ends with this process.
 */
class Guardian {
  readonly #groups = new Map<number, () => void>();
  readonly #killAll = (): void => this.#groups.forEach((kill) => kill());
  #process: ChildProcess | undefined;

  /** `kill` is called when this process exits. The function that this yields ends the watch. */
  watch(group: number, kill: () => void): () => void {
    if (this.#groups.size === 0) process.on('exit', this.#killAll);
    this.#groups.set(group, kill);
    if (process.platform !== 'win32') {
      if (this.#process) this.#tell(`+ ${group}`);
      else this.#begin();
    }
    return () => this.#forget(group);
  }

  #forget(group: number): void {
    if (!this.#groups.delete(group)) return;
    if (this.#groups.size === 0) process.off('exit', this.#killAll);
    this.#tell(`- ${group}`);
  }

  #begin(): void {
    // In a group of its own: an interrupt at the terminal does not reach it.
    const child = spawnProgram('/bin/sh', ['-c', script], {
      cwd: '/',
      env: {},
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const forget = (): void => void (this.#process = undefined);
    child.once('error', forget).once('exit', forget).unref();
    child.stdin?.on('error', forget);
    (child.stdin as Socket | null)?.unref();
    this.#process = child;
    for (const group of this.#groups.keys()) this.#tell(`+ ${group}`);
  }

  #tell(line: string): void {
    this.#process?.stdin?.write(`${line}\n`);
  }
}

/** One for all hosts of this process. */
export const guardian = new Guardian();
