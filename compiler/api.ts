import { resolve } from 'node:path';

import type { Document } from '#grammar/document/document.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import type { TextEdit } from '#schemas/types/fix.ts';
import type { SourceId } from '#schemas/types/place.ts';

import { catalogue, type Catalogue } from './catalogue.ts';
import { compileFiles, type Compilation } from './compilation.ts';
import type { CompileContext, CompileHost, CompileOptions, Verb } from './context.ts';
import type { Conversion, ConvertedFile } from './convert/convert.ts';
import type { FormattedFile } from './format.ts';
import { load, type LoadedFile, type Source } from './load.ts';
import type { LintConfiguration, PathConfiguration } from './phases/lint/rule.ts';
import { STDIN } from './phases/4-resolve/files.ts';
import { isBelow, projectRoot, Reader, type ReaderOptions } from './reader.ts';

export type { Compilation } from './compilation.ts';
export type { CompileHost, CompileOptions } from './context.ts';
export type { Conversion, ConvertedFile } from './convert/convert.ts';
export type { FormattedFile } from './format.ts';
export type { LoadedFile, Source } from './load.ts';
export { MANIFEST, programs } from './programs.ts';
export type { Emitted, ProgramOptions, Programs } from './programs.ts';

/** Options of every door beside its sources. */
export interface DoorOptions extends CompileOptions {
  /** Shared between calls, so that declarations are loaded once. */
  readonly catalogue?: Catalogue;
}

/**
 * Folders and files that may be read: what is named by whoever calls is, and so is the project of a source that is
 * named.
 */
async function readable(
  root: string,
  sources: readonly Source[],
  { outside = [], allow_packages = [], dotenv }: DoorOptions,
  host: CompileHost,
): Promise<ReaderOptions['roots']> {
  if (outside === 'anywhere') return outside;
  const modules = allow_packages.filter((name) => /^\.\.?\//.test(name)).map((name) => resolve(root, name));
  const roots = [root, ...outside, ...modules, ...(dotenv === undefined ? [] : [resolve(host.cwd, dotenv)])];
  for (const { path } of sources) {
    const isInside = path === STDIN || roots.some((each) => isBelow(resolve(host.cwd, path), each));
    if (!isInside) roots.push(await projectRoot(path, host));
  }
  return roots;
}

/**
 * The one project root of all sources. Fails where they have several: what is made of a file depends on its own root
 * alone.
 */
async function rootOfAll(sources: readonly Source[], host: CompileHost): Promise<string> {
  const roots = new Set(await Promise.all(sources.map(({ path }) => projectRoot(path, host))));
  const [root = host.cwd, ...others] = [...roots].sort();
  if (others.length > 0) throw fail.severalProjects({ roots: [root, ...others].join(', ') });
  return root;
}

async function contextOf(
  sources: readonly Source[],
  options: DoorOptions,
  host: CompileHost,
  verb: Verb,
  diagnostics: Diagnostic[],
): Promise<CompileContext> {
  const root = options.root ?? (await rootOfAll(sources, host));
  const limit = options.limits?.bytes;
  return {
    host,
    reader: new Reader(host.files, {
      roots: await readable(root, sources, options, host),
      ...(limit !== undefined && { limit }),
    }),
    options,
    verb,
    root,
    catalogue: options.catalogue ?? catalogue,
    report: (diagnostic) => void diagnostics.push(diagnostic),
  };
}

export interface Parsed {
  readonly root: string;
  readonly files: readonly LoadedFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Text to steps, migrations laid over. Looks at each file alone. */
export async function parse(sources: readonly Source[], options: DoorOptions, host: CompileHost): Promise<Parsed> {
  const diagnostics: Diagnostic[] = [];
  const context = await contextOf(sources, options, host, 'check', diagnostics);
  const files = await load(sources, context, false);
  return { root: context.root, files: [...files.values()], diagnostics };
}

export interface MigratedFile {
  readonly source: SourceId;
  readonly path: string;
  readonly text: string;
  readonly document?: Document;
  /** Edits that make the new text of the old one; empty: nothing to change. */
  readonly edits: readonly TextEdit[];
}

export interface Migrated {
  readonly root: string;
  readonly files: readonly MigratedFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Text edits that write older files in today's way; comments and layout survive, and a second run changes nothing. */
export async function migrate(sources: readonly Source[], options: DoorOptions, host: CompileHost): Promise<Migrated> {
  const diagnostics: Diagnostic[] = [];
  const context = await contextOf(sources, options, host, 'migrate', diagnostics);
  const { textEdits } = await import('#grammar/document/edit/edit.ts');
  const files = [...(await load(sources, context, false)).values()].map(
    ({ source, path, text, document, operations }) => ({
      source,
      path,
      text,
      ...(document && { document }),
      edits: document === undefined ? [] : textEdits(document, operations),
    }),
  );
  return { root: context.root, files, diagnostics };
}

export interface Formatted {
  readonly root: string;
  readonly files: readonly FormattedFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Files in the one style, on lines of `width` characters; values and comments stay, and a second run changes nothing.
 */
export async function format(
  sources: readonly Source[],
  options: DoorOptions & { readonly width?: number },
  host: CompileHost,
): Promise<Formatted> {
  const diagnostics: Diagnostic[] = [];
  const context = await contextOf(sources, options, host, 'check', diagnostics);
  const { formatFiles } = await import('./format.ts');
  return { root: context.root, files: await formatFiles(sources, options.width, context), diagnostics };
}

export interface Converted {
  readonly root: string;
  readonly file: ConvertedFile;
  readonly diagnostics: readonly Diagnostic[];
}

/** One file in another way of writing; what it means stays. */
export async function convert(
  source: Source,
  options: DoorOptions & Conversion,
  host: CompileHost,
): Promise<Converted> {
  const diagnostics: Diagnostic[] = [];
  const context = await contextOf([source], options, host, 'check', diagnostics);
  const { convertFile } = await import('./convert/convert.ts');
  return { root: context.root, file: await convertFile(source, options, context), diagnostics };
}

/** Text to checked draft. Nothing is built or sealed unless it is asked for. */
export function check(sources: readonly Source[], options: DoorOptions, host: CompileHost): Promise<Compilation> {
  return compileAs('check', sources, options, host);
}

/** Checks as `check` does; a planned command is a warning, and sound files can be sealed. */
export function plan(sources: readonly Source[], options: DoorOptions, host: CompileHost): Promise<Compilation> {
  return compileAs('plan', sources, options, host);
}

export interface Linted {
  readonly compilation: Compilation;
  /** Findings of all phases and of the rules, without what the author has suppressed. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface LintOptions extends DoorOptions {
  readonly lint: LintConfiguration;
  /** Files that no rule looks at. */
  readonly isIgnored?: (source: SourceId) => boolean;
  /** Other presets and severities for some files; of several that fit, later ones win. */
  readonly paths?: readonly PathConfiguration[];
  /** Told of findings that their authors mean so, and why. */
  readonly onSuppressed?: (diagnostic: Diagnostic, reason: string) => void;
}

/**
 * Checks as `check` does, and then by the lint rules: both stages on sound files, source rules on files with
 * errors.
 */
export async function lint(sources: readonly Source[], options: LintOptions, host: CompileHost): Promise<Linted> {
  const compilation = await compileAs('lint', sources, options, host);
  const { lintFiles } = await import('./lint.ts');
  return {
    compilation,
    diagnostics: await lintFiles(compilation, options.lint, { ...options, parseEnv: host.parseEnv.bind(host) }),
  };
}

/** Checks as `check` does; a planned command is an error. `for: 'run'` also makes missing environment keys errors. */
export function compile(
  sources: readonly Source[],
  options: DoorOptions & { readonly for?: 'compile' | 'run' },
  host: CompileHost,
): Promise<Compilation> {
  return compileAs(options.for ?? 'compile', sources, options, host);
}

async function compileAs(
  verb: Verb,
  sources: readonly Source[],
  options: DoorOptions,
  host: CompileHost,
): Promise<Compilation> {
  return compileFiles(sources, await contextOf(sources, options, host, verb, []));
}
