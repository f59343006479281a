import type { LeftOut } from '#schemas/types/left-out.ts';

import type { AroundName, ExportOf, Library, PartName } from './library.ts';

/** Parts that a program links beside the kernel: names, sorted. Two plans with the same set share one linked text. */
export interface LinkSet {
  readonly commands: readonly string[];
  readonly validators: readonly string[];
  readonly ports: readonly string[];
  /** Failures by slug that verdicts of the commands name. */
  readonly verdicts: readonly string[];
  /** Parts of the kernel that not every plan needs. */
  readonly parts: readonly PartName[];
  /** Parts of the host and of what stands around the kernel. */
  readonly around: readonly AroundName[];
  readonly reporters: readonly string[];
  /** Small parts that it does without. */
  readonly leftOut: readonly LeftOut[];
}

/** The names of a set that the library does not hold: it was built before they were written. */
export function missing(set: LinkSet, library: Library): readonly string[] {
  const parts = [
    [set.commands, library.commands],
    [set.validators, library.validators],
    [set.ports, library.ports],
    [set.parts, library.parts],
    [set.around, library.around],
    [set.reporters, library.reporters],
  ] as const;
  return parts.flatMap(([names, modules]) => names.filter((name) => !Object.hasOwn(modules, name)));
}

/**
 * The module that esbuild links: the kernel, exactly the named parts, and one call. Commands and validators are
 * functions; a provider that is not small, and may bring a large package, begins to work when its port is first asked
 * for.
 */
export function entryText(set: LinkSet, library: Library): string {
  const commands = set.commands.map((name, index) => linked(name, library.commands[name], `command${index}`));
  const verdicts = set.verdicts.map((slug, index) =>
    linked(slug, library.failures, `verdict${index}`, camelCase(slug)),
  );
  const parts = set.parts.map((name) => exported(name, library.parts[name], `${name}Part`));
  const around = set.around.map((name) => ({ name, ...exported(name, library.around[name], `${name}Around`) }));
  const reporters = set.reporters.map((name) => exported(name, library.reporters[name], `${name}Reporter`));
  const isSmall = (name: string): boolean => library.ports[name]?.isSmall === true;
  const providers = set.ports
    .filter(isSmall)
    .map((name, index) => linked(name, library.ports[name]?.module, `provider${index}`, 'provider'));
  const later = set.ports.filter((name) => !isSmall(name)).map((name) => provider(name, library.ports[name]?.module));
  const field = ({ name, local }: { readonly name: string; readonly local: string }): string =>
    `\n    ${name}: ${local},`;
  const validators = set.validators.map((name, index) => linked(name, library.validators[name], `validator${index}`));
  return [
    `import { start } from ${specifier(library.program)};`,
    ...commands.map(({ statement }) => statement),
    ...validators.map(({ statement }) => statement),
    ...verdicts.map(({ statement }) => statement),
    ...[...parts, ...around, ...reporters, ...providers].map(({ statement }) => statement),
    'start({',
    '  ...__svc_program,',
    `  generator: ${JSON.stringify(library.generator)},`,
    `  commands: {${commands.map(({ entry }) => entry).join('')}\n  },`,
    `  validators: {${validators.map(({ entry }) => entry).join('')}\n  },`,
    `  verdicts: {${verdicts.map(({ entry }) => entry).join('')}\n  },`,
    `  parts: {${parts.map(({ entry }) => entry).join('')}\n  },`,
    `  reporters: {${reporters.map(({ entry }) => entry).join('')}\n  },`,
    `  host: {${around
      .filter(({ name }) => name !== 'pinned')
      .map(field)
      .join('')}\n  },`,
    ...around.filter(({ name }) => name === 'pinned').map(field),
    `  ports: {${providers.map(({ entry }) => entry).join('')}${later.join('')}\n  },`,
    '});',
    '',
  ].join('\n');
}

function linked(
  name: string,
  module: string | undefined,
  local: string,
  exported = name,
): { readonly statement: string; readonly entry: string } {
  return {
    statement: `import { ${exported} as ${local} } from ${specifier(module)};`,
    entry: `\n    ${JSON.stringify(name)}: () => ${local},`,
  };
}

function exported(
  name: string,
  place: ExportOf | undefined,
  local: string,
): { readonly statement: string; readonly entry: string; readonly local: string } {
  return { ...linked(name, place?.module, local, place?.name), local };
}

function provider(port: string, module: string | undefined): string {
  return `\n    ${JSON.stringify(port)}: () => import(${specifier(module)}).then((module) => module.provider),`;
}

/** The name of a failure's constructor. */
function camelCase(slug: string): string {
  return slug.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function specifier(module: string | undefined): string {
  return JSON.stringify(`./${module ?? ''}`);
}
