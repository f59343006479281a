import { isAbsolute, resolve, sep } from 'node:path';

import type { Files } from '#schemas/types/host.ts';

import { renamed } from './system-error.ts';

/**
 * Files whose relative paths begin at a folder, wherever the process stands or goes. Errors name the path as it
 * was given. A trailing separator and `..` behind a link mean what they mean to the system: paths are put
 * together, not tidied.
 */
export function filesFrom(cwd: string, files: Files): Files {
  const at = (path: string): string => absolute(cwd, path);
  /** A call with these paths; its error speaks of them. */
  const told = async <Result>(paths: readonly string[], work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw asGiven(error, paths, cwd);
    }
  };
  return {
    stat: (path) => told([path], () => files.stat(at(path))),
    lstat: (path) => told([path], () => files.lstat(at(path))),
    find: (path) => told([path], () => files.find(at(path))),
    read: (path) => told([path], () => files.read(at(path))),
    readRegular: (path, options) => told([path], () => files.readRegular(at(path), options)),
    open: (path) =>
      told([path], async () => {
        const file = await files.open(at(path));
        return {
          size: file.size,
          readAt: (position, length) => told([path], () => file.readAt(position, length)),
          close: () => told([path], () => file.close()),
        };
      }),
    async *stream(path, options) {
      try {
        yield* files.stream(at(path), options);
      } catch (error) {
        throw asGiven(error, [path], cwd);
      }
    },
    digest: (path, algorithm, options) => told([path], () => files.digest(at(path), algorithm, options)),
    write: (path, content, options) => told([path], () => files.write(at(path), content, options)),
    writeStream: (path, content, options) => told([path], () => files.writeStream(at(path), content, options)),
    append: (path, content) => told([path], () => files.append(at(path), content)),
    list: (path) => told([path], () => files.list(at(path))),
    survey: (path, signal) => told([path], () => files.survey(at(path), signal)),
    makeDirectory: (path, options) => told([path], () => files.makeDirectory(at(path), options)),
    rename: (from, to, options) => told([from, to], () => files.rename(at(from), at(to), options)),
    moveInto: (folder, entries, options) =>
      told([folder, ...entries.map(({ from }) => from)], () =>
        files.moveInto(
          at(folder),
          entries.map((entry) => ({ ...entry, from: at(entry.from) })),
          { ...options, below: at(options.below) },
        ),
      ),
    copy: (from, to, options) => told([from, to], () => files.copy(at(from), at(to), options)),
    async copyMany(copies, options) {
      const outcomes = await files.copyMany(
        copies.map((one) => ({ ...one, from: at(one.from), to: at(one.to) })),
        options,
      );
      return outcomes.map((outcome, index) => {
        const { from = '', to = '' } = copies[index] ?? {};
        return outcome instanceof Error ? (asGiven(outcome, [from, to], cwd) as Error) : outcome;
      });
    },
    async tellApart(groups, options) {
      const likenesses = await files.tellApart(
        groups.map(({ size, paths }) => ({ size, paths: paths.map(at) })),
        options,
      );
      return likenesses.map((group, index) =>
        group.map((one) => (one instanceof Error ? (asGiven(one, groups[index]?.paths ?? [], cwd) as Error) : one)),
      );
    },
    sameContent: (one, other, signal) => told([one, other], () => files.sameContent(at(one), at(other), signal)),
    remove: (path) => told([path], () => files.remove(at(path))),
    removeTree: (path) => told([path], () => files.removeTree(at(path))),
    readLink: (path) => told([path], () => files.readLink(at(path))),
    // The target is text of the link, and begins at the link's folder.
    link: (target, path) => told([path], () => files.link(target, at(path))),
    hardLink: (existing, path) => told([existing, path], () => files.hardLink(at(existing), at(path))),
    setTimes: (path, atimeMs, mtimeMs) => told([path], () => files.setTimes(at(path), atimeMs, mtimeMs)),
    setMode: (path, mode) => told([path], () => files.setMode(at(path), mode)),
    realPath: (path) => told([path], () => files.realPath(at(path))),
    temporaryBeside: (path) => files.temporaryBeside(at(path)),
    isTemporary: files.isTemporary,
    sweep: (folder) => files.sweep(at(folder)),
    temporaryDirectory: files.temporaryDirectory,
    sweepTemporary: files.sweepTemporary,
  };
}

/** An empty path names nothing, from any folder. */
function absolute(cwd: string, path: string): string {
  if (path === '') return path;
  if (process.platform === 'win32') return resolve(cwd, path);
  return isAbsolute(path) ? path : `${cwd.replace(/\/$/, '')}/${path}`;
}

/** The error of a call, with the path that the caller knows: one of those given, or a folder on the way to it. */
function asGiven(error: unknown, paths: readonly string[], cwd: string): unknown {
  if (!(error instanceof Error && 'path' in error && typeof error.path === 'string')) return error;
  const told = error.path;
  if (paths.includes(told)) return error;
  const folder = `${cwd.replace(/[/\\]$/, '')}${sep}`;
  for (const path of paths) {
    const place = absolute(cwd, path);
    if (place === path) continue;
    if (place === told) return renamed(error, path);
    if (told.startsWith(folder) && place.startsWith(told)) return renamed(error, told.slice(folder.length));
  }
  return error;
}
