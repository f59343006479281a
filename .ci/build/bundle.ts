import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { BuildOptions, Plugin } from 'esbuild';
import { build } from 'esbuild';

import { root } from '../steps.ts';

/** Modules that programs, the command line and users load by name. Everything that they share becomes chunks. */
export interface Bundle {
  /** Sources, from the root of the project. */
  readonly entries: readonly string[];
  readonly externals: readonly string[];
  readonly outdir: string;
}

/**
 * Bundles the entries with their npm packages; answers with the files that were written, sorted, relative to `outdir`.
 * Undefined where a source cannot be bundled: esbuild has said why.
 */
export async function bundle(request: Bundle): Promise<readonly string[] | undefined> {
  const result = await build(optionsFor(request)).catch(whenReported);
  if (!result) return undefined;
  const files = Object.keys(result.metafile.outputs).map((file) => path.relative(request.outdir, path.resolve(root, file))).sort();
  await Promise.all(files.map((file) => giveRequire(path.join(request.outdir, file))));
  return files;
}

/** A source that cannot be bundled has been reported on the way; anything else is a bug of the build. */
function whenReported(error: unknown): undefined {
  if (error instanceof Error && 'errors' in error) return undefined;
  throw error;
}

function optionsFor({ entries, externals, outdir }: Bundle): BuildOptions & { readonly metafile: true } {
  return {
    entryPoints: [...entries],
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
    // Not whitespace: with it esbuild drops the marks by which programs leave out what they do not use.
    minifySyntax: true,
    plugins: [pureCommands],
    logLevel: 'warning',
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

/** How esbuild begins the helper through which CommonJS packages ask for modules of Node. */
const HELPER = 'typeof require < "u" ? require :';

/**
 * Gives `require` to the one chunk that holds esbuild's helper for it. The mark says that the call does nothing by itself,
 * so that a program without such a package holds neither.
 */
async function giveRequire(file: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  if (!text.includes(HELPER)) return;
  const begin = 'import { createRequire as __svc_createRequire } from "node:module";\nconst require = /* @__PURE__ */ (() => __svc_createRequire(import.meta.url))();\n';
  await writeFile(file, begin + text);
}
