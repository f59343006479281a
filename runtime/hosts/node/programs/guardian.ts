import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';

import { spawnProgram } from './spawn.ts';

/**
 * Reads which groups begin (`+ 12`) and end (`- 12`), and texts of arguments by which programs are known that are about
 * to begin (`~ text`) or were (`! text`). Its input ends when the process that it watches is gone, however that ended:
 * then it kills the groups that are left, and where the system has /proc, what has left them for a session of its own
 * and what has such an argument. A program that was just beginning then has it a moment later.
 */
const script = `
groups=
texts=
line_end='
'
while read -r sign what; do
  case $sign in
    +) groups="$groups $what" ;;
    -) kept=; for one in $groups; do [ "$one" = "$what" ] || kept="$kept $one"; done; groups=$kept ;;
    '~') texts="$texts$what$line_end" ;;
    !)
      kept=; IFS=$line_end
      for one in $texts; do [ "$one" = "$what" ] || kept="$kept$one$line_end"; done
      texts=$kept; unset IFS ;;
  esac
done
set -f
find_expected() {
  for pid in $(set +f; cd /proc && echo [0-9]*); do
    line=
    { read -r line < "/proc/$pid/cmdline"; } 2> /dev/null
    IFS=$line_end
    for one in $texts; do case $line in *"$one"*) groups="$groups $pid" ;; esac; done
    unset IFS
  done
}
end_groups() {
  tree="$groups "
  more=yes
  while [ -n "$more" ]; do
    more=
    for pid in $(set +f; cd /proc && echo [0-9]*); do
      { read -r line < "/proc/$pid/stat"; } 2> /dev/null || continue
      set -- \${line##*) }
      case $tree in
        *" $pid "*) ;;
        *" $2 "* | *" $3 "*) tree="$tree$pid "; more=yes ;;
      esac
    done
  done
  for one in $groups; do kill -s KILL -- "-$one"; done 2> /dev/null
  for one in $tree; do kill -s KILL "$one"; done 2> /dev/null
}
[ -z "$texts" ] || find_expected
[ -z "$groups" ] || end_groups
[ -n "$texts" ] || exit 0
for look in 1 2 3; do
  sleep 1
  groups=
  find_expected
  [ -z "$groups" ] || end_groups
done 2> /dev/null
`;

/**
 * A small process that outlives this one by a moment, so that no program does: it costs a millisecond at the first
 * start of a program. Windows needs none, since there programs belong to a job that ends with this process.
 */
class Guardian {
  readonly #groups = new Map<number, () => void>();
  readonly #killAll = (): void => this.#groups.forEach((kill) => kill());
  readonly #texts = new Set<string>();
  #process: ChildProcess | undefined;

  /** Begins its work before there is something to watch: a program that has begun is never without it. */
  stands(): void {
    if (process.platform !== 'win32' && !this.#process) this.#begin();
  }

  /** Watches programs that are about to be started, by a text among their arguments, until the function is called. */
  expect(text: string): () => void {
    // It reads lines.
    if (text === '' || text.includes('\n')) return () => undefined;
    this.stands();
    this.#texts.add(text);
    this.#tell(`~ ${text}`);
    return () => {
      if (this.#texts.delete(text)) this.#tell(`! ${text}`);
    };
  }

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
    for (const text of this.#texts) this.#tell(`~ ${text}`);
  }

  #tell(line: string): void {
    this.#process?.stdin?.write(`${line}\n`);
  }
}

/** One for all hosts of this process. */
export const guardian = new Guardian();
