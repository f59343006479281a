import { join, relative, resolve, sep } from 'node:path';

import { isBelow } from '#compiler/reader.ts';
import { isListed } from '#grammar/module-ref/listed.ts';
import type { Route } from '#schemas/types/place.ts';

import type { Configuration } from './configuration.ts';

/** A configuration of a folder above, with what applies there where it says nothing. */
export interface Enclosing {
  readonly folder: string;
  readonly configuration: Configuration;
  readonly defaults: Readonly<Record<string, number>>;
}

/**
 * The first setting of a configuration that opens what one above it keeps closed, or undefined. A change of a stranger
 * may bring a folder with a configuration of its own: what the owner of the project has closed, or left closed, stays
 * closed.
 */
export function openedSetting(
  { settings, limits, outside }: Configuration,
  { folder, configuration: above, defaults }: Enclosing,
  root: string,
): Route | undefined {
  const opened: Route[] = [];
  for (const [gate, isOpen] of Object.entries(settings.gates))
    if (isOpen && isClosed(gate, above)) opened.push(['gates', gate]);
  const mayRead = [folder, ...above.outside];
  outside.forEach((path, index) => {
    if (!mayRead.some((each) => isBelow(path, each))) opened.push(['allow_outside', index]);
  });
  const packages = packagesAbove(above, folder, root);
  if (packages)
    settings.allow_packages?.forEach((name, index) => {
      if (!isListed(name, packages)) opened.push(['allow_packages', index]);
    });
  settings.public_env?.forEach((key, index) => {
    if (!above.settings.public_env?.includes(key)) opened.push(['public_env', index]);
  });
  const most = new Map(Object.entries(above.limits));
  for (const [name, limit] of Object.entries(limits))
    if (limit > (most.get(name) ?? defaults[name] ?? Infinity)) opened.push(['limits', name]);
  opened.push(...openedOfBrowser(settings.browser ?? {}, above));
  opened.push(...openedSchemes('storage', settings.storage?.schemes, above));
  return opened[0];
}

/** A configuration with everything closed that the one above it closes. */
export function narrowed(own: Configuration, { folder, configuration: above }: Enclosing, root: string): Configuration {
  const closed = Object.entries(above.settings.gates).filter(([, isOpen]) => !isOpen);
  const packages = own.settings.allow_packages ?? packagesAbove(above, folder, root);
  const env = [...new Set([...(above.settings.secrets?.env ?? []), ...(own.settings.secrets?.env ?? [])])];
  const limits = { ...above.limits, ...own.limits };
  const schemes = own.settings.browser?.schemes ?? above.settings.browser?.schemes;
  const storage = own.settings.storage?.schemes ?? above.settings.storage?.schemes;
  return {
    ...own,
    limits,
    settings: {
      ...own.settings,
      gates: { ...own.settings.gates, ...Object.fromEntries(closed) },
      ...(packages && { allow_packages: packages }),
      ...(env.length > 0 && { secrets: { ...own.settings.secrets, env } }),
      ...(schemes && { browser: { ...own.settings.browser, schemes } }),
      ...(storage && { storage: { ...own.settings.storage, schemes: storage } }),
      ...(Object.keys(limits).length > 0 && { limits }),
    },
  };
}

/**
 * Private targets are closed unless something opens them; what a local command line may do anyway is open unless
 * something closes it.
 */
function isClosed(gate: string, { settings }: Configuration): boolean {
  const set = Object.entries(settings.gates).find(([name]) => name === gate)?.[1];
  return set === undefined ? gate === 'private' : !set;
}

/** The list of modules above, its paths as they are from here. */
function packagesAbove({ settings }: Configuration, folder: string, root: string): readonly string[] | undefined {
  return settings.allow_packages?.map((name) => (/^\.\.?\//.test(name) ? fromHere(resolve(folder, name), root) : name));
}

function fromHere(path: string, root: string): string {
  const way = relative(root, path).split(sep).join('/');
  return way.startsWith('../') ? way : `./${way}`;
}

/** Routes of settings that choose the browser's program or its arguments, which the gate `shell` guards. */
function openedOfBrowser(
  browser: NonNullable<Configuration['settings']['browser']>,
  above: Configuration,
): readonly Route[] {
  const programs = isClosed('shell', above)
    ? (['executable_path', 'driver_path', 'args', 'channel'] as const).filter((name) => browser[name] !== undefined)
    : [];
  return [...programs.map((name): Route => ['browser', name]), ...openedSchemes('browser', browser.schemes, above)];
}

/** Routes of schemes that the list above does not have. */
function openedSchemes(
  section: 'browser' | 'storage',
  schemes: readonly string[] = [],
  { settings }: Configuration,
): readonly Route[] {
  const allowed = settings[section]?.schemes;
  if (!allowed) return [];
  return schemes.flatMap((scheme, index): Route[] => (allowed.includes(scheme) ? [] : [[section, 'schemes', index]]));
}

/** Paths of `allow_outside`, absolute. */
export function outsideOf(paths: readonly string[], root: string): readonly string[] {
  return paths.map((path) => join(resolve(root, path)));
}
