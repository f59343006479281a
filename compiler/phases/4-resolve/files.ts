import { basename, dirname, extname, isAbsolute, join, relative, sep } from 'node:path';

import type { CompileContext } from '#compiler/context.ts';
import type { Reader, Refusal } from '#compiler/reader.ts';
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
  {
    root,
    host,
    options,
  }: Pick<CompileContext, 'root'> & { readonly host: Pick<CompileContext['host'], 'cwd'> } & Partial<
      Pick<CompileContext, 'options'>
    >,
): string {
  return source === STDIN ? (options?.here ?? host.cwd) : dirname(join(root, source));
}

export type FoundDependency =
  | { readonly kind: 'found'; readonly path: string }
  | { readonly kind: 'several'; readonly paths: readonly string[] }
  | { readonly kind: 'refused'; readonly why: Refusal }
  | { readonly kind: 'missing'; readonly stems: readonly string[] };

/**
 * The file that `meta.depends_on` names: by its path with or without ending, beside the file, then at the
 * root; else by its stem among the files of the folder and of the run.
 */
export async function findDependency(
  name: string,
  folder: string,
  root: string,
  run: readonly string[],
  reader: Reader,
): Promise<FoundDependency> {
  for (const base of new Set([folder, root])) {
    const { found, refused } = await withEndings(isAbsolute(name) ? name : join(base, name), reader);
    if (found.length > 0) return oneOf(found);
    if (refused) return { kind: 'refused', why: refused };
  }
  const near = [...(await actionFilesIn(folder, reader)), ...run];
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

async function withEndings(
  path: string,
  reader: Reader,
): Promise<{ readonly found: readonly string[]; readonly refused?: Refusal }> {
  const found: string[] = [];
  let refused: Refusal | undefined;
  const candidates = ENDINGS.includes(extname(path)) ? [path] : ENDINGS.map((ending) => path + ending);
  for (const candidate of candidates) {
    const there = await reader.find(candidate);
    if (there?.kind === 'file') found.push(candidate);
    else if (there?.kind === 'refused') refused ??= there.why;
  }
  return { found, ...(refused && { refused }) };
}

async function actionFilesIn(folder: string, reader: Reader): Promise<readonly string[]> {
  const entries = await reader.list(folder);
  return entries
    .filter(({ name, kind }) => kind !== 'directory' && ENDINGS.includes(extname(name)))
    .map(({ name }) => join(folder, name));
}

function stem(path: string): string {
  return basename(path, extname(path));
}
