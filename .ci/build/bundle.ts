import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { BuildOptions, Metafile, Plugin } from 'esbuild';
import { build, transform } from 'esbuild';

import { leftOutNames } from '../../schemas/types/left-out.ts';
import { root } from '../steps.ts';

import { builtinModules, lazyHttp2, marked, ownBuiltinModules } from './builtins.ts';
import type { Room } from './rooms.ts';
import { doorsIn, doorTo, roomsPlugin } from './rooms.ts';
import { straightenDoors } from './straight-doors.ts';

/** Modules that are loaded by name, with all that they need; what they share becomes chunks. */
export interface Bundle {
  /** Sources, from the root of the project. */
  readonly entries: readonly string[];
  readonly externals: readonly string[];
  readonly outdir: string;
}

/** The command line: one source that is loaded first and alone, and others that come with rooms. */
export interface RoomyBundle extends Bundle {
  readonly first: string;
  readonly rooms: readonly Room[];
}

/** Output of a bundle. */
export interface Bundled {
  /** Sorted, relative to `outdir`. */
  readonly files: readonly string[];
  readonly metafile: Metafile;
}

/** Bundles what programs are linked from; undefined where a source cannot be bundled: esbuild has said why. */
export async function bundleLibrary({ entries, ...bundle }: Bundle): Promise<Bundled | undefined> {
  // Not whitespace: with it esbuild drops the marks by which programs leave out what they do not use.
  const made = await write(
    {
      ...options(bundle),
      entryPoints: [...entries],
      minifySyntax: true,
      plugins: [builtinModules, lazyHttp2, pureCommands],
    },
    bundle.outdir,
  );
  if (made) await Promise.all(made.files.map((file) => markBuiltinNames(path.join(bundle.outdir, file))));
  return made;
}

/** The text of each command alone, with what it needs and nothing that others of its family need. */
export async function textsOfCommands(
  commands: Readonly<Record<string, string>>,
  externals: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const alone: Plugin = {
    name: 'one-command',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^command:/ }, ({ path: name }) => ({ path: name, namespace: 'one-command' }));
      onLoad({ filter: /./, namespace: 'one-command' }, ({ path: name }) => {
        const command = name.slice('command:'.length);
        return {
          contents: `export { ${command} } from ${JSON.stringify(`./${commands[command] ?? ''}`)};`,
          resolveDir: root,
        };
      });
    },
  };
  const { outputFiles } = await build({
    ...options({ externals, outdir: 'texts' }),
    entryPoints: Object.keys(commands).map((name) => ({ in: `command:${name}`, out: name })),
    plugins: [alone, builtinModules, pureCommands],
    splitting: false,
    write: false,
  });
  return new Map(outputFiles.map(({ path: file, text }) => [path.basename(file, '.js'), text]));
}

/** Bundles the command line; the same answer. */
export async function bundleCommandLine({
  first,
  entries,
  rooms,
  ...bundle
}: RoomyBundle): Promise<Bundled | undefined> {
  // One byte a letter, so that Node holds the text as it is read; in lines, since Node shows the line in which an error that nobody catches was made.
  const whole: BuildOptions & { metafile: true } = {
    ...options(bundle),
    charset: 'ascii',
    // Nothing is left out of it.
    define: { ...withoutMilo, ...Object.fromEntries(leftOutNames.map((name) => [`import.meta.${name}`, 'false'])) },
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 160,
  };
  // The imports of each module are known only after a first look.
  const look = await build({ ...whole, entryPoints: [first, ...entries], write: false }).catch(whenReported);
  if (!look) return undefined;
  const doors = entries.map((source) => ({ in: doorTo(source), out: source.replace(/\.ts$/, '') }));
  const made = await write(
    {
      ...whole,
      entryPoints: [{ in: first, out: first.replace(/\.ts$/, '') }, ...doors],
      plugins: [ownBuiltinModules, lazyHttp2, keptNames, roomsPlugin(rooms, look.metafile.inputs)],
    },
    bundle.outdir,
  );
  if (!made) return undefined;
  const opened = doorsIn(made.metafile).map((file) => relativeTo(bundle.outdir, file));
  const lazy = new Set(opened.filter((file) => file.startsWith('chunks/')));
  return { ...made, files: await straightenDoors(bundle.outdir, made.files, lazy) };
}

/** Bundles the file that starts the command line, for any Node: it tells an old one that it is old. */
export async function bundleStub(file: string, verb = ''): Promise<void> {
  const { engines } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
    readonly engines: { readonly node: string };
  };
  await build({
    absWorkingDir: root,
    entryPoints: ['compiler/cli/stub.ts'],
    outfile: file,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node18',
    conditions: ['source'],
    banner: { js: '#!/usr/bin/env node' },
    define: {
      LOWEST: JSON.stringify(engines.node.replace('>=', '')),
      ENTRY: JSON.stringify('../compiler/cli/bin.js'),
      VERB: JSON.stringify(verb),
    },
    external: ['*/bin.js'],
    logLevel: 'warning',
  });
  await chmod(file, 0o755);
}

async function write(whole: BuildOptions & { readonly metafile: true }, outdir: string): Promise<Bundled | undefined> {
  const result: { readonly metafile: Metafile } | undefined = await build(whole).catch(whenReported);
  if (!result) return undefined;
  const files = Object.keys(result.metafile.outputs)
    .map((file) => relativeTo(outdir, file))
    .sort((a, b) => (a < b ? -1 : 1));
  await Promise.all(files.map((file) => giveRequire(path.join(outdir, file))));
  return { files, metafile: result.metafile };
}

/** The path of an output as users of `outdir` write it. */
function relativeTo(outdir: string, file: string): string {
  return path.relative(outdir, path.resolve(root, file)).replaceAll(path.sep, '/');
}

/** A source that cannot be bundled has been reported on the way; anything else is a bug of the build. */
function whenReported(error: unknown): undefined {
  if (error instanceof Error && 'errors' in error) return undefined;
  throw error;
}

/** Leaves undici's second, experimental parser out, as Node's own copy does: 200 KB that nothing asks for. */
const withoutMilo = { esbuildDetection: 'true' };

function options({ externals, outdir }: Omit<Bundle, 'entries'>): BuildOptions & { metafile: true } {
  return {
    absWorkingDir: root,
    outbase: root,
    outdir,
    bundle: true,
    splitting: true,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    conditions: ['source'],
    mainFields: ['module', 'main'],
    external: [...externals, '*.node'],
    chunkNames: 'chunks/[name]-[hash]',
    charset: 'utf8',
    legalComments: 'inline',
    define: withoutMilo,
    logLevel: 'warning',
    // Rooms name sources that have no effects of their own: only where they stand matters.
    logOverride: { 'ignored-bare-import': 'silent' },
  };
}

/**
 * Says of every `command(…)` that the call does nothing by itself: it only ties types. Without the mark a program would
 * hold all commands of a family.
 */
const pureCommands: Plugin = {
  name: 'pure-commands',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]stdlib[\\/].*\.ts$/ }, async ({ path: file }) => {
      const text = await readFile(file, 'utf8');
      return { contents: text.replace(/^(export const \w+ = )(?=command\()/gm, '$1/* @__PURE__ */ '), loader: 'ts' };
    });
  },
};

/**
 * Keeps the names of what programs import: where a bundle has two of one name, as with a class and the one that it
 * extends, esbuild numbers them, and the number would stand in traces and in what is printed.
 */
const keptNames: Plugin = {
  name: 'kept-names',
  setup({ onLoad }) {
    onLoad(
      { namespace: 'file', filter: /[\\/]compiler[\\/](?:engine[\\/][^\\/]*|library[\\/].*)\.ts$/ },
      async ({ path: file }) => {
        const { code } = await transform(await readFile(file, 'utf8'), {
          loader: 'ts',
          target: 'esnext',
          keepNames: true,
        });
        return { contents: code, loader: 'js' };
      },
    );
  },
};

async function markBuiltinNames(file: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  const whole = marked(text);
  if (whole !== text) await writeFile(file, whole);
}

/** Beginning of the helper through which CommonJS packages ask for modules of Node, as esbuild writes it. */
const HELPER = /typeof require ?< ?"u" ?\? ?require ?:/;

/**
 * Gives `require` to the one chunk that holds esbuild's helper for it. The mark says that the call does nothing by
 * itself, so that a program without such a package holds neither.
 */
async function giveRequire(file: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  if (!HELPER.test(text)) return;
  const begin =
    'const require = /* @__PURE__ */ (() => process.getBuiltinModule("node:module").createRequire(import.meta.url))();\n';
  await writeFile(file, begin + text);
}
