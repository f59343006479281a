import { dirname, resolve } from 'node:path';

import type { Document } from '#grammar/document/document.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import { addAll } from '#grammar/source/add-all.ts';
import type { Diagnostic, Label } from '#schemas/types/diagnostic.ts';
import type { TreeOperation } from '#schemas/types/fix.ts';
import type { SourceId } from '#schemas/types/place.ts';

import type { CompileContext, PhaseHost } from './context.ts';
import { didYouMean } from './did-you-mean.ts';
import type { ActionFile } from './phases/3-parse/ast.ts';
import { read, readSource } from './phases/1-read/index.ts';
import { migrate } from './phases/2-migrate/index.ts';
import { parse } from './phases/3-parse/index.ts';
import { findDependency, sourceIdOf, STDIN } from './phases/4-resolve/files.ts';
import { refusedAt } from './phases/4-resolve/refused.ts';

/**
 * An action file to work on: a path (absolute, or from the working directory) or `<stdin>`; `content` where it is at
 * hand.
 */
export interface Source {
  readonly path: string;
  readonly content?: Uint8Array | string;
}

/** One file as it was read. */
export interface LoadedFile {
  readonly source: SourceId;
  readonly path: string;
  /** Text of the file, for source frames, also where it could not be read. */
  readonly text: string;
  /** SHA-256 of its bytes in hex; only where programs are made. */
  readonly sha256?: string;
  /** Document as written; absent where the text is no document. */
  readonly document?: Document;
  /** Document with migrations laid over it. */
  readonly migrated?: Document;
  readonly operations: readonly TreeOperation[];
  /** Absent where the file has no body to speak of. */
  readonly file?: ActionFile;
  /** Whether it was not listed, but a listed one depends on it. */
  readonly isPulledIn: boolean;
  /** Only steps of other files use it: it is no unit of its own. */
  readonly isUsed?: true;
  /** Files that it depends on, in the order named; those that are missing were reported. */
  readonly after: readonly SourceId[];
  /** Place where each of them is named. */
  readonly namedAt: ReadonlyMap<SourceId, Label>;
}

/** Reads files, and with `follow` those that they depend on: text, migrations, steps. */
export async function load(
  sources: readonly Source[],
  context: CompileContext,
  follow: boolean,
): Promise<ReadonlyMap<SourceId, LoadedFile>> {
  const listed = sources.map((source) => ({
    ...source,
    path: source.path === STDIN ? STDIN : resolve(context.host.cwd, source.path),
  }));
  const run = listed.map(({ path }) => path).filter((path) => path !== STDIN);
  const files = new Map<SourceId, LoadedFile>();
  const waiting = listed.map((source) => ({ source, isPulledIn: false }));
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const id = sourceIdOf(next.source.path, context.root);
    if (files.has(id)) continue;
    const loaded = await loadOne(next.source, id, context);
    const dependencies = follow ? await dependenciesOf(loaded, run, context) : [];
    files.set(id, {
      ...loaded,
      isPulledIn: next.isPulledIn,
      after: [...new Set(dependencies.map(({ source }) => source))],
      namedAt: new Map(dependencies.map(({ source, at }) => [source, at])),
    });
    addAll(
      waiting,
      dependencies.map(({ path }) => ({ source: { path }, isPulledIn: true })),
    );
  }
  return files;
}

/** Reads a file that a step uses. */
export async function loadUsed(source: SourceId, path: string, context: CompileContext): Promise<LoadedFile> {
  const loaded = await loadOne({ path }, source, context);
  return { ...loaded, isPulledIn: true, isUsed: true, after: [], namedAt: new Map() };
}

type Read = Omit<LoadedFile, 'isPulledIn' | 'isUsed' | 'after' | 'namedAt'>;

async function loadOne({ path, content }: Source, source: SourceId, context: CompileContext): Promise<Read> {
  const { report, catalogue, host, options } = context;
  const bytes = content ?? (await readSource(path, source, context));
  if (bytes === undefined) return { source, path, text: '', operations: [] };
  const hash = context.verb === 'compile' ? { sha256: hashOf(bytes, host) } : {};
  // Most of what a program is put together of is garbage at once.
  if (context.verb !== 'compile') options.willRead?.(bytes.length);
  const result = await read(bytes, { source, ...(options.limits === undefined ? {} : { limits: options.limits }) });
  result.diagnostics.forEach(report);
  const { document, text } = result;
  if (document === undefined) return { source, path, text, ...hash, operations: [] };
  options.observe?.('read', document.value);
  const migration = await migrate(document, catalogue);
  migration.diagnostics.forEach(report);
  const seen = [...migration.operations, ...migration.unwritten];
  const migrated =
    seen.length === 0 ? document : (await import('#grammar/document/edit/overlay.ts')).overlay(document, seen);
  options.observe?.('migrate', migrated.value);
  const hadErrors = result.diagnostics.some(({ severity }: Diagnostic) => severity === 'error');
  const most = options.limits?.actions;
  const file = parse(migrated, {
    report,
    isCommand: (name) => catalogue.has(name) || options.functions?.has(name) === true,
    hadErrors,
    ...(most === undefined ? {} : { mostActions: most }),
  });
  return {
    source,
    path,
    text,
    ...hash,
    document,
    migrated,
    operations: migration.operations,
    ...(file === undefined ? {} : { file }),
  };
}

function hashOf(content: Uint8Array | string, host: PhaseHost): string {
  const digest = host.digest('sha256');
  if (digest === undefined) throw new Error('the host has no SHA-256');
  digest.update(typeof content === 'string' ? new TextEncoder().encode(content) : content);
  return digest.hex();
}

interface Dependency {
  readonly path: string;
  readonly source: SourceId;
  readonly at: Label;
}

async function dependenciesOf(
  { path, source, file }: Read,
  run: readonly string[],
  context: CompileContext,
): Promise<readonly Dependency[]> {
  const { host, reader, root, report } = context;
  const folder = path === STDIN ? host.cwd : dirname(path);
  const found: Dependency[] = [];
  for (const [index, name] of (file?.meta.depends_on ?? []).entries()) {
    const at: Label = { source, route: ['meta', 'depends_on', index], part: 'value' };
    const dependency = await findDependency(name, folder, root, run, reader);
    if (dependency.kind === 'found')
      found.push({ path: dependency.path, source: sourceIdOf(dependency.path, root), at });
    else if (dependency.kind === 'refused') report(refusedAt(dependency.why, { at, path: name }));
    else if (dependency.kind === 'missing')
      report(d.dependencyMissing({ at, name, nearest: didYouMean(name, dependency.stems)[0] }));
    else
      report(
        d.dependencyAmbiguous({
          at,
          name,
          paths: dependency.paths.map((each) => `"${sourceIdOf(each, root)}"`).join(', '),
        }),
      );
  }
  return found;
}
