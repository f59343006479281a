import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { root } from '../built.ts';
import { readGraph } from './imports/read-graph.ts';

/**
 * Modules of the compiler and around a run that may call the file system, and why. Everything else reads
 * through `compiler/reader.ts` and writes through `runtime/program/output.ts`.
 */
const mayCall: Readonly<Record<string, string>> = {
  'compiler/engine/own/package-folder.ts': 'finds the folder of this package',
  'compiler/engine/chapters.ts': 'reads the chapters of this package',
  'compiler/engine/schemas.ts': 'reads schemas of this package',
  'compiler/engine/configuration/check-configuration.ts': 'reads a schema of this package',
  'compiler/engine/doctor.ts': 'asks whether the working directory can be written',
  'compiler/cli/confine.ts': 'finds the folders that a confined process may read',
  'compiler/cli/create/run.ts': 'asks whether something is there',
  'compiler/cli/zip/run.ts': 'asks whether a folder is there; the command itself goes by the host',
  'compiler/engine/load-program.ts': 'looks at the beginning of a program that is about to be run',
  'compiler/engine/cache/link-cache.ts': 'reads and writes the cache of the user, whose owner and mode it checks',
  'compiler/engine/cache/user-cache.ts': 'makes the cache folder of the user',
  'runtime/program/pinned-packages.ts': 'finds installed packages, of which Node then loads',
  'runtime/program/record-file.ts': 'appends records by calls that are with the operating system when they return',
  'runtime/program/step-summary.ts': 'appends by one call to a file that it makes sure to be one',
  'runtime/program/standard-streams.ts': 'writes to open streams of this process',
};
const mayNameHost: readonly string[] = ['compiler/reader.ts', 'compiler/phases/7-emit/library.ts'];

describe('files', () => {
  const graph = readGraph();
  const isOurs = (from: string): boolean =>
    (from.startsWith('compiler/') && !from.startsWith('compiler/generate/')) || from.startsWith('runtime/program');
  const sources = [...new Set(graph.map(({ from }) => from))].filter(isOurs);
  const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

  it('are opened by nobody but those who may', () => {
    const callers = sources.filter((path) =>
      /^import (?!type\b)[^;]*'(?:node:)?fs(?:\/promises)?';|getBuiltinModule\('(?:node:)?fs/m.test(textOf(path)),
    );
    expect(callers.toSorted()).toEqual(Object.keys(mayCall).toSorted());
  });

  it('are read in phases through the reader alone', () => {
    const users = sources.filter(
      (path) =>
        (path.startsWith('compiler/phases/') || /^compiler\/[^/]*\.ts$/.test(path)) &&
        /\bfiles\s*\.\s*(?:read|open|stream|readRegular|find|list|stat|lstat|survey)\(/.test(textOf(path)),
    );
    expect(users.toSorted()).toEqual(mayNameHost.toSorted());
  });

  it('are not written by the command line but through the writer', () => {
    const writers = sources.filter(
      (path) =>
        /^compiler\/(?:cli|engine)\//.test(path) &&
        /\b(?:disk|files)\.(?:write|writeStream|append|rename|copy|link)\(/.test(textOf(path)),
    );
    // `.gitignore` of the state folder is made exclusively: what stands there is left alone.
    expect(writers).toEqual(['compiler/engine/state.ts']);
  });
});
