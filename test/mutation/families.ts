import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Enough families to answer for a module that many share: the nearest ones. */
const MOST = 4;

/** Folders with a declaration whose code imports a module, over others too: the nearest first. */
export function familiesOf(file: string, root: string): readonly string[] {
  const own = familyAround(file, root);
  if (own !== undefined) return [own];
  const modules = usersOf(file, root);
  const importers = modules.flatMap((module) => importersIn(root).get(module) ?? []);
  const found = new Set(importers.flatMap((importer) => familyAround(importer, root) ?? []));
  const families = found.size > 0 ? [...found] : namesakes(modules.flatMap(wordsOf), root);
  return families.slice(0, MOST);
}

/** A module and those that import it, over others too, as far as the families: the nearest first. */
export function usersOf(file: string, root: string): readonly string[] {
  const importers = importersIn(root);
  const seen = new Set([file]);
  for (const module of seen)
    for (const importer of importers.get(module) ?? [])
      if (familyAround(importer, root) === undefined) seen.add(importer);
  return [...seen];
}

/** Providers of ports are imported by no family: those that are called like their file or folder use them. */
function namesakes(words: readonly string[], root: string): readonly string[] {
  return globSync('stdlib/*/*/*/commands.yaml', { cwd: root })
    .map((name) => path.dirname(name))
    .filter((folder) => words.includes(path.basename(folder)))
    .toSorted();
}

/** The names of a module and of the two folders around it, without those that say nothing. */
export function wordsOf(file: string): readonly string[] {
  const [base = '', folder = '', above = ''] = file.replace(/\.ts$/, '').split('/').toReversed();
  return [...new Set([base, folder, above])].filter((word) => !GENERAL.has(word));
}

const GENERAL = new Set([
  'stdlib',
  'files',
  'api',
  'core',
  'http',
  'backends',
  'clients',
  'checks',
  'tools',
  'interfaces',
  'storage',
]);

/** The commands that a declaration lists. */
export function commandsOf(family: string, root: string): readonly string[] {
  const text = readFileSync(path.join(root, family, 'commands.yaml'), 'utf8');
  return [...text.matchAll(/^- name: (\w+)$/gm)].map(([, name = '']) => name);
}

function familyAround(file: string, root: string): string | undefined {
  for (let folder = path.dirname(file); folder.split('/').length > 2; folder = path.dirname(folder))
    if (existsSync(path.join(root, folder, 'commands.yaml'))) return folder;
  return undefined;
}

let known: ReadonlyMap<string, readonly string[]> | undefined;

/** Module → modules of the standard library that import it. */
function importersIn(root: string): ReadonlyMap<string, readonly string[]> {
  if (known !== undefined) return known;
  const importers = new Map<string, string[]>();
  for (const file of globSync('stdlib/**/*.ts', { cwd: root }).toSorted())
    for (const [, from = ''] of readFileSync(path.join(root, file), 'utf8').matchAll(
      /(?:from |import\()'([#.][^']+)'/g,
    )) {
      const module = from.startsWith('#') ? from.slice(1) : path.posix.join(path.posix.dirname(file), from);
      importers.set(module, [...(importers.get(module) ?? []), file]);
    }
  known = importers;
  return importers;
}
