import type { Import } from './read-graph.ts';
import { owners } from './packages.ts';
import type { Rule } from './rules.ts';
import { doors, modulesOfFew, rules } from './rules.ts';

/** Imports of a list that the rules do not allow, one sentence each. */
export function findBreaches(imports: readonly Import[]): readonly string[] {
  return imports.flatMap((item) => {
    const breach = breachOf(item);
    return breach === undefined ? [] : [`${item.from} imports "${item.specifier}": ${breach}`];
  });
}

function breachOf({ from, specifier, target }: Import): string | undefined {
  const found = ruleOf(from);
  if (!found) return 'no rule speaks of this folder; add one to test/architecture/imports/rules.ts';
  const { rule, own } = found;
  switch (target.kind) {
    case 'missing':
      return `there is no file ${target.path}`;
    case 'builtin':
      return rule.builtins === 'all' || rule.builtins.includes(target.name)
        ? undefined
        : 'no module of Node may be used here';
    case 'package':
      return packageBreach(from, target.name, rule);
    case 'file':
      return fileBreach(from, specifier, target.path, {
        ...rule,
        from: own.prefix,
        may: rule.may.map((prefix) => prefix.replace('<own>', own.name)),
      });
    default:
      return target satisfies never;
  }
}

function packageBreach(from: string, name: string, rule: Rule): string | undefined {
  if (!rule.packages) return 'no npm package may be used here';
  if (from.startsWith('test/') || from.startsWith('.ci/')) return undefined;
  const folders = owners[name];
  if (!folders) return 'test/architecture/imports/packages.ts names no folder that wraps this package';
  return folders.some((folder) => from.startsWith(folder))
    ? undefined
    : `this package is wrapped in ${folders.join(', ')}`;
}

function fileBreach(from: string, specifier: string, path: string, rule: Rule): string | undefined {
  if (path.startsWith('test/') && !from.startsWith('test/')) return 'nobody imports tests';
  const door = doors.find((prefix) => path.startsWith(prefix));
  if (door !== undefined && !/^(test|\.ci|schemas\/generated)\//.test(from) && !from.startsWith(door))
    return 'nobody imports a door, another door neither';
  const users = Object.entries(modulesOfFew).find(([file]) => path === file)?.[1];
  if (users && !users.some((prefix) => from.startsWith(prefix)))
    return `only ${users.join(', ')} may import this module`;
  if (!path.startsWith(rule.from) && !rule.may.some((place) => isWithin(path, place)))
    return `${rule.from} may import only from ${[rule.from, ...rule.may].join(', ')}`;
  return spellingBreach(from, specifier, path);
}

function isWithin(path: string, place: string): boolean {
  return place.endsWith('/.')
    ? path.slice(0, path.lastIndexOf('/') + 1) === place.slice(0, -1)
    : path.startsWith(place);
}

/** Relative inside one folder of the first level, `#folder/…` across. */
function spellingBreach(from: string, specifier: string, path: string): string | undefined {
  const isSameTop = from.split('/')[0] === path.split('/')[0];
  if (!specifier.startsWith('#') && !isSameTop && !/^(test|\.ci)\//.test(from) && path !== 'package.json')
    return `write it as "#${path}"`;
  return undefined;
}

/** The first rule whose path is a prefix, with `*` standing for one folder name. */
function ruleOf(
  file: string,
): { readonly rule: Rule; readonly own: { readonly prefix: string; readonly name: string } } | undefined {
  for (const rule of rules) {
    const wanted = rule.from.split('/');
    const given = file.split('/');
    // The last part is what stands behind the last slash: empty, or the beginning of a file's name.
    const fits = wanted.every((part, index) =>
      index === wanted.length - 1
        ? given[index]?.startsWith(part)
        : part === '*'
          ? index < given.length - 1
          : part === given[index],
    );
    if (fits)
      return {
        rule,
        own: {
          prefix: [...given.slice(0, wanted.length - 1), wanted.at(-1)].join('/'),
          name: given[wanted.indexOf('*')] ?? '',
        },
      };
  }
  return undefined;
}
