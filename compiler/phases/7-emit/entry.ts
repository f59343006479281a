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
 * The module that esbuild links: the kernel, exactly the named parts, and one call. Commands and validators are functions;
 * a provider, which may bring a large package, begins to work when its port is first asked for.
 */
export function entryText(set: LinkSet, library: Library): string {
  const commands = set.commands.map((name, index) => linked(name, library.commands[name], `command${index}`));
  const validators = set.validators.map((name, index) => linked(name, library.validators[name], `validator${index}`));
  return [
    `import { start } from ${specifier(library.program)};`,
    ...commands.map(({ statement }) => statement),
    ...validators.map(({ statement }) => statement),
    'start({',
    '  ...__svc_program,',
    `  commands: {${commands.map(({ entry }) => entry).join('')}\n  },`,
    `  validators: {${validators.map(({ entry }) => entry).join('')}\n  },`,
    `  ports: {${set.ports.map((name) => provider(name, library.ports[name]?.module)).join('')}\n  },`,
    '});',
    '',
  ].join('\n');
}

function linked(name: string, module: string | undefined, local: string): { readonly statement: string; readonly entry: string } {
  return { statement: `import { ${name} as ${local} } from ${specifier(module)};`, entry: `\n    ${JSON.stringify(name)}: () => ${local},` };
}

function provider(port: string, module: string | undefined): string {
  return `\n    ${JSON.stringify(port)}: () => import(${specifier(module)}).then((module) => module.provider),`;
}

function specifier(module: string | undefined): string {
  return JSON.stringify(`./${module ?? ''}`);
}
