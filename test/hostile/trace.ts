import { resolve } from 'node:path';

/** System calls of a process and its children. Paths are absolute; those of opened files are real ones. */
export interface Trace {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Programs that were started, without the first. */
  readonly programs: readonly string[];
  /** Addresses, as strace prints them, that were connected to or listened on. */
  readonly addresses: readonly string[];
}

const call = /^(\d+)\s+(?:<\.\.\. (\w+) resumed>|(\w+)\()(.*)$/;
const writing = /O_WRONLY|O_RDWR|O_CREAT|O_TRUNC/;

/** Reads what `strace -f -y` wrote. Calls that failed count as attempts to write, but not as reads. */
export function readTrace(text: string, cwd: string): Trace {
  const sets = {
    reads: new Set<string>(),
    writes: new Set<string>(),
    programs: [] as string[],
    addresses: new Set<string>(),
  };
  const unfinished = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, pid = '', resumed, name = resumed ?? '', rest = ''] = call.exec(line) ?? [];
    if (rest.endsWith('<unfinished ...>')) unfinished.set(`${pid} ${name}`, rest.slice(0, -'<unfinished ...>'.length));
    else if (name !== '')
      note(name, resumed === undefined ? rest : (unfinished.get(`${pid} ${name}`) ?? '') + rest, cwd, sets);
  }
  return {
    reads: [...sets.reads].sort(),
    writes: [...sets.writes].sort(),
    programs: sets.programs.slice(1),
    addresses: [...sets.addresses].sort(),
  };
}

interface Sets {
  readonly reads: Set<string>;
  readonly writes: Set<string>;
  readonly programs: string[];
  readonly addresses: Set<string>;
}

function note(name: string, text: string, cwd: string, sets: Sets): void {
  const end = text.lastIndexOf(') = ');
  const args = end < 0 ? text : text.slice(0, end);
  const result = end < 0 ? '' : text.slice(end + 4).trimStart();
  const isDone = !result.startsWith('-1');
  if (name === 'connect' || name === 'bind') {
    // A system without such a service answers that there is no such file.
    if (isDone || !/ENOENT/.test(result)) sets.addresses.add(args.replace(/^\d+<[^>]*>, /, ''));
  } else if (name.startsWith('execve')) {
    if (isDone) sets.programs.push(pathsIn(args, cwd)[0] ?? '');
  } else if (name.startsWith('open') || name === 'creat') {
    const opened = /^\d+<(.*)>$/.exec(result)?.[1];
    const isWriting = name === 'creat' || writing.test(args);
    const real = opened === undefined ? pathsIn(args, cwd).slice(0, 1) : [unescaped(opened)];
    if (isWriting) for (const path of written(name, real)) sets.writes.add(plain(path));
    else if (opened?.startsWith('/')) sets.reads.add(plain(unescaped(opened)));
  } else for (const path of written(name, pathsIn(args, cwd))) sets.writes.add(path);
}

/**
 * Paths that a call writes. Of a link only the new name is written. A path through a descriptor of a folder
 * shows where that is opened.
 */
function written(name: string, paths: readonly string[]): readonly string[] {
  const own = /^(?:sym)?link/.test(name) ? paths.slice(-1) : paths;
  return own.filter((path) => !path.startsWith('/proc/self/fd/'));
}

/** Texts in quotes, each from the folder that stands before it, or from the working folder. */
function pathsIn(args: string, cwd: string): readonly string[] {
  return [...args.matchAll(/(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"/g)].map(([, folder, path = '']) =>
    resolve(folder === undefined ? cwd : unescaped(folder), unescaped(path)),
  );
}

function unescaped(text: string): string {
  const bytes = text.replaceAll(/\\([0-7]{1,3}|.)/g, (_all, what: string) => {
    if (/^[0-7]/.test(what)) return String.fromCharCode(Number.parseInt(what, 8));
    return { n: '\n', t: '\t', r: '\r', v: '\v', f: '\f' }[what] ?? what;
  });
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** Numbers of processes differ from run to run. */
function plain(path: string): string {
  return path
    .replace(/^\/proc\/\d+/, '/proc/self')
    .replace(/\/task\/\d+/, '/task/self')
    .replace(/ \(deleted\)$/, '');
}
