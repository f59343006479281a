import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Metafile } from 'esbuild';

import { kernelPorts } from '../../compiler/generate/commands/ports.ts';
import type { DecidingParameter, ExportOf, Library } from '../../compiler/phases/7-emit/library.ts';
import { families } from '../../schemas/generated/catalogue.ts';
import { portFacts as ports } from '../../schemas/generated/port-facts.ts';
import { registry } from '../../schemas/generated/registry.ts';
import type { CommandInfo, LinkedPart } from '../../schemas/types/command.ts';
import { leftOutNames, type LeftOut } from '../../schemas/types/left-out.ts';
import { root } from '../steps.ts';

import type { Bundled } from './bundle.ts';
import { textsOfCommands } from './bundle.ts';
import { askedForIn, hostPartsAskedFor, type Asked, type Source } from './host-parts.ts';

const PROGRAM = 'runtime/program.ts';
const FAILURES = 'schemas/generated/failures.ts';
/** Modules of the kernel's optional parts. */
const PARTS: Library['parts'] = {
  values: { module: 'runtime/kernel/values/values.ts', name: 'values' },
  blocks: { module: 'runtime/kernel/blocks.ts', name: 'blocks' },
  controls: { module: 'runtime/kernel/control/controls.ts', name: 'controls' },
  graph: { module: 'runtime/kernel/graph.ts', name: 'runGraph' },
  inputs: { module: 'runtime/kernel/values/check-schema.ts', name: 'checkSchema' },
  locks: { module: 'runtime/services/file-locks/take-locks.ts', name: 'takeLocks' },
  rows: { module: 'runtime/adapters/dataset/read-rows.ts', name: 'readRows' },
  compile: { module: 'runtime/adapters/compiler/by-package.ts', name: 'compileByPackage' },
  modules: { module: 'runtime/adapters/modules/call-module.ts', name: 'callModule' },
};

/** Parts of the host, and of what stands around the kernel. */
const AROUND: Required<Library['around']> = {
  bulk: { module: 'runtime/hosts/node/bulk.ts', name: 'bulk' },
  trees: { module: 'runtime/hosts/node/trees.ts', name: 'trees' },
  match: { module: 'runtime/hosts/node/match.ts', name: 'makeMatch' },
  processes: { module: 'runtime/hosts/node/programs/processes.ts', name: 'makeProcesses' },
  pinned: { module: 'runtime/program/pinned-packages.ts', name: 'pinnedPackages' },
};
/** Source of a provider that programs evaluate when they begin. */
const SMALL_BYTES = 16 * 1024;
const REPORTERS: Library['reporters'] = {
  allure: { module: 'runtime/reporters/allure/allure.ts', name: 'allure' },
  azure: { module: 'runtime/reporters/azure.ts', name: 'azure' },
  ctrf: { module: 'runtime/reporters/ctrf.ts', name: 'ctrf' },
  github: { module: 'runtime/reporters/github.ts', name: 'github' },
  gitlab: { module: 'runtime/reporters/gitlab.ts', name: 'gitlab' },
  html: { module: 'runtime/reporters/html/html.ts', name: 'html' },
  human: { module: 'runtime/reporters/human.ts', name: 'human' },
  json: { module: 'runtime/reporters/json.ts', name: 'json' },
  junit: { module: 'runtime/reporters/junit.ts', name: 'junit' },
  markdown: { module: 'runtime/reporters/markdown.ts', name: 'markdown' },
  tap: { module: 'runtime/reporters/tap.ts', name: 'tap' },
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
      ...[...Object.values(PARTS), ...Object.values(AROUND), ...Object.values(REPORTERS)].map(({ module }) => module),
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
export async function writeLibrary(outdir: string, { files, metafile }: Bundled): Promise<void> {
  const { name, version } = readPackage(root);
  const asks = await asksOf(metafile);
  const library: Omit<Library, 'folder'> = {
    hash: hashOf(path.join(outdir, 'lib'), files),
    generator: `${name} ${version}`,
    program: built(PROGRAM),
    commands: mapValues(registry, ({ module }) => built(source(module))),
    validators: mapValues(validators(), built),
    ports: mapValues(ports, ({ module, needs }) => ({
      module: built(source(module)),
      needs,
      isSmall: isSmall(source(module), metafile),
    })),
    kernelPorts: kernelPorts(root),
    failures: built(FAILURES),
    parts: mapValues(PARTS, builtExport),
    around: mapValues(AROUND, builtExport),
    asks,
    leftOut: leftOutNames,
    ...(await decidedByParameters(asks)),
    reporters: mapValues(REPORTERS, builtExport),
    externals: Object.fromEntries(
      externalPackages().map((external) => [
        external,
        external === name ? version : readPackage(path.join(root, 'node_modules', external)).version,
      ]),
    ),
  };
  await writeFile(path.join(outdir, 'library.json'), `${JSON.stringify(library)}\n`);
}

function builtExport({ module, name }: ExportOf): ExportOf {
  return { module: built(module), name };
}

/** Parts of the host that commands, providers and parts may ask for, where they ask for any. */
async function asksOf({ inputs }: Metafile): Promise<Library['asks']> {
  const read = (file: string): Source => ({
    text: readFileSync(path.join(root, file), 'utf8'),
    imports: (inputs[file]?.imports ?? []).flatMap(({ path: imported }) =>
      isSource(imported) && Object.hasOwn(inputs, imported) ? [imported] : [],
    ),
  });
  const ofModules = (modules: Readonly<Record<string, string>>): Record<string, readonly Asked[]> => {
    const asked = hostPartsAskedFor(Object.values(modules), read);
    return Object.fromEntries(
      Object.entries(modules).flatMap(([name, module]) => {
        const names = asked.get(module);
        return names ? [[name, names]] : [];
      }),
    );
  };
  const sources = mapValues(registry, ({ module }) => source(module));
  // A family is one module, of which a command may need a small part.
  const families = Object.keys(ofModules(sources)).map((name) => [name, sources[name] ?? ''] as const);
  const texts = await textsOfCommands(Object.fromEntries(families), externalPackages());
  const telling = new Set((await declared()).filter(({ returns }) => mayHoldText(returns)).map(({ name }) => name));
  const all = { ...sources, ...Object.fromEntries(texts) };
  const commands = Object.keys(all).map((name) => {
    const asked = askedForIn(texts.get(name) ?? '');
    return [name, telling.has(name) ? [...new Set([...asked, 'withoutForms' as const])] : asked] as const;
  });
  return {
    commands: Object.fromEntries(commands.filter(([, names]) => names.length > 0)),
    ports: ofModules(mapValues(ports, ({ module }) => source(module))),
    parts: ofModules(mapValues(PARTS as Record<string, ExportOf>, ({ module }) => module)),
  };
}

/** Commands that ask for a small part by a port, and their parameters that decide about it. */
async function decidedByParameters(asks: Library['asks']): Promise<Pick<Library, 'needs' | 'decides'>> {
  const needs: Record<string, readonly string[]> = {};
  const decides: Record<string, Partial<Record<LeftOut, DecidingParameter>>> = {};
  for (const command of await declared()) {
    const asking = command.needs.filter((port) => asks.ports[port]?.some((part) => part.startsWith('without')));
    if (asking.length > 0) needs[command.name] = asking;
    for (const { name, links, default: value = null } of command.params)
      if (links !== undefined) (decides[command.name] ??= {})[markOf(links)] = { name, value };
  }
  return { needs, decides };
}

/** Declarations of the commands that have a function. */
async function declared(): Promise<readonly CommandInfo[]> {
  return (await Promise.all(families.map(({ load }) => load()))).flat().filter((info) => info.implemented);
}

/** Whether a result of a schema may hold text that the command did not choose. */
function mayHoldText({ type, const: only }: CommandInfo['returns']): boolean {
  if (only !== undefined) return false;
  const types = Array.isArray(type) ? type : [type];
  return !types.every((name) => ['null', 'boolean', 'integer', 'number'].some((plain) => plain === name));
}

/** `encodings` → `withoutEncodings`. */
function markOf(part: LinkedPart): LeftOut {
  return `without${part.charAt(0).toUpperCase()}${part.slice(1)}` as LeftOut;
}

/** Whether a module, with what it imports, is our own code alone and little of it. */
function isSmall(module: string, { inputs }: Metafile): boolean {
  const seen = new Set([module]);
  let bytes = 0;
  for (const file of seen) {
    if (!isSource(file)) return false;
    if (!file.startsWith('schemas/generated/')) bytes += inputs[file]?.bytes ?? 0;
    for (const { path: imported, external } of inputs[file]?.imports ?? [])
      if (external !== true && !imported.startsWith('builtin-module:')) seen.add(imported);
  }
  return bytes < SMALL_BYTES;
}

/** Not a module of Node, nor one of a package: these know nothing of the host. */
function isSource(file: string): boolean {
  return /^(?:stdlib|runtime|grammar|schemas)\//.test(file);
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
