import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import { ownFlags, ownScript } from '#compiler/engine/own/command.ts';
import { packageFolder } from '#compiler/engine/own/package-folder.ts';
import { spawnProgram } from '#runtime/hosts/node/programs/spawn.ts';
import type { ExitStatus, ParsedArguments, Terminal } from '#schemas/types/cli.ts';

import { one } from './options.ts';

const marks = ['svc.config.yaml', 'svc.config.json', '.git'];
const endings = { interrupted: 130, terminated: 143 } as const;

/**
 * Runs the same command line once more in a process from which Node's permission model has taken what the verb does not
 * need: it reads the package, the named paths and their roots, writes what is rewritten in place, and starts neither
 * programs nor threads. A running process cannot be confined, and a second one takes as long as a first one to start:
 * hence `--confined`.
 */
export function confined(args: ParsedArguments, argv: readonly string[], { cwd, env }: Terminal): Promise<ExitStatus> {
  const words = [...ownFlags, ...permissions(args, cwd), ownScript, ...argv];
  const child = spawnProgram(process.execPath, words, { cwd, env: env, stdio: 'inherit' });
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, pass);
  return new Promise((settle, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      for (const each of ['SIGINT', 'SIGTERM'] as const) process.off(each, pass);
      settle((code ?? (signal === 'SIGINT' ? endings.interrupted : endings.terminated)) as ExitStatus);
    });
  });
}

/** Flags that take everything from a process but what a verb needs for its arguments. */
export function permissions({ positional, options }: ParsedArguments, cwd: string): readonly string[] {
  const named = positional.map((path) => (path === '-' ? cwd : resolve(cwd, fixedPart(path, cwd))));
  const dotenv = one(options, 'dotenv');
  const reads = [
    ...packageFolders(),
    ...named.flatMap(readsOf),
    ...(dotenv === undefined ? [] : [resolve(cwd, dotenv)]),
  ];
  const writes = options['write'] === true || options['fix'] === true ? named.flatMap(writesOf) : [];
  return [
    '--permission',
    // Standard output is compared with the null device.
    ...allowed('read', [...reads, ...(process.platform === 'win32' ? [] : ['/dev/null'])]),
    ...allowed('write', writes),
    // No part of these verbs makes code of texts.
    '--disallow-code-generation-from-strings',
  ];
}

/**
 * Flags for some paths, also by their real names. Node forgets a folder that is named after something in it, so what
 * lies below another one is left out.
 */
function allowed(what: 'read' | 'write', paths: readonly string[]): readonly string[] {
  const all = [...new Set(paths.flatMap((path) => [path, realPath(path)]))];
  const isCovered = (path: string): boolean => all.some((other) => other !== path && path.startsWith(withSlash(other)));
  return all.filter((path) => !isCovered(path)).map((path) => `--allow-fs-${what}=${path}`);
}

function withSlash(path: string): string {
  return path.endsWith(sep) ? path : path + sep;
}

/** This package, and the folder of packages that it lies in: what it depends on stands there. */
function packageFolders(): readonly string[] {
  const own = fileURLToPath(packageFolder);
  const above = dirname(own);
  return basename(above) === 'node_modules' ? [own, above] : [own];
}

/** A path and its root, and the marks of a root in the folders above it, which are looked for on the way up. */
function readsOf(path: string): readonly string[] {
  const begin = kindOf(path) === 'folder' ? path : dirname(path);
  const found = [path];
  for (let folder = begin; ; folder = dirname(folder)) {
    if (marks.some((mark) => kindOf(join(folder, mark)) !== undefined)) return [...found, folder];
    found.push(...marks.map((mark) => join(folder, mark)));
    if (dirname(folder) === folder) return [...found, begin];
  }
}

/**
 * A file that is rewritten is replaced by one that is written beside it under a name of its own. In a flag a star
 * stands for whatever comes after it, so a file with one in its name is not rewritten.
 */
function writesOf(path: string): readonly string[] {
  if (path.includes('*')) return [];
  return kindOf(path) === 'file' ? [path, join(dirname(path), `.${basename(path)}.*`)] : [path];
}

/** The part of a glob that stands before its first pattern; a path without patterns whole. */
function fixedPart(path: string, cwd: string): string {
  const parts = path.split(sep === '\\' ? /[\\/]/ : '/');
  const first = parts.findIndex((part) => /[*?[\]{}!()]/.test(part));
  if (first < 0 || kindOf(resolve(cwd, path)) !== undefined) return path;
  return parts.slice(0, first).join('/') || (path.startsWith('/') ? '/' : '.');
}

function kindOf(path: string): 'file' | 'folder' | undefined {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'file';
  } catch {
    return undefined;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
