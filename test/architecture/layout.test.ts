import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { filesOfGit, lacksGit } from './files-of-git.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** Files that git has or would take, so that build output and notes of a machine do not count. */
const files = filesOfGit(root, { others: true });
const written = files.filter((file) => !/^(schemas\/generated|test)\//.test(file));
const folders = entriesByFolder(written);

function entriesByFolder(paths: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const map = new Map<string, Set<string>>();
  for (const file of paths) {
    const parts = file.split('/');
    for (let depth = 0; depth < parts.length; depth += 1) {
      const folder = parts.slice(0, depth).join('/');
      map.set(folder, (map.get(folder) ?? new Set()).add(parts[depth] ?? ''));
    }
  }
  return map;
}

describe.skipIf(lacksGit)('files of tests', () => {
  it('are at most 500 lines long: a longer one is cut by subject', () => {
    const tests = files.filter((file) => /^test\/.*\.ts$/.test(file) && existsSync(path.join(root, file)));
    const sized = tests.map((file) => ({
      file,
      lines: readFileSync(path.join(root, file), 'utf8').split('\n').length - 1,
    }));
    expect(sized.filter(({ lines }) => lines > 500).map(({ file, lines }) => `${file}: ${lines}`)).toEqual([]);
  });
});

describe.skipIf(lacksGit)('folders', () => {
  it('are at most five levels deep', () => {
    expect([...folders.keys()].filter((folder) => folder.split('/').length > 5)).toEqual([]);
  });

  it('hold at most 40 entries, lint rules, verbs and notes of changes apart', () => {
    const full = [...folders].filter(
      ([folder, entries]) =>
        entries.size > 40 && !['compiler/phases/lint/rules', 'compiler/cli', 'schemas/changes/next'].includes(folder),
    );
    expect(full.map(([folder, entries]) => `${folder}: ${entries.size}`)).toEqual([]);
  });

  it('hold more than one file; topics of examples, planned families, and languages that a library reads, apart', () => {
    const lonely = [...folders].filter(
      ([folder, entries]) =>
        entries.size === 1 &&
        folder !== '' &&
        !folder.startsWith('examples/') &&
        isFile(`${folder}/${[...entries][0] ?? ''}`),
    );
    expect(
      lonely
        .filter(([, entries]) => !/^(commands|verb)\.yaml$|^parse\.ts$|^CONTRIBUTING\.md$/.test([...entries][0] ?? ''))
        .map(([folder]) => folder),
    ).toEqual([]);
  });

  it('at the top are those of the map', () => {
    const top = new Set(files.filter((file) => file.includes('/')).map((file) => file.slice(0, file.indexOf('/'))));
    expect([...top].toSorted()).toEqual([
      '.ci',
      '.github',
      'compiler',
      'examples',
      'grammar',
      'runtime',
      'schemas',
      'stdlib',
      'test',
    ]);
  });

  it('at the top stand beside no settings of tools', () => {
    const top = files.filter((file) => !file.includes('/'));
    const known = [
      '.gitignore',
      '.npmrc',
      '.pre-commit-hooks.yaml',
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'package-lock.json',
      'package.json',
      'tsconfig.json',
    ];
    expect(top.filter((file) => !known.includes(file))).toEqual([]);
  });

  it('for newcomers say what they are on one page', () => {
    expect([...folders.keys()].filter(wantsReadme).filter((folder) => !files.includes(`${folder}/README.md`))).toEqual(
      [],
    );
    const long = files
      .filter((file) => file.endsWith('/README.md'))
      .filter((file) => readFileSync(path.join(root, file), 'utf8').split('\n').length > 61);
    expect(long).toEqual([]);
  });
});

describe.skipIf(lacksGit)('READMEs', () => {
  it('name modules and tests that are there', () => {
    const made = readdirSync(path.join(root, 'schemas/generated'));
    const isThere = (name: string): boolean =>
      made.includes(name) || files.some((file) => file === name || file.endsWith(`/${name}`));
    const isTest = (name: string): boolean => files.some((file) => file.startsWith(name));
    const missing = files
      .filter((file) => file.endsWith('README.md'))
      .flatMap((file) => {
        const text = readFileSync(path.join(root, file), 'utf8');
        const modules = namesIn(text, /`(?:\.\.?\/)*((?:[\w-]+\/)*[\w.-]+\.ts)`/g).filter((name) => !isThere(name));
        const tests = namesIn(text, /`(test\/[\w./-]*)/g).filter((name) => !isTest(name));
        return [...modules, ...tests].map((name) => `${file}: ${name}`);
      });
    expect(missing).toEqual([]);
  });
});

function namesIn(text: string, pattern: RegExp): readonly string[] {
  return Array.from(text.matchAll(pattern), ([, name = '']) => name);
}

describe.skipIf(lacksGit)('names', () => {
  it('of files are small words with hyphens', () => {
    const odd = files
      .filter((file) => /\.(ts|cjs|mjs)$/.test(file) && !/(^|\/)(_actual|expected)\//.test(file))
      .filter(
        (file) =>
          !/^[a-z0-9]+(-[a-z0-9]+)*(\.((property|slow)\.)?test|\.config|\.d)?\.(ts|cjs|mjs)$/.test(path.basename(file)),
      );
    expect(odd.filter((file) => !file.startsWith('schemas/generated/'))).toEqual([]);
  });

  it('are no drawers', () => {
    const drawers = /^(utils?|common|misc|helpers?|types)$/;
    const hits = written.filter((file) => file.split('/').some((part) => drawers.test(part.replace(/\.ts$/, ''))));
    // Contracts live in schemas/types; a generator of types is called after what it makes.
    expect(
      hits.filter(
        (file) =>
          !file.startsWith('schemas/types/') &&
          file !== 'compiler/generate/commands/types.ts' &&
          !file.startsWith('schemas/meta/'),
      ),
    ).toEqual([]);
  });
});

function isFile(name: string): boolean {
  return files.includes(name);
}

/** The first two levels of code, and the folders of the second that hold rooms of their own. */
function wantsReadme(folder: string): boolean {
  // What forges read by its name.
  if (folder === '.github') return false;
  if (folder === '' || folder === 'compiler/decisions') return false;
  const depth = folder.split('/').length;
  return (
    depth === 1 ||
    (depth === 2 && /^(compiler|runtime|stdlib)\//.test(folder)) ||
    folder === 'schemas/messages' ||
    folder === 'compiler/phases/lint'
  );
}
