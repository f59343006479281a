import type { Library } from './library.ts';

/** What a program links beside the kernel: names, sorted. Two plans with the same set share one linked text. */
export interface LinkSet {
  readonly commands: readonly string[];
  readonly validators: readonly string[];
  readonly ports: readonly string[];
}

/** The names of a set that the library does not hold: it was built before they were written. */
export function missing(set: LinkSet, library: Library): readonly string[] {
  const parts = [[set.commands, library.commands], [set.validators, library.validators], [set.ports, library.ports]] as const;
  return parts.flatMap(([names, modules]) => names.filter((name) => !Object.hasOwn(modules, name)));
}

/**
 * The module that esbuild links: the kernel, exactly the named parts, and one call. Commands are imported as functions;
 * validators and providers begin their work when they are first asked for.
 */
export function entryText(set: LinkSet, library: Library): string {
  return [
    `import { start } from ${specifier(library.program)};`,
    ...set.commands.map((name, index) => `import { ${name} as command${index} } from ${specifier(library.commands[name])};`),
    'start({',
    '  ...__svc_program,',
    '  commands: {',
    ...set.commands.map((name, index) => `    ${JSON.stringify(name)}: () => command${index},`),
    '  },',
    '  validators: {',
    ...set.validators.map((name) => lazy(name, library.validators[name], name)),
    '  },',
    '  ports: {',
    ...set.ports.map((name) => lazy(name, library.ports[name]?.module, 'provider')),
    '  },',
    '});',
    '',
  ].join('\n');
}

function lazy(name: string, module: string | undefined, key: string): string {
  return `    ${JSON.stringify(name)}: () => import(${specifier(module)}).then((module) => module[${JSON.stringify(key)}]),`;
}

function specifier(module: string | undefined): string {
  return JSON.stringify(`./${module ?? ''}`);
}
