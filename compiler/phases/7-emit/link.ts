import type { BuildOptions, Metafile } from 'esbuild';

import type { LinkSet } from './entry.ts';
import { entryText } from './entry.ts';
import type { EmitHost, Library } from './library.ts';

/** The code of a program without its data. */
export interface Linked {
  readonly text: string;
  /** Packages that it imports at run time, sorted. */
  readonly externals: readonly string[];
}

/** Links sets of names against the library, each distinct set once. */
export interface Linker {
  link(set: LinkSet, options: { readonly minify: boolean }): Promise<Linked>;
}

/**
 * Opens a linker that keeps what it has linked in memory and, where `cache` names a folder, on disk under the hash of
 * everything that decides its bytes. A file there that is not whole is made again.
 */
export function openLinker(library: Library, host: EmitHost, cache?: string): Linker {
  const known = new Map<string, Promise<Linked>>();
  return {
    link(set, { minify }) {
      const key = hashOf(host, JSON.stringify([library.hash, set, minify]));
      const linked =
        known.get(key) ??
        throughCache(host, cache && `${cache}/link-${key}.json`, () =>
          linkNow(entryText(set, library), library, minify),
        );
      known.set(key, linked);
      return linked;
    },
  };
}

async function throughCache(host: EmitHost, file: string | undefined, link: () => Promise<Linked>): Promise<Linked> {
  if (file === undefined) return link();
  if (await host.files.find(file)) {
    const stored = readStored(new TextDecoder().decode(await host.files.read(file)), host);
    if (stored) return stored;
  }
  const linked = await link();
  const text = JSON.stringify(linked);
  await host.files.write(file, `${hashOf(host, text)}\n${text}`, { parents: true });
  return linked;
}

function readStored(text: string, host: EmitHost): Linked | undefined {
  const end = text.indexOf('\n');
  const content = text.slice(end + 1);
  return text.slice(0, end) === hashOf(host, content) ? (JSON.parse(content) as Linked) : undefined;
}

/** SHA-256 in hex. */
export function hashOf(host: EmitHost, text: string): string {
  const digest = host.digest('sha256');
  if (!digest) throw new Error('this platform has no SHA-256');
  digest.update(new TextEncoder().encode(text));
  return digest.hex();
}

async function linkNow(entry: string, library: Library, minify: boolean): Promise<Linked> {
  const { build } = await import('esbuild');
  const options: BuildOptions = {
    stdin: { contents: entry, resolveDir: library.folder, sourcefile: 'program.js', loader: 'js' },
    absWorkingDir: library.folder,
    bundle: true,
    write: false,
    metafile: true,
    outfile: 'program.mjs',
    format: 'esm',
    platform: 'node',
    target: 'node22',
    packages: 'external',
    charset: 'utf8',
    minify,
    // What stands in folders above the package decides nothing.
    tsconfigRaw: '{}',
    logLevel: 'silent',
  };
  const result = await build(options);
  const text = result.outputFiles?.[0]?.text;
  if (text === undefined) throw new Error('esbuild gave no output');
  return { text, externals: externalsOf(result.metafile, library) };
}

/** The packages among the imports; what is left are modules of Node. */
function externalsOf(metafile: Metafile | undefined, library: Library): readonly string[] {
  const imports = Object.values(metafile?.outputs ?? {}).flatMap((output) => output.imports);
  const names = imports.filter(({ external }) => external === true).map(({ path }) => packageOf(path));
  return [...new Set(names)].filter((name) => Object.hasOwn(library.externals, name)).toSorted();
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
