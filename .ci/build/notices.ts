import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

import type { Metafile } from 'esbuild';

import { root } from '../steps.ts';

import { isAllowed } from './licences.ts';

/** A package that has code in a bundle. */
export interface Bundled {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly author?: string | { readonly name: string };
  /** Texts of its licence and notices; empty where it has none beside its `package.json`. */
  readonly texts: readonly string[];
}

/** Folders of the packages whose code is in what was bundled, relative to the project, sorted. */
export function bundledFolders(metafiles: readonly Metafile[]): readonly string[] {
  const outputs = metafiles.flatMap((metafile) => Object.values(metafile.outputs));
  const inputs = outputs
    .flatMap((output) => Object.entries(output.inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([file]) => file);
  return [
    ...new Set(inputs.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? [])),
  ].toSorted();
}

/**
 * The notices that must go with the code of these packages, and with packages of which files go unmodified. Throws
 * where the licence of one is not allowed.
 */
export function noticesFor(
  folders: readonly string[],
  asFiles: Readonly<Record<string, readonly string[]>> = {},
): string {
  const bundled = folders.map(readBundled);
  const beside = Object.entries(asFiles).map(([name, files]) => readShipped(name, files));
  const packages = [...bundled, ...beside];
  const refused = [
    ...bundled.filter(({ license }) => !isAllowed(license, 'shipped')),
    ...beside.filter(({ license }) => !isAllowed(license, 'as-files')),
  ];
  if (refused.length > 0)
    throw new Error(
      `not to be bundled: ${refused.map(({ name, license }) => `${name} (${license ?? 'no licence'})`).join(', ')}; see .ci/build/licences.ts`,
    );
  return noticesText(packages);
}

/** One part a text, above it the packages that it belongs to, by name. */
export function noticesText(packages: readonly Bundled[]): string {
  const sorted = packages.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const byText = Map.groupBy(sorted, ({ texts, license, author }) =>
    texts.length > 0 ? texts.join('\n\n') : withoutText(license, author),
  );
  const parts = [...byText].map(
    ([text, owners]) => `${'='.repeat(80)}\n${[...new Set(owners.map(nameOf))].join('\n')}\n\n${text}\n`,
  );
  return `This package contains code, or files, of the packages below, under the licences that follow their names.\n\n${parts.join('\n')}`;
}

/** Names of the texts of licences and notices in a package. */
export function licenceFiles(home: string): readonly string[] {
  return readdirSync(home)
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .toSorted();
}

/** A package of which these files are given as they are: its notice says so, and where their source is. */
function readShipped(name: string, files: readonly string[]): Bundled {
  const folder = path.join('node_modules', name);
  const { repository } = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')) as {
    readonly repository: { readonly url: string };
  };
  const bundled = readBundled(folder);
  const source = repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
  const word = `Unmodified, each as a file of its own: ${files.map((file) => `shipped/${name}/${file}`).join(', ')}. Source: ${source}, version ${bundled.version}.`;
  return { ...bundled, texts: [word, ...bundled.texts] };
}

function readBundled(folder: string): Bundled {
  const home = path.join(root, folder);
  const { name, version, license, author } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8')) as Omit<
    Bundled,
    'texts'
  >;
  const texts = licenceFiles(home).map((file) =>
    readFileSync(path.join(home, file), 'utf8').replaceAll('\r\n', '\n').trim(),
  );
  return { name, version, texts, ...(license !== undefined && { license }), ...(author !== undefined && { author }) };
}

function nameOf({ name, version, license }: Bundled): string {
  return `${name} ${version} (${license ?? ''})`;
}

function withoutText(license: string | undefined, author: Bundled['author']): string {
  const by = typeof author === 'string' ? author : author?.name;
  return `Licence: ${license ?? ''}, as its package.json says${by === undefined ? '' : `; author: ${by}`}.`;
}
