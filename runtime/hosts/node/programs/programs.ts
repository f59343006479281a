import { accessSync, constants, lstatSync, readdirSync, statSync } from 'node:fs';
import { isAbsolute, join, sep } from 'node:path';

import type { SettledPrograms } from '#schemas/types/host.ts';
import { knownPrograms, programVariables } from '#schemas/types/known-programs.ts';

import { systemError } from '../system-error.ts';

/** Time (ms) by which the clock of a file system may lag behind: it ticks with the kernel's timer. */
const CLOCK_LAG_MS = 10;

type Env = Readonly<Record<string, string | undefined>>;

/** Programs by name: those that the absolute folders of PATH held before the first step. */
export class Programs {
  readonly #env: Env;
  readonly #folders: readonly string[];
  #settled: SettledPrograms | undefined;

  constructor(env: Env) {
    this.#env = env;
    this.#folders = foldersOf(env);
  }

  settle(paths: readonly string[], before?: SettledPrograms): SettledPrograms {
    return (this.#settled ??= before ?? this.#look(paths));
  }

  /** Path of the first program of these names; names that were not noted are looked for now. */
  find(names: readonly string[]): string | undefined {
    const { places } = this.settle([]);
    for (const name of names) {
      const place = Object.hasOwn(places, name) ? places[name] : this.#search(name);
      if (typeof place !== 'string') continue;
      if (this.isUnchanged(place)) return place;
      throw systemError('ECHANGED', 'the program has been changed since the run began', place);
    }
    return undefined;
  }

  isUnchanged(path: string): boolean {
    const { marks } = this.settle([]);
    return !Object.hasOwn(marks, path) || marks[path] === markOf(path);
  }

  /** Path of a file changed since the run began, by the time of its last change, which no program can set. */
  changedBelow(path: string): string | undefined {
    const since = this.settle([]).at - CLOCK_LAG_MS;
    const below = readdirSync(path, { recursive: true, encoding: 'utf8' });
    return ['.', ...below].map((name) => join(path, name)).find((at) => lstatSync(at).ctimeMs > since);
  }

  #look(paths: readonly string[]): SettledPrograms {
    const places: Record<string, string | null> = {};
    const marks: Record<string, string> = {};
    for (const name of knownPrograms) places[name] = this.#search(name) ?? null;
    const named = programVariables.map((name) => this.#env[name]);
    for (const path of [...Object.values(places), ...named, ...paths]) if (path) marks[path] = markOf(path);
    return { at: Date.now(), places, marks };
  }

  #search(name: string): string | undefined {
    const endings = process.platform === 'win32' && !/\.(?:exe|com)$/i.test(name) ? ['.exe', '.com'] : [''];
    for (const folder of this.#folders) {
      for (const ending of endings) {
        const path = folder + name + ending;
        if (isProgram(path)) return path;
      }
    }
    return undefined;
  }
}

/**
 * Folders of PATH, each ending as names below it begin. Entries that are empty or relative would mean the working
 * directory, into which steps write.
 */
function foldersOf(env: Env): readonly string[] {
  const windows = process.platform === 'win32';
  const path = windows ? Object.entries(env).find(([name]) => name.toUpperCase() === 'PATH')?.[1] : env['PATH'];
  return (path ?? '')
    .split(windows ? ';' : ':')
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, sep));
}

function isProgram(path: string): boolean {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // A folder of PATH that may not be read holds nothing for this user.
    return false;
  }
}

/**
 * Differs where the file is another one, or was written to. Links are followed: they may have been turned elsewhere.
 */
function markOf(path: string): string {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`;
  } catch {
    return 'none';
  }
}
