import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { commandsOf, familiesOf, usersOf, wordsOf } from './families.ts';
import type { Order } from './passes.ts';

/** One run of the tests. Runs come one after the other until one fails. */
export type TestRun = Omit<Order, 'changed'>;

/** Enough files for a module that many share. */
const MOST_NAMED = 8;

/** Files that name the most commands of a family, where none bears its name. */
const MOST_FILES = 3;

const BROWSER = ['test/commands/browser/webdriver-examples.slow', 'test/commands/browser/playwright-examples.slow'];

/**
 * The tests that answer for a file: those of its families, the examples of their commands, and of the kernel those that
 * run through it.
 */
export function testsOf(file: string, root: string): readonly TestRun[] {
  if (file.startsWith('runtime/kernel/')) return kernelTests(file, root);
  const [, domain = ''] = file.split('/');
  const families = familiesOf(file, root);
  const names = families.flatMap((family) => commandsOf(family, root));
  const own = [...new Set([...namedLike(file, root), ...families.flatMap((family) => testsOfFamily(family, root))])];
  const files = ['test/commands/examples', 'test/commands/failure-table', ...(domain === 'browser' ? BROWSER : [])];
  return [
    ...own.map((one) => ({ files: [one] })),
    ...(names.length === 0 ? [] : [{ files, pattern: `(${names.join('|')}) ` }]),
    { files: ['test/commands/negative'] },
    ...(domain === 'browser' ? [] : namedLike(file, root, false).map((slow) => ({ files: [slow] }))),
  ];
}

/** Tests that bear the name of the module or of one that imports it, or of its folder, and those that import it. */
function namedLike(file: string, root: string, quick = true): readonly string[] {
  const places = 'test/{commands,conformance,library,adapters,services,hosts}/**';
  const rank = (name: string): number => words.findIndex((word) => path.basename(name).includes(word));
  const words = usersOf(file, root).flatMap(wordsOf);
  return globSync(`${places}/*.test.ts`, { cwd: root })
    .filter((name) => isQuick(name) === quick && !/negative-outcomes|failure-table/.test(name))
    .filter(
      (name) =>
        words.some((word) => path.basename(name).split('.')[0]?.split('-').includes(word)) ||
        readFileSync(path.join(root, name), 'utf8').includes(`'#${file}'`),
    )
    .toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .slice(0, MOST_NAMED);
}

function testsOfFamily(folder: string, root: string): readonly string[] {
  const [, domain = '', group = '', family = ''] = folder.split('/');
  const tests = `test/commands/${domain}`;
  const named = globSync(
    [`${tests}/${group}/${family}*.test.ts`, `${tests}/${family}*.test.ts`, `${tests}/${group}*.test.ts`],
    { cwd: root },
  ).filter(isQuick);
  return named.length > 0 ? named.toSorted() : mentioning(commandsOf(folder, root), root);
}

function mentioning(commands: readonly string[], root: string): readonly string[] {
  return globSync(['test/commands/**/*.test.ts', 'test/library/*.test.ts'], { cwd: root })
    .filter(isQuick)
    .map((file) => {
      const text = readFileSync(path.join(root, file), 'utf8');
      return { file, count: commands.filter((name) => text.includes(name)).length };
    })
    .filter(({ count, file }) => count > 0 && !/negative-outcomes|failure-table/.test(file))
    .toSorted((a, b) => b.count - a.count || (a.file < b.file ? -1 : 1))
    .slice(0, MOST_FILES)
    .map(({ file }) => file);
}

function isQuick(file: string): boolean {
  return !file.endsWith('.slow.test.ts');
}

/** Those that bear the name of the file or of its folder, then the kernel's, then what runs through it. */
function kernelTests(file: string, root: string): readonly TestRun[] {
  const names = [path.basename(file, '.ts'), path.basename(path.dirname(file))];
  const near = names.flatMap((name) => globSync(`test/{kernel,run,plan}/**/*${name}*.test.ts`, { cwd: root }));
  return [
    ...[...new Set(near)].filter(isQuick).map((one) => ({ files: [one] })),
    { files: ['test/kernel/'] },
    { files: ['test/run/run.test'] },
    { files: ['test/hostile/input-schemas.test'] },
    { files: ['test/reporters/'] },
    { files: ['test/commands/dataset-rows'] },
    { files: ['test/cli/scenarios'] },
  ];
}
