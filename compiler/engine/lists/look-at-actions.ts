import { basename } from 'node:path';

import { check, lint, migrate, type CompileOptions, type Source } from '#compiler/api.ts';
import { STDIN } from '#compiler/phases/4-resolve/files.ts';
import { locate, type Located } from '#compiler/report/locate.ts';
import { printRoute } from '#grammar/document/route.ts';
import { applyEdits } from '#grammar/source/edit.ts';
import type { LintFinding, MigratedSource, NameChange } from '#runtime/adapters/compiler/port.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import type { Host } from '#schemas/types/host.ts';

import { sourcesOf } from '../sources-of.ts';
import { problemsOf } from './action-problems.ts';

/** A look at actions or at an action file: data alone, so that another thread can be given it. */
export interface Look {
  readonly purpose: keyof Looked;
  /** Path of a file, absolute, or the text of actions. */
  readonly of: { readonly path: string } | { readonly content: string };
  readonly root: string;
  readonly here: string;
}

/** Answers, by the purpose. */
export interface Looked {
  readonly check: readonly string[];
  readonly lint: readonly LintFinding[];
  readonly migrate: MigratedSource;
}

/** Findings that say that a name or a form is an old one. */
const OLD_NAMES: ReadonlySet<string> = new Set(['SVC20002', 'SVC20003']);

/** Errors about actions that stop a migration all the same: two limits, and a language version that is not known. */
const STOPPING: ReadonlySet<string> = new Set(['SVC10106', 'SVC10127', 'SVC10141']);

/** Checks, lints or migrates; runs nothing. Fails where a text that is to be migrated cannot be read. */
export async function lookAtActions({ purpose, of, root, here }: Look, host: Host): Promise<Looked[keyof Looked]> {
  const options: CompileOptions = { isOpen: true, outside: 'anywhere', root, here };
  const source = 'path' in of ? of : { path: STDIN, content: of.content };
  if (purpose === 'check') return problemsOf(await check([source], options, host), Infinity).lines;
  if (purpose === 'migrate') return migrated(source, options, host);
  const { compilation, diagnostics } = await lint([source], { ...options, lint: {} }, host);
  return locate(diagnostics.flatMap(eachOldName), sourcesOf(compilation.files)).map(findingOf);
}

async function migrated(source: Source, options: CompileOptions, host: Host): Promise<MigratedSource> {
  const { files, diagnostics } = await migrate([source], options, host);
  const [file] = files;
  const broken = diagnostics.find(({ severity, code }) => severity === 'error' && !isAboutActions(code));
  if (!file?.document || broken) throw unreadable(source, broken);
  return {
    text: applyEdits(file.text, file.edits),
    changes: diagnostics.flatMap(changesOf).toSorted((one, other) => one.index - other.index),
  };
}

function findingOf({ diagnostic, primary }: Located): LintFinding {
  const { code, slug, severity, message } = diagnostic;
  const place =
    primary.source === STDIN
      ? printRoute(diagnostic.primary.route)
      : `${basename(primary.source)}:${primary.start.line}:${primary.start.column}`;
  return { rule: slug, code, severity, message, location: place };
}

function unreadable({ path }: Source, problem: Diagnostic | undefined): Error {
  return fail.actionFileUnreadable({
    path: path === STDIN ? 'the actions' : path,
    reason: problem?.message ?? 'it is empty',
  });
}

/** Whether a text that could be read holds no actions, or some that are none: these stay as they are. */
function isAboutActions(code: string): boolean {
  return code > 'SVC10100' && !STOPPING.has(code);
}

/** Findings as data: one for each place of an old name. */
function eachOldName(diagnostic: Diagnostic): readonly Diagnostic[] {
  const places = OLD_NAMES.has(diagnostic.code) ? placesOf(diagnostic) : [];
  if (places.length < 2) return [diagnostic];
  return places.map((place) => ({ ...diagnostic, primary: { ...diagnostic.primary, ...place } }));
}

function changesOf(diagnostic: Diagnostic): readonly NameChange[] {
  if (!OLD_NAMES.has(diagnostic.code)) return [];
  const { old, foreign, command } = diagnostic.args as Readonly<Record<string, string>>;
  return placesOf(diagnostic).map(({ route }) => ({
    index: route.find((piece) => typeof piece === 'number') ?? 0,
    from: old ?? foreign ?? '',
    to: command ?? '',
  }));
}

/** Places of an old name: it is told once a file, and its fix has all of them. */
function placesOf({ fixes }: Diagnostic): readonly Pick<Diagnostic['primary'], 'route' | 'part'>[] {
  return fixes.flatMap(({ operations }) =>
    operations.flatMap((operation) => {
      if (operation.kind !== 'replace' && operation.kind !== 'rename-key') return [];
      return [{ route: operation.route, part: operation.kind === 'replace' ? 'value' : 'key' } as const];
    }),
  );
}
