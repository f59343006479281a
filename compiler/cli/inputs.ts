import type { Dirent, readdir } from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';

import { ReadRefused, type Reader } from '#compiler/reader.ts';
import { reasonOf } from '#runtime/program/reason.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Terminal } from '#schemas/types/cli.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { DirectoryEntry, Files } from '#schemas/types/host.ts';

import { isGlob, isStream } from '#compiler/engine/project-root.ts';
import { isActionFile } from './action-text.ts';
import { readBounded } from './read-bounded.ts';

/**
 * A source that a PATH stands for. `path` is absolute; `<stdin>` for standard input. Without `bytes` it is too large.
 */
export interface Input {
  readonly path: string;
  readonly bytes?: Uint8Array;
}

/** Means by which inputs are looked for and read. */
export interface Reading {
  /** Looks into folders. */
  readonly reader: Reader;
  /** Reads a file that was found, within its own project; by default the same as looks into folders. */
  readonly readerOf?: (file: string) => Promise<Reader>;
  readonly files: Pick<Files, 'find' | 'list' | 'stream'>;
}

const extensions = /\.(?:ya?ml|json)$/i;
const notActions =
  /(?:^svc\.config\.(?:ya?ml|json)|^package(?:-lock)?\.json|^manifest\.json|\.plan\.json|\.schema\.json|\.mock\.(?:ya?ml|json))$/i;
const configuration = /^svc\.config\.(?:ya?ml|json)$/i;
const passedOver = new Set(['node_modules', 'dist', '.git', '.svc', '.cache']);
/** Bytes of a file that is too large that are searched for calls of commands. */
const HEAD = 64 * 1024;

/**
 * The files that PATHs name, in order, each once: a file is always read; a folder gives the files below it that
 * call WR_, AT_ or FA_ commands, list modules, or have an empty body; anything else is a glob. An input that
 * names nothing is wrong use. A configuration is passed over: a shell's pattern may give it beside action files.
 */
export async function readInputs(
  paths: readonly string[],
  terminal: Terminal,
  reading: Reading,
): Promise<readonly Input[]> {
  const found = new Map<string, Input>();
  for (const path of paths) {
    for (const input of await expand(path, terminal, reading)) if (!found.has(input.path)) found.set(input.path, input);
  }
  return [...found.values()];
}

async function expand(path: string, terminal: Terminal, reading: Reading): Promise<readonly Input[]> {
  // An unset variable of a shell is no folder.
  if (path === '') return missing(path);
  if (isStream(path)) return [await readStream(path, terminal, reading)];
  const absolute = resolve(terminal.cwd, path);
  // A file that cannot be looked at cannot be read either: the read says why.
  const kind = await reading.files.find(absolute).then(
    (found) => found?.kind,
    () => 'file' as const,
  );
  if (kind === 'directory') {
    const inputs = await actionFilesIn(absolute, reading);
    if (inputs.length === 0) throw fail.folderWithoutActionFiles({ path });
    return inputs;
  }
  if (kind !== undefined && configuration.test(basename(absolute))) return [];
  if (kind !== undefined) return [await read(absolute, path, reading)];
  return isGlob(path) ? readGlob(path, terminal, reading) : missing(path);
}

/** Standard input, or another descriptor that the shell has opened for this process. */
async function readStream(path: string, { input }: Terminal, { reader, files }: Reading): Promise<Input> {
  const isInput = path === '-' || path === '/dev/stdin';
  try {
    return {
      path: isInput ? '<stdin>' : path,
      bytes: await (isInput ? input(reader.limit) : readBounded(files.stream(path), reader.limit)),
    };
  } catch (error) {
    throw fail.inputUnreadable({ path: isInput ? 'standard input' : path, reason: reasonOf(error), cause: error });
  }
}

function missing(path: string): never {
  throw fail.inputMissing({ path });
}

async function readGlob(pattern: string, terminal: Terminal, reading: Reading): Promise<readonly Input[]> {
  const { glob } = await import('tinyglobby');
  const written = sep === '\\' ? pattern.replaceAll('\\', '/') : pattern;
  const matched = await glob(written, {
    cwd: terminal.cwd,
    absolute: true,
    dot: false,
    onlyFiles: true,
    followSymbolicLinks: false,
    ignore: ['**/node_modules/**'],
    fs: { readdir: entriesFor(reading.reader) },
  });
  const inputs: Input[] = [];
  for (const path of matched.filter((each) => !notActions.test(basename(each))).toSorted())
    inputs.push(await read(path, relative(terminal.cwd, path), reading));
  if (inputs.length === 0) throw fail.patternWithoutMatch({ path: pattern });
  return inputs;
}

/**
 * The listing of folders for patterns: it goes through the reader, so that they wander nowhere else. A link to
 * a file counts as a file; one to a folder would give files a second time.
 */
function entriesFor(reader: Reader): typeof readdir {
  const look = async (folder: string): Promise<readonly Entry[]> => {
    const entries = await reader.list(folder);
    const known = await Promise.all(
      entries.map(async ({ name, kind }) => (kind === 'symlink' ? await kindOfLink(join(folder, name), reader) : kind)),
    );
    return entries.map(({ name }, index) => ({
      name,
      isFile: () => known[index] === 'file',
      isDirectory: () => known[index] === 'directory',
      isSymbolicLink: () => false,
    }));
  };
  const callBack = (folder: string, _: unknown, done: (error: unknown, entries?: readonly Entry[]) => void): void =>
    void look(folder).then(
      (entries) => done(null, entries),
      (error: unknown) => done(error),
    );
  return callBack as unknown as typeof readdir;
}

type Entry = Pick<Dirent, 'name' | 'isFile' | 'isDirectory' | 'isSymbolicLink'>;

/** A link that leads nowhere, or out of the project, is taken for a file, so that it is told of. */
async function kindOfLink(path: string, reader: Reader): Promise<'file' | undefined> {
  return (await reader.find(path).catch(() => undefined))?.kind === 'directory' ? undefined : 'file';
}

async function read(path: string, shown: string, reading: Reading): Promise<Input> {
  const reader = await readerFor(path, reading);
  try {
    return { path, bytes: await reader.read(path) };
  } catch (error) {
    if (error instanceof ReadRefused && error.why === 'outside') throw fail.inputOutside({ path: shown, cause: error });
    // A file that is too large is a finding like others.
    if (error instanceof Error && 'code' in error && error.code === 'EFBIG') return { path };
    throw fail.inputUnreadable({ path: shown, reason: reasonOf(error), cause: error });
  }
}

async function readerFor(path: string, { reader, readerOf }: Reading): Promise<Reader> {
  return (await readerOf?.(path)) ?? reader;
}

/** Whether an input holds actions; one that is too large to be read does, as far as its own finding goes. */
export function holdsActions({ bytes }: Input): boolean {
  return bytes === undefined || isActionFile(Buffer.from(bytes).toString('latin1'));
}

/** The action files below a folder, by name: configuration, schemas, plans and mock descriptions are none. */
async function actionFilesIn(folder: string, reading: Reading): Promise<readonly Input[]> {
  const inputs: Input[] = [];
  for await (const input of walk(folder, reading)) inputs.push(input);
  return inputs;
}

/** Action files below a folder, so many at most and not too deep: the folder may be anybody's home. */
export async function someActionFiles(folder: string, most: number, reading: Reading): Promise<readonly string[]> {
  const found: string[] = [];
  try {
    for await (const { path } of walk(folder, reading, 3)) if (found.push(path) >= most) break;
  } catch (error) {
    // A folder that cannot be read is not offered.
    if (!(error instanceof Failure)) throw error;
  }
  return found;
}

async function* walk(folder: string, reading: Reading, depth = Infinity): AsyncGenerator<Input> {
  for (const { name, kind } of await entriesOf(folder, reading)) {
    const path = join(folder, name);
    if (kind === 'directory') {
      if (depth > 0 && !passedOver.has(name)) yield* walk(path, reading, depth - 1);
    } else if (extensions.test(name) && !notActions.test(name) && (await isFile(kind, path, reading))) {
      const input = await read(path, path, reading);
      const head = input.bytes ?? (await (await readerFor(path, reading)).read(path, { limit: HEAD, head: true }));
      const text = Buffer.from(head).toString('latin1');
      if (isActionFile(text)) yield input;
    }
  }
}

/** A link counts as what it leads to; one that leads nowhere, or out of the project, is read, so that it is told of. */
async function isFile(kind: DirectoryEntry['kind'], path: string, { reader }: Reading): Promise<boolean> {
  return (kind === 'symlink' ? await kindOfLink(path, reader) : kind) === 'file';
}

async function entriesOf(folder: string, { files }: Reading): Promise<readonly DirectoryEntry[]> {
  try {
    return (await files.list(folder)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw fail.inputUnreadable({ path: folder, reason: reasonOf(error), cause: error });
  }
}
