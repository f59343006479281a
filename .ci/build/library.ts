import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { kernelPorts } from '../../compiler/generate/commands/ports.ts';
import type { Library } from '../../compiler/phases/7-emit/library.ts';
import { families } from '../../schemas/generated/catalogue.ts';
import { portFacts as ports } from '../../schemas/generated/port-facts.ts';
import { registry } from '../../schemas/generated/registry.ts';
import { root } from '../steps.ts';

const PROGRAM = 'runtime/program.ts';
const FAILURES = 'schemas/generated/failures.ts';
/** Where the kernel's optional parts stand. */
const PARTS: Library['parts'] = {
  values: { module: 'runtime/kernel/values/values.ts', name: 'values' },
  blocks: { module: 'runtime/kernel/blocks.ts', name: 'blocks' },
  graph: { module: 'runtime/kernel/graph.ts', name: 'runGraph' },
  inputs: { module: 'runtime/kernel/values/check-schema.ts', name: 'checkSchema' },
  rows: { module: 'runtime/adapters/dataset/read-rows.ts', name: 'readRows' },
  compile: { module: 'runtime/adapters/compiler/by-package.ts', name: 'compileByPackage' },
  modules: { module: 'runtime/adapters/modules/call-module.ts', name: 'callModule' },
};

/** Packages that cannot be bundled: esbuild is native, `svc` itself is asked for by programs that compile. */
export function externalPackages(): readonly string[] {
  return [...new Set(['esbuild', 'svc', ...Object.values(ports).flatMap((port) => port.externals)])].sort();
}

/** Sources of the modules that programs are linked from. */
export function libraryEntries(): readonly string[] {
  const modules = [...Object.values(registry), ...Object.values(ports)].map(({ module }) => source(module));
  return [
    ...new Set([
      PROGRAM,
      FAILURES,
      ...Object.values(PARTS).map(({ module }) => module),
      ...modules,
      ...Object.values(validators()),
    ]),
  ].sort();
}

/** The generated module that exports each implemented command's validator. */
function validators(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    families.flatMap(({ domain, family, names }) =>
      names
        .split(' ')
        .filter((name) => Object.hasOwn(registry, name))
        .map((name) => [name, `schemas/generated/validators/${domain}/${family}.js`]),
    ),
  );
}

/** Writes the table that 7-emit links by: `files` were written in `lib` below `outdir`. */
export async function writeLibrary(outdir: string, files: readonly string[]): Promise<void> {
  const { name, version } = readPackage(root);
  const library: Omit<Library, 'folder'> = {
    hash: hashOf(path.join(outdir, 'lib'), files),
    generator: `${name} ${version}`,
    program: built(PROGRAM),
    commands: mapValues(registry, ({ module }) => built(source(module))),
    validators: mapValues(validators(), built),
    ports: mapValues(ports, ({ module, needs }) => ({ module: built(source(module)), needs })),
    kernelPorts: kernelPorts(root),
    failures: built(FAILURES),
    parts: mapValues(PARTS, ({ module, name: exported }) => ({ module: built(module), name: exported })),
    externals: Object.fromEntries(
      externalPackages().map((external) => [
        external,
        external === name ? version : readPackage(path.join(root, 'node_modules', external)).version,
      ]),
    ),
  };
  await writeFile(path.join(outdir, 'library.json'), `${JSON.stringify(library)}\n`);
}

function source(module: string): string {
  return module.replace(/^#/, '');
}

function built(file: string): string {
  return `dist/lib/${file.replace(/\.ts$/, '.js')}`;
}

function hashOf(outdir: string, files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(outdir, file)))
      .update('\0');
  return hash.digest('hex');
}

function readPackage(folder: string): { readonly name: string; readonly version: string } {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { name: string; version: string };
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, to(value)]));
}
