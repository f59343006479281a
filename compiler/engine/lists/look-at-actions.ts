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

/** Limits of what is read that have a number among those of actions. */
const READING: ReadonlySet<string> = new Set(['SVC10106', 'SVC10141']);

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
  return code > 'SVC10100' && !READING.has(code);
}

/** An old name is told once a file; its fix has all of its places. As data each place is a finding. */
function eachOldName(diagnostic: Diagnostic): readonly Diagnostic[] {
  const { code, primary, fixes } = diagnostic;
  if (!OLD_NAMES.has(code)) return [diagnostic];
  const places = fixes.flatMap(({ operations }) =>
    operations.flatMap((operation) => {
      if (operation.kind !== 'replace' && operation.kind !== 'rename-key') return [];
      return [{ route: operation.route, part: operation.kind === 'replace' ? 'value' : 'key' } as const];
    }),
  );
  return places.length > 1
    ? places.map((place) => ({ ...diagnostic, primary: { ...primary, ...place } }))
    : [diagnostic];
}

function changesOf({ code, args, fixes }: Diagnostic): readonly NameChange[] {
  if (!OLD_NAMES.has(code)) return [];
  const { old, foreign, command } = args as Readonly<Record<string, string>>;
  return fixes.flatMap(({ operations }) =>
    operations.map((operation) => ({
      index: 'route' in operation ? (operation.route.find((piece) => typeof piece === 'number') ?? 0) : 0,
      from: old ?? foreign ?? '',
      to: command ?? '',
    })),
  );
}
