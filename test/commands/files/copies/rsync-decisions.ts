import { spawnSync } from 'node:child_process';

import { fromNative } from '#runtime/hosts/node/paths.ts';

export interface Decisions {
  readonly copied: string[];
  readonly deleted: string[];
  readonly updated: string[];
  readonly folders_made: string[];
  readonly folders_removed: string[];
  /** Files that rsync leaves out with a message. */
  readonly errors: string[];
}

export interface SyncMode {
  readonly compare: 'size_mtime' | 'checksum';
  readonly delete: boolean;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

/** The flags that ask rsync for what `FA_sync_dir` does. */
function rsyncFlags({ compare, delete: deletes, include, exclude = [] }: SyncMode): readonly string[] {
  const flags = ['-rlptJ', '--modify-window=2'];
  if (compare === 'checksum') flags.push('-c');
  if (deletes) flags.push('--delete');
  flags.push(...exclude.map((glob) => `--exclude=${glob}`));
  if (include === undefined) return flags;
  const included = include.flatMap((glob) => [glob, `${glob.replace(/\/$/, '')}/***`]);
  return [...flags, ...included.map((glob) => `--include=${glob}`), '--include=*/', '--exclude=*'];
}

/** Decisions of rsync, sorted. */
export function rsyncDecisions(source: string, target: string, mode: SyncMode): Decisions {
  const { status, stdout, stderr } = spawnSync(
    'rsync',
    [...rsyncFlags(mode), '-n', '-i', '-8', '--out-format=%i|%n', `${source}/`, `${target}/`],
    { maxBuffer: 1 << 28 },
  );
  if (status !== 0 && status !== 23) throw new Error(`rsync ended with ${status}: ${stderr.toString()}`);
  const found: Decisions = { copied: [], deleted: [], updated: [], folders_made: [], folders_removed: [], errors: [] };
  for (const line of linesOf(stdout)) take(found, line);
  for (const list of Object.values(found) as string[][]) list.sort();
  return found;
}

function linesOf(output: Buffer): string[] {
  const lines: string[] = [];
  for (let from = 0, end = output.indexOf(10); end >= 0; from = end + 1, end = output.indexOf(10, from))
    lines.push(unescaped(output.subarray(from, end)));
  return lines;
}

/** Control characters and backslashes that would be ambiguous stand as `\#` and three octal digits. */
function unescaped(line: Buffer): string {
  const text = line
    .toString('latin1')
    .replace(/\\#([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
  return fromNative(Buffer.from(text, 'latin1'));
}

const lists: Readonly<Record<string, keyof Decisions>> = {
  '>f': 'copied',
  cL: 'copied',
  cd: 'folders_made',
  '.f': 'updated',
  '.d': 'updated',
};

function take(found: Decisions, line: string): void {
  const left = /^(?:skipping non-regular file "(.*)"|cannot delete non-empty directory: (.*))$/s.exec(line);
  if (left) return void found.errors.push(left[1] ?? left[2] ?? '');
  const [, what = '', path = ''] = /^(\*deleting {2}|[^|]{11})\|(.*)$/s.exec(line) ?? [];
  const name = path.length > 1 ? path.replace(/\/$/, '') : path;
  if (what.startsWith('*deleting')) return void found[path.endsWith('/') ? 'folders_removed' : 'deleted'].push(name);
  const list = lists[what.slice(0, 2)];
  if (list === undefined) throw new Error(`rsync says something unknown: ${line}`);
  found[list].push(name === './' ? '.' : name);
}
