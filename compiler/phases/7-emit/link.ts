import type { BuildOptions, Metafile } from 'esbuild';

import { packageOf } from '#grammar/module-ref/parse.ts';

import type { LinkSet } from './entry.ts';
import { entryText } from './entry.ts';
import type { EmitHost, Library } from './library.ts';

/** The code of a program without its data. */
export interface Linked {
  readonly text: string;
  /** Packages that it imports at run time, sorted. */
  readonly externals: readonly string[];
}

/**
 * Linked code by a name that tells all that decides its bytes. The code that it gives is run: it must give
 * nothing that others have put there.
 */
export interface LinkCache {
  read(name: string): string | undefined;
  /** Keeps it where that is possible. */
  write(name: string, text: string): void;
}

/** Links sets of names against the library, each distinct set once. */
export interface Linker {
  link(set: LinkSet, options: { readonly minify: boolean }): Promise<Linked>;
}

/** Opens a linker that keeps what it has linked in memory and, where there is one, in a cache. */
export function openLinker(library: Library, host: EmitHost, cache?: LinkCache): Linker {
  const known = new Map<string, Promise<Linked>>();
  return {
    link(set, { minify }) {
      const key = hashOf(host, JSON.stringify([library.hash, set, minify]));
      const linked = known.get(key) ?? throughCache(key, cache, () => linkNow(set, library, minify));
      known.set(key, linked);
      return linked;
    },
  };
}

async function throughCache(name: string, cache: LinkCache | undefined, link: () => Promise<Linked>): Promise<Linked> {
  const stored = cache?.read(name);
  if (stored !== undefined) return JSON.parse(stored) as Linked;
  const linked = await link();
  cache?.write(name, JSON.stringify(linked));
  return linked;
}

/** SHA-256 of bytes, or of a text in UTF-8, in hex. */
export function hashOf(host: EmitHost, content: string | Uint8Array): string {
  const digest = host.digest('sha256');
  if (!digest) throw new Error('this platform has no SHA-256');
  digest.update(typeof content === 'string' ? new TextEncoder().encode(content) : content);
  return digest.hex();
}

async function linkNow(set: LinkSet, library: Library, minify: boolean): Promise<Linked> {
  const { build } = await import('esbuild');
  const options: BuildOptions = {
    stdin: { contents: entryText(set, library), resolveDir: library.folder, sourcefile: 'program.js', loader: 'js' },
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
    define: Object.fromEntries(
      library.leftOut.map((name) => [`import.meta.${name}`, String(set.leftOut.includes(name))]),
    ),
    // Files in folders above the package decide nothing.
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
