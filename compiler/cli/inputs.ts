import { createReadStream, type Dirent } from 'node:fs';
import { readFile, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { Terminal } from '#schemas/types/cli.ts';

import { reasonOf } from '#compiler/engine/reason.ts';

/** A source that a PATH stands for. `path` is absolute; `<stdin>` for standard input. */
export interface Input {
  readonly path: string;
  readonly bytes: Uint8Array;
}

const extensions = /\.(?:ya?ml|json)$/i;
const notActions =
  /(?:^svc\.config\.(?:ya?ml|json)|^package(?:-lock)?\.json|^manifest\.json|\.plan\.json|\.schema\.json|\.mock\.(?:ya?ml|json))$/i;
const passedOver = new Set(['node_modules', 'dist', '.git', '.svc', '.cache']);
/** Names of commands where actions name them: a record or a report only speaks of them. */
const callsCommand = /(?:^|[[{,-]|\baction["']?:)\s*["']?(?:WR|AT|FA)_\w/m;
/** Commands of modules have no prefix of ours; where no step adds the modules, `meta` lists them. */
const listsModules = /\bmeta["']?\s*:[^]{0,4096}?\bmodules["']?\s*:/;

/**
 * The files that PATHs name, in order, each once: a file is always read; a folder gives the files below it that call WR_,
 * AT_ or FA_ commands, or list modules; anything else is a glob. What names nothing is wrong use.
 */
export async function readInputs(paths: readonly string[], terminal: Terminal): Promise<readonly Input[]> {
  const found = new Map<string, Input>();
  for (const path of paths) {
    for (const input of await expand(path, terminal)) if (!found.has(input.path)) found.set(input.path, input);
  }
  return [...found.values()];
}

async function expand(path: string, terminal: Terminal): Promise<readonly Input[]> {
  // An unset variable of a shell is no folder.
  if (path === '') return missing(path);
  if (path === '-') return [{ path: '<stdin>', bytes: await readInput(terminal) }];
  const absolute = resolve(terminal.cwd, path);
  const kind = await kindOf(absolute);
  if (kind === 'file') return [await read(absolute, path)];
  if (kind === 'folder') {
    const inputs = await actionFilesIn(absolute);
    if (inputs.length === 0) throw fail.folderWithoutActionFiles({ path });
    return inputs;
  }
  return isGlob(path) ? readGlob(path, terminal) : missing(path);
}

async function readInput(terminal: Terminal): Promise<Uint8Array> {
  try {
    return await terminal.input();
  } catch (error) {
    throw fail.inputUnreadable({ path: 'standard input', reason: reasonOf(error), cause: error });
  }
}

function missing(path: string): never {
  throw fail.inputMissing({ path });
}

async function kindOf(path: string): Promise<'file' | 'folder' | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && (found.isDirectory() ? 'folder' : 'file');
}

function isGlob(path: string): boolean {
  return /[*?[\]{}!]/.test(path);
}

async function readGlob(pattern: string, terminal: Terminal): Promise<readonly Input[]> {
  const { glob } = await import('tinyglobby');
  const written = sep === '\\' ? pattern.replaceAll('\\', '/') : pattern;
  const matched = await glob(written, {
    cwd: terminal.cwd,
    absolute: true,
    dot: false,
    onlyFiles: true,
    ignore: ['**/node_modules/**'],
  });
  const paths = await eachOnce(matched.filter((path) => !notActions.test(basename(path))));
  const inputs = await Promise.all(paths.toSorted().map((path) => read(path, relative(terminal.cwd, path))));
  if (inputs.length === 0) throw fail.patternWithoutMatch({ path: pattern });
  return inputs;
}

/** Links to folders give files a second time: each stays under the first of its paths, that without a link before others. */
async function eachOnce(paths: readonly string[]): Promise<readonly string[]> {
  const found = new Map<string, string>();
  for (const path of paths.toSorted()) {
    const own = join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path));
    if (!found.has(own) || own === path) found.set(own, path);
  }
  return [...found.values()];
}

async function read(path: string, shown: string): Promise<Input> {
  try {
    const { size } = await stat(path);
    if (size > MOST_BYTES) throw new Error(tooMuch);
    // Pipes and devices have no size that could be trusted.
    return { path, bytes: size > 0 ? await readFile(path) : await readBounded(createReadStream(path)) };
  } catch (error) {
    throw fail.inputUnreadable({ path: shown, reason: reasonOf(error), cause: error });
  }
}

/** The action files below a folder, by name: configuration, schemas, plans and mock descriptions are none. */
async function actionFilesIn(folder: string): Promise<readonly Input[]> {
  const inputs: Input[] = [];
  for await (const input of walk(folder)) inputs.push(input);
  return inputs;
}

/** At most so many action files below a folder, not too deep: the folder may be anybody's home. */
export async function someActionFiles(folder: string, most: number): Promise<readonly string[]> {
  const found: string[] = [];
  try {
    for await (const { path } of walk(folder, 3)) if (found.push(path) >= most) break;
  } catch (error) {
    // What cannot be read is not offered.
    if (!(error instanceof Failure)) throw error;
  }
  return found;
}

async function* walk(folder: string, depth = Infinity): AsyncGenerator<Input> {
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (depth > 0 && !passedOver.has(entry.name)) yield* walk(path, depth - 1);
    } else if (extensions.test(entry.name) && !notActions.test(entry.name) && (await isFile(entry, path))) {
      const input = await read(path, path);
      const text = Buffer.from(input.bytes).toString('latin1');
      if (callsCommand.test(text) || listsModules.test(text)) yield input;
    }
  }
}

/** A link counts as what it leads to; one that leads nowhere is read, so that it is told of. */
async function isFile(entry: Dirent, path: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isFile();
  return (await kindOf(path)) !== 'folder';
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    return (await readdir(folder, { withFileTypes: true })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw fail.inputUnreadable({ path: folder, reason: reasonOf(error), cause: error });
  }
}

/** More than any limit that a configuration may set; memory is spent on no more. */
const MOST_BYTES = 1024 ** 3;
const tooMuch = `there are more than ${MOST_BYTES} bytes`;

/** All of a stream that has an end. */
export async function readBounded(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > MOST_BYTES) throw new Error(tooMuch);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
