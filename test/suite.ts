import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

import { describe, expect, it } from 'vitest';

/** A folder with what a case begins with, and what must come of it. */
export interface SuiteCase {
  /** The path of the folder below that of the suite: `5-check/unknown-parameter`. */
  readonly name: string;
  readonly folder: string;
  /** The files that are no goldens, by path below the folder. */
  readonly files: ReadonlyMap<string, string>;
}

export interface SuiteOptions {
  /** Absolute; every folder below it that holds files is a case. */
  readonly folder: string;
  /** Files that `run` makes, by path below the case. */
  readonly isGolden: (path: string) => boolean;
  /** Makes the contents of a case's goldens, by path. */
  readonly run: (example: SuiteCase) => Promise<ReadonlyMap<string, string>>;
  /** A golden is read in review: it has fewer lines than this (80). */
  readonly mostLines?: number;
}

const ACTUAL = '_actual';

/**
 * The one runner of cases that are folders: it runs each and compares what comes of it with the goldens that stand
 * there. `FILTER=text` runs those whose name holds the text; `UPDATE=1` rewrites goldens; what differs is left in
 * `_actual/`.
 */
export function suite(title: string, options: SuiteOptions): void {
  const filter = process.env['FILTER'] ?? '';
  const cases = caseFolders(options.folder)
    .map((folder) => readCase(options, folder))
    .filter(({ name }) => name.includes(filter));
  describe.skipIf(cases.length === 0)(title, () => {
    it.each(cases.map((example): [string, SuiteCase] => [example.name, example]))('%s', async (_, example) => {
      const actual = await options.run(example);
      const actualFolder = join(example.folder, ACTUAL);
      rmSync(actualFolder, { recursive: true, force: true });
      if (isUpdate()) return rewrite(example, actual, options);
      const expected = goldensOf(example.folder, options);
      try {
        for (const [path, text] of actual) expect(text, `${example.name}/${path}`).toBe(expected.get(path));
        expect([...expected.keys()], 'goldens that nothing makes any more').toEqual([...actual.keys()].sort());
      } catch (error) {
        for (const [path, text] of actual) write(join(actualFolder, path), text);
        throw error;
      }
      for (const [path, text] of expected) {
        expect(text.split('\n').length, `${example.name}/${path} is too long to be read in review`).toBeLessThan(
          options.mostLines ?? 80,
        );
      }
    });
  });
}

function isUpdate(): boolean {
  if (process.env['UPDATE'] !== '1') return false;
  if (process.env['CI']) throw new Error('goldens are never rewritten in CI');
  return true;
}

function rewrite({ folder }: SuiteCase, actual: ReadonlyMap<string, string>, options: SuiteOptions): void {
  for (const path of goldensOf(folder, options).keys()) if (!actual.has(path)) rmSync(join(folder, path));
  for (const [path, text] of actual) write(join(folder, path), text);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function caseFolders(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => name !== ACTUAL);
  const isCase = entries.some((entry) => entry.isFile() && !entry.name.endsWith('.ts') && entry.name !== 'README.md');
  if (isCase) return [folder];
  return entries
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => caseFolders(join(folder, name)))
    .sort();
}

function readCase(options: SuiteOptions, folder: string): SuiteCase {
  const paths = filesBelow(folder).filter((path) => !options.isGolden(path));
  return {
    name: relative(options.folder, folder).split(sep).join('/'),
    folder,
    files: new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')])),
  };
}

function goldensOf(folder: string, { isGolden }: SuiteOptions): ReadonlyMap<string, string> {
  return new Map(
    filesBelow(folder)
      .filter(isGolden)
      .sort()
      .map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  );
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => !path.split('/').includes(ACTUAL) && statSync(join(folder, path)).isFile());
}
