import { basename } from 'node:path';

import { check, lint, migrate, type CompileOptions, type Source } from '#compiler/api.ts';
import { catalogue } from '#compiler/catalogue.ts';
import { STDIN } from '#compiler/phases/4-resolve/files.ts';
import { locate, type Located } from '#compiler/report/locate.ts';
import { typeText } from '#compiler/type-text.ts';
import { printRoute } from '#grammar/document/route.ts';
import { applyEdits } from '#grammar/source/edit.ts';
import type {
  ActionSource,
  Compiler,
  LintFinding,
  ListedCommand,
  NameChange,
} from '#runtime/adapters/compiler/port.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { CommandInfo } from '#schemas/types/command.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import type { Host } from '#schemas/types/host.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import { problemsOf } from './lists/action-problems.ts';
import { readSchema } from './schemas.ts';
import { sourcesOf } from './sources-of.ts';

/** Findings that say that a name or a form is an old one. */
const OLD_NAMES: ReadonlySet<string> = new Set(['SVC20002', 'SVC20003']);

/** Answers of the compiler to commands about action files (the port `compiler`). */
export function actionTools({
  host,
  root,
  here,
}: {
  readonly host: Host;
  readonly root: string;
  readonly here: string;
}): Compiler {
  const options: CompileOptions = { isOpen: true, outside: 'anywhere', root, here };
  return {
    check: async (source) => problemsOf(await check([sourceOf(source)], options, host), Infinity).lines,
    lint: async (source) => {
      const { compilation, diagnostics } = await lint([sourceOf(source)], { ...options, lint: {} }, host);
      return locate(diagnostics, sourcesOf(compilation.files)).map(findingOf);
    },
    migrate: async (source) => {
      const { files, diagnostics } = await migrate([sourceOf(source)], options, host);
      const [file] = files;
      const broken = diagnostics.find(({ severity }) => severity === 'error');
      if (!file?.document || broken) throw unreadable(source, broken);
      return { text: applyEdits(file.text, file.edits), changes: diagnostics.flatMap(changeOf) };
    },
    schema: async () => JSON.parse(await readSchema('action-file')) as JsonObject,
    commands: async () => (await catalogue.all()).map(listed).toSorted(byName),
  };
}

function sourceOf(source: ActionSource): Source {
  return 'path' in source ? { path: source.path } : { path: STDIN, content: JSON.stringify(source.data) };
}

function findingOf({ diagnostic, primary }: Located): LintFinding {
  const { code, slug, severity, message } = diagnostic;
  const place =
    primary.source === STDIN
      ? printRoute(diagnostic.primary.route)
      : `${basename(primary.source)}:${primary.start.line}:${primary.start.column}`;
  return { rule: slug, code, severity, message, location: place };
}

function unreadable(source: ActionSource, problem: Diagnostic | undefined): Error {
  const path = 'path' in source ? source.path : 'the actions';
  return fail.actionFileUnreadable({ path, reason: problem?.message ?? 'it is empty' });
}

function changeOf({ code, args, primary }: Diagnostic): readonly NameChange[] {
  if (!OLD_NAMES.has(code)) return [];
  const { old, foreign, command } = args as Readonly<Record<string, string>>;
  const index = primary.route.find((piece) => typeof piece === 'number');
  return [{ index: index ?? 0, from: old ?? foreign ?? '', to: command ?? '' }];
}

function listed({ name, params, summary, implemented }: CommandInfo): ListedCommand {
  const signature = params.map(
    ({ name: each, schema, required }) => `${each}${required ? '' : '?'}: ${typeText(schema)}`,
  );
  return { name, signature: `(${signature.join(', ')})`, summary, implemented };
}

function byName(one: ListedCommand, other: ListedCommand): number {
  const [left, right] = [one.name.toLowerCase(), other.name.toLowerCase()];
  return left < right ? -1 : left > right ? 1 : 0;
}
