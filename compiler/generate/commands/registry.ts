import { isImplemented } from './catalogue.ts';
import type { Declaration, Family } from './declaration.ts';
import type { Implementations } from './implementations.ts';
import type { Port } from './ports.ts';

const head = '// Generated from stdlib by `npm run generate`. Do not edit.\n';

/** `registry.ts`: where each implemented command's function stands, and how to load it. */
export function registryModule(families: readonly Family[], implementations: Implementations): string {
  const names = families
    .flatMap((family) => family.commands.map(({ name }) => name))
    .filter((name) => implementations.has(name))
    .sort();
  const rows = names.map((name) => {
    const module = `#${implementations.get(name) ?? ''}`;
    return `  ${name}: { module: '${module}', load: () => import('${module}').then((module) => module.${name} as Implementation) },`;
  });
  return `${head}import type { Implementation } from '#runtime/kernel/linked.ts';

/** Every implemented command: the module that exports its function under the command's name. */
export const registry: Readonly<Record<string, { readonly module: string; readonly load: () => Promise<Implementation> }>> = {
${rows.join('\n')}
};
`;
}

/** \`implemented.txt\`: checked in, so that no command is lost unnoticed. */
export function implementedList(implementations: Implementations): string {
  return [...implementations.keys()]
    .sort()
    .map((name) => `${name}\n`)
    .join('');
}

/** `port-facts.ts`: what each port needs, without a way to load it: for phases, which know no runtime code. */
export function portFactsModule(ports: readonly Port[]): string {
  const list = (names: readonly string[]): string => `[${names.map((name) => `'${name}'`).join(', ')}]`;
  const rows = ports.map(
    ({ port, module, needs, externals, shipped, failures, choose, kib }) =>
      `  ${port}: { module: '#${module}', needs: ${list(needs)}, externals: ${list(externals)}, shipped: ${JSON.stringify(shipped)}, failures: ${list(failures)}, choose: ${JSON.stringify(choose)}, kib: ${kib} },`,
  );
  return `${head}
export interface PortFacts {
  /** Exports \`provider\`. */
  readonly module: string;
  /** Ports that the provider asks for. */
  readonly needs: readonly string[];
  /** Packages that stay outside bundles. */
  readonly externals: readonly string[];
  /** Files of externals that come with the command line, unmodified, by package: only programs need the package. */
  readonly shipped: Readonly<Record<string, readonly string[]>>;
  /** Slugs of what the provider may throw itself: not what ports behind it throw. */
  readonly failures: readonly string[];
  /** Ports of which one does the work, by scheme of an address; empty: of a path. */
  readonly choose: Readonly<Record<string, string>>;
  /** KiB that it adds to a minified program, where another port chooses it. */
  readonly kib: number;
}

/** Every port beside those that the kernel and the host give. */
export const portFacts: Readonly<Record<string, PortFacts>> = {
${rows.join('\n')}
};
`;
}

/**
 * `choices.ts`: what each choosing port chooses from, a constant of its own, so that a program carries those that it
 * asks for.
 */
export function choicesModule(ports: readonly Port[]): string {
  const rows = ports
    .filter(({ choose }) => Object.keys(choose).length > 0)
    .map(({ port, choose }) => {
      const names = [...new Set(Object.values(choose))].map((name) => `'${name}'`).join(' | ');
      const constant = port.replace(/[A-Z]/g, '_$&').toUpperCase();
      return `
/** The provider of \`${port}\` by scheme of an address; empty: of a path. */
export const ${constant}: Readonly<Record<string, ${names}>> = ${JSON.stringify(choose)};
`;
    });
  return `${head}${rows.join('')}`;
}

/** `ports.ts`: the same with loaders. */
export function portsModule(ports: readonly Port[]): string {
  const rows = ports.map(
    ({ port, module }) =>
      `  ${port}: () => import('#${module}').then((module) => module.provider as Provider<PortName>),`,
  );
  return `${head}import type { PortName, Provider } from '#runtime/kernel/ports.ts';

import type { PortFacts } from './port-facts.ts';
import { portFacts } from './port-facts.ts';

export interface PortEntry extends PortFacts {
  readonly load: () => Promise<Provider<PortName>>;
}

const loaders: Readonly<Record<string, () => Promise<Provider<PortName>>>> = {
${rows.join('\n')}
};

/** Every port beside those that the kernel and the host give, and how to load its provider. */
export const ports: Readonly<Record<string, PortEntry>> = Object.fromEntries(
  Object.entries(loaders).map(([name, load]) => [name, { ...(portFacts[name] as PortFacts), load }]),
);
`;
}

/**
 * `openers.ts`: by session, or other thing, the commands that make it; those that run stand first, and of them those
 * that need least.
 */
export function openersModule(families: readonly Family[], implementations: Implementations): string {
  const makers = (what: (declaration: Declaration) => string | undefined): string =>
    JSON.stringify(Object.fromEntries(makersOf(families, implementations, what)), null, 2);
  return `${head}
/** Commands that open a session, by its name; those that run stand first, and of them those that need least. */
export const OPENERS: Readonly<Record<string, readonly string[]>> = ${makers(({ sessions }) => sessions?.opens)};

/** Commands that make another thing, by its kind: an element current, a watch. */
export const MAKERS: Readonly<Record<string, readonly string[]>> = ${makers(({ handles }) => handles?.makes)};

/** Commands that end a session or another thing, by its name or kind. */
export const CLOSERS: Readonly<Record<string, readonly string[]>> = ${makers(({ sessions, handles }) => sessions?.closes ?? handles?.ends ?? handles?.ends_all)};

/** Sessions, and kinds of other things, of which there can be one at a time: of those with names, one of each. */
export const ALONE: ReadonlySet<string> = new Set(${JSON.stringify(aloneOf(families))});
`;
}

function aloneOf(families: readonly Family[]): readonly string[] {
  const alone = families.flatMap(({ commands }) =>
    commands.flatMap(({ sessions, handles }) => [
      ...(sessions?.alone && sessions.opens !== undefined ? [sessions.opens] : []),
      ...(handles?.alone && handles.makes !== undefined ? [handles.makes] : []),
      ...(handles?.holds === undefined ? [] : [handles.holds]),
    ]),
  );
  return [...new Set(alone)].toSorted();
}

function makersOf(
  families: readonly Family[],
  implementations: Implementations,
  what: (declaration: Declaration) => string | undefined,
): ReadonlyMap<string, readonly string[]> {
  const makers = new Map<string, string[]>();
  for (const runs of [true, false])
    for (const declaration of families.flatMap(({ commands }) => commands).toSorted(byNeed)) {
      const made = what(declaration);
      if (made === undefined || declaration.replaced_by !== undefined) continue;
      if (isImplemented(declaration, implementations) !== runs) continue;
      makers.set(made, [...(makers.get(made) ?? []), declaration.name]);
    }
  return makers;
}

/** Rank of a command that finds an element: it is meant to make it current; others do so in passing. */
function finds({ name, handles }: Declaration): number {
  return Number(handles?.makes !== undefined && name.includes('_find_'));
}

function byNeed(one: Declaration, other: Declaration): number {
  return finds(other) - finds(one) || (one.required?.length ?? 0) - (other.required?.length ?? 0);
}
