import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Arguments of one run of the tests. Runs come one after the other until one fails. */
export type TestRun = readonly string[];

/** The tests that answer for a file: those of its family, the examples of its commands, and of the kernel those that run through it. */
export function testsOf(file: string, root: string): readonly TestRun[] {
  if (file.startsWith('runtime/kernel/')) return kernelTests(file, root);
  const [, domain = '', group = '', family = ''] = file.split('/');
  const names = commandsOf(file, root);
  const tests = `test/commands/${domain}`;
  const places = globSync(
    [`${tests}/${group}/${family}*.test.ts`, `${tests}/${family}*.test.ts`, `${tests}/${group}*.test.ts`],
    { cwd: root },
  )
    .filter((name) => !name.endsWith('.slow.test.ts'))
    .toSorted();
  const own =
    places.length > 0 ? places : existsSync(path.join(root, tests, group)) ? [`${tests}/${group}/`] : [`${tests}/`];
  const only = names.length === 0 ? [] : ['-t', `(${names.join('|')}) `];
  return [
    [...own, '--exclude', '**/*.slow.test.ts'],
    ['test/commands/examples', ...only],
    ['test/commands/negative', 'test/commands/failure-table'],
    ...(domain === 'browser' && names.length > 0 ? [[`${tests}/webdriver-examples`, ...only]] : []),
  ];
}

/** Those that bear the name of the file or of its folder, then the kernel's, then what runs through it. */
function kernelTests(file: string, root: string): readonly TestRun[] {
  const names = [path.basename(file, '.ts'), path.basename(path.dirname(file))];
  const near = names.flatMap((name) => globSync(`test/{kernel,run,plan}/**/*${name}*.test.ts`, { cwd: root }));
  return [
    ...(near.length === 0 ? [] : [[...new Set(near)].filter((name) => !name.endsWith('.slow.test.ts'))]),
    ['test/kernel/'],
    ['test/cli/scenarios', 'test/commands/dataset-rows', 'test/reporters/'],
  ];
}

/** The commands that the nearest declaration lists. */
function commandsOf(file: string, root: string): readonly string[] {
  for (let folder = path.dirname(file); folder.split('/').length > 2; folder = path.dirname(folder)) {
    const declaration = path.join(root, folder, 'commands.yaml');
    if (existsSync(declaration))
      return [...readFileSync(declaration, 'utf8').matchAll(/^- name: (\w+)$/gm)].map(([, name = '']) => name);
  }
  return [];
}
