import { join } from 'node:path';

import type { CompileContext } from '#compiler/context.ts';
import type { SourceId } from '#schemas/types/place.ts';

import { sourceIdOf } from '../files.ts';

/** The keys that a run with one environment finds in files, and where each gets its value. */
export interface Profile {
  /** Name as in `--env`; undefined: that of `.env` alone. */
  readonly name: string | undefined;
  readonly files: readonly SourceId[];
  readonly keys: ReadonlyMap<string, ProfileKey>;
}

export interface ProfileKey {
  readonly file: SourceId;
  readonly line: number;
  readonly value: string;
}

export type Looking = Pick<CompileContext, 'reader' | 'root'> & {
  readonly host: Pick<CompileContext['host'], 'parseEnv'>;
};

/** Files that show people what to write; no run reads them. */
const PATTERNS = /\.(?:example|sample|template|dist|defaults)$/i;
const LARGEST = 1024 * 1024;

/** Whether a file holds environment variables for runs. */
export function isProfile(file: string): boolean {
  return /^\.env(?:\..+)?$/.test(file) && !PATTERNS.test(file);
}

/**
 * The profiles that action files of a folder may run with: each `.env.<name>` over `.env`, beside the files or else at
 * the root. Where nobody names one, that of `.env`.
 */
export async function profilesOf(folder: string, looking: Looking): Promise<readonly Profile[]> {
  const folders = [...new Set([folder, looking.root])];
  const found = await Promise.all(folders.map((each) => looking.reader.list(each)));
  const files = new Set(
    found
      .flat()
      .map(({ name }) => name)
      .filter(isProfile),
  );
  const names = [...files].flatMap((file) => (file === '.env' ? [] : [file.slice('.env.'.length)])).toSorted();
  const base = files.has('.env') ? await keysIn('.env', folders, looking) : undefined;
  if (names.length === 0) return base === undefined ? [] : [profile(undefined, [base])];
  const own = await Promise.all(names.map((name) => keysIn(`.env.${name}`, folders, looking)));
  return names.map((name, index) => profile(name, [base, own[index]]));
}

interface KeysOfFile {
  readonly file: SourceId;
  readonly keys: ReadonlyMap<string, ProfileKey>;
}

/** Later files win. */
function profile(name: string | undefined, files: readonly (KeysOfFile | undefined)[]): Profile {
  const there = files.filter((each) => each !== undefined);
  return {
    name,
    files: there.map(({ file }) => file).toReversed(),
    keys: new Map(there.flatMap(({ keys }) => [...keys])),
  };
}

async function keysIn(name: string, folders: readonly string[], looking: Looking): Promise<KeysOfFile | undefined> {
  for (const folder of folders) {
    const path = join(folder, name);
    const found = await looking.reader.find(path);
    if (found?.kind === 'file') return readKeys(path, looking);
  }
  return undefined;
}

/** The keys of a file; none where it cannot be read, which a run says. */
export async function readKeys(path: string, { reader, root, host }: Looking): Promise<KeysOfFile> {
  const file = sourceIdOf(path, root);
  try {
    const text = new TextDecoder().decode(await reader.read(path, { limit: LARGEST }));
    const lines = linesOfKeys(text);
    const keys = Object.entries(host.parseEnv(text)).map(
      ([key, value]) => [key, { file, line: lines.get(key) ?? 1, value: value ?? '' }] as const,
    );
    return { file, keys: new Map(keys) };
  } catch {
    return { file, keys: new Map() };
  }
}

/** The line that gives each key its value: the last one. */
export function linesOfKeys(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  for (const [index, line] of text.split('\n').entries()) {
    const [, key] = /^\s*(?:export\s+)?([\w.-]+)\s*=/.exec(line) ?? [];
    if (key !== undefined) lines.set(key, index + 1);
  }
  return lines;
}
