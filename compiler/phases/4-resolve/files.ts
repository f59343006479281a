import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path';

import type { CompileContext, CompileHost } from '#compiler/context.ts';
import type { SourceId } from '#schemas/types/place.ts';

export const ENDINGS: readonly string[] = ['.yaml', '.yml', '.json'];
export const STDIN: SourceId = '<stdin>';

/** The id of a file: its path from the project root, with `/`. */
export function sourceIdOf(path: string, root: string): SourceId {
  return path === STDIN ? STDIN : relative(root, path).split(sep).join('/');
}

/** The folder of an action file. */
export function folderOf(
  source: SourceId,
  { root, host, options }: Pick<CompileContext, 'root' | 'host'> & Partial<Pick<CompileContext, 'options'>>,
): string {
  return source === STDIN ? (options?.here ?? host.cwd) : dirname(join(root, source));
}

/**
 * The project root of an action file: the nearest folder upwards that holds `svc.config.yaml`, `svc.config.json` or
 * `.git`, else the file's own folder.
 */
export async function projectRoot(file: string, host: CompileHost): Promise<string> {
  const own = file === STDIN ? host.cwd : dirname(resolve(host.cwd, file));
  for (let folder = own; ; folder = dirname(folder)) {
    for (const mark of ['svc.config.yaml', 'svc.config.json', '.git']) {
      if ((await host.files.find(join(folder, mark))) !== undefined) return folder;
    }
    if (dirname(folder) === folder) return own;
  }
}

export type FoundDependency =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'several'; readonly paths: readonly string[] }
  | { readonly kind: 'missing'; readonly stems: readonly string[] };

/**
 * The file that `meta.depends_on` names (LANGUAGE §6): by its path with or without ending, beside the file, then at the
 * root; else by its stem among the files of the folder and of the run.
 */
export async function findDependency(
  name: string,
  folder: string,
  root: string,
  run: readonly string[],
  host: CompileHost,
): Promise<FoundDependency> {
  for (const base of new Set([folder, root])) {
    const found = await withEndings(isAbsolute(name) ? name : join(base, name), host);
    if (found.length > 0) return oneOf(found);
  }
  const near = [...(await actionFilesIn(folder, host)), ...run];
  const sameStem = new Set(near.filter((path) => stem(path) === name));
  if (sameStem.size > 0) return oneOf([...sameStem]);
  return { kind: 'missing', stems: [...new Set(near.map(stem))] };
}

function oneOf(paths: readonly string[]): FoundDependency {
  const [only, second] = paths;
  return only !== undefined && second === undefined
    ? { kind: 'found', path: only }
    : { kind: 'several', paths: [...paths].sort() };
}

async function withEndings(path: string, host: CompileHost): Promise<readonly string[]> {
  const found: string[] = [];
  const candidates = ENDINGS.includes(extname(path)) ? [path] : ENDINGS.map((ending) => path + ending);
  for (const candidate of candidates) {
    if ((await host.files.find(candidate))?.kind === 'file') found.push(candidate);
  }
  return found;
}

async function actionFilesIn(folder: string, host: CompileHost): Promise<readonly string[]> {
  if ((await host.files.find(folder))?.kind !== 'directory') return [];
  const entries = await host.files.list(folder);
  return entries
    .filter(({ name, kind }) => kind !== 'directory' && ENDINGS.includes(extname(name)))
    .map(({ name }) => join(folder, name));
}

function stem(path: string): string {
  return basename(path, extname(path));
}
