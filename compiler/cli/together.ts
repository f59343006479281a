import { relative, sep } from 'node:path';

import type { LoadedFile } from '#compiler/api.ts';
import { STDIN } from '#compiler/phases/4-resolve/files.ts';
import type { Diagnostic, Label } from '#schemas/types/diagnostic.ts';
import type { SourceId } from '#schemas/types/place.ts';

import type { Workspace } from './workspace.ts';

/** Findings with the files that they speak of. */
export interface Findings<File extends Pick<LoadedFile, 'source' | 'path'>> {
  readonly files: readonly File[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The findings of all projects as one list. Where there are several, or a file has no project, files are named from the
 * working directory: names from their own roots may be the same, or tell nobody where they stand.
 */
export function together<File extends Pick<LoadedFile, 'source' | 'path'>>(
  parts: readonly Findings<File>[],
  workspaces: readonly Pick<Workspace, 'isMarked'>[],
  cwd: string,
): Findings<File> {
  const [only, ...others] = parts;
  if (only && others.length === 0 && workspaces.every(({ isMarked }) => isMarked)) return only;
  const named = parts.map((part) => namedFrom(cwd, part));
  // A file that several projects need is read, and its mistakes are found, in each of them.
  const files = new Map(named.flatMap(({ files: own }) => own.map((file) => [file.source, file])));
  return { files: [...files.values()], diagnostics: named.flatMap(({ diagnostics }) => diagnostics) };
}

function namedFrom<File extends Pick<LoadedFile, 'source' | 'path'>>(
  cwd: string,
  { files, diagnostics }: Findings<File>,
): Findings<File> {
  const names = new Map(files.map(({ source, path }): [SourceId, SourceId] => [source, nameFrom(cwd, path)]));
  const renamed = (label: Label): Label => ({ ...label, source: names.get(label.source) ?? label.source });
  return {
    files: files.map((file) => ({ ...file, source: nameFrom(cwd, file.path) })),
    diagnostics: diagnostics.map((finding) => ({
      ...finding,
      primary: renamed(finding.primary),
      related: finding.related.map(renamed),
    })),
  };
}

function nameFrom(cwd: string, path: string): SourceId {
  return path === STDIN ? STDIN : relative(cwd, path).split(sep).join('/');
}
