import type { Document } from '#grammar/document/document.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import type { Span } from '#schemas/types/place.ts';

import type { Compilation } from './compilation.ts';
import type { LoadedFile } from './load.ts';
import { optionRoute, stepRoute } from './phases/3-parse/routes.ts';
import { lint, loadRules } from './phases/lint/index.ts';
import type { LintConfiguration, ResolvedCall, ResolvedUnit, Rule, Written } from './phases/lint/rule.ts';
import { writtenOf } from './phases/lint/literals.ts';
import { commandLabel } from './phases/4-resolve/bind.ts';
import { argumentRoute } from './phases/4-resolve/resolved.ts';
import type { PlannedNode } from './phases/6-plan/unit.ts';

/**
 * Everything that is to be said of files that were compiled: what the phases found, and what the rules find. Suppressions
 * are honoured in both. No rule looks at files that were only pulled in, nor at what `isIgnored` names.
 */
export async function lintFiles(
  compilation: Compilation,
  configuration: LintConfiguration,
  isIgnored: (source: string) => boolean,
): Promise<readonly Diagnostic[]> {
  const rules = await loadRules(configuration);
  const linted = new Map(
    compilation.files.filter((file) => !file.isPulledIn && !isIgnored(file.source)).map((file) => [file.source, file]),
  );
  const bySource = Map.groupBy(compilation.diagnostics, ({ primary }) => primary.source);
  const untouched = compilation.diagnostics.filter(({ primary }) => linted.get(primary.source)?.document === undefined);
  return [
    ...untouched,
    ...[...linted.values()].flatMap((file) =>
      lintFile(file, bySource.get(file.source) ?? [], { compilation, configuration, rules }),
    ),
  ];
}

interface Linting {
  readonly compilation: Compilation;
  readonly configuration: LintConfiguration;
  readonly rules: readonly Rule[];
}

function lintFile(
  file: LoadedFile,
  before: readonly Diagnostic[],
  { compilation, configuration, rules }: Linting,
): readonly Diagnostic[] {
  const document = file.migrated ?? file.document;
  if (document === undefined) return [];
  const others = before.map((diagnostic) => ({ diagnostic, span: spanOf(diagnostic, file, document) }));
  const resolved = compilation.isBroken(file.source) ? undefined : resolvedUnit(compilation, file);
  return lint({ document, rules, configuration, others, ...(resolved && { resolved }) });
}

/** What migrate finds speaks of the file as written. */
function spanOf(
  { code, primary: { route, part } }: Diagnostic,
  { document: written }: LoadedFile,
  migrated: Document,
): Span {
  return (code.startsWith('SVC2') ? (written ?? migrated) : migrated).spanAt(route, part);
}

function resolvedUnit(compilation: Compilation, file: LoadedFile): Omit<ResolvedUnit, 'at' | 'report'> {
  // Units of one file differ in their values alone.
  const [planned] = compilation.units(file.source);
  if (planned === undefined) throw new Error(`${file.source} has no unit`);
  const { unit, nodes } = planned;
  return { unit, calls: ownNodes(nodes, file).map((planned) => resolvedCall(planned, file)) };
}

/** Steps of files that are used are looked at with their files. */
function ownNodes(nodes: readonly PlannedNode[], { document, migrated }: LoadedFile): readonly PlannedNode[] {
  const own = migrated ?? document;
  return nodes.filter((node) => node.document === own);
}

function resolvedCall({ node, call, section }: PlannedNode, file: LoadedFile): ResolvedCall {
  const document = file.migrated ?? file.document;
  if (document === undefined) throw new Error(`${file.source} was planned without a document`);
  const { source } = document;
  const { info } = call.signature;
  const isWritten = (parameter: string): boolean => Object.hasOwn(call.args, parameter);
  let written: readonly Written[] | undefined;
  return {
    node,
    section,
    info,
    route: stepRoute(call.step),
    isWritten,
    written: () => (written ??= writtenOf({ info, node, isWritten })),
    commandAt: () => commandLabel(call.step, document),
    argumentAt: (parameter) => ({ source, route: argumentRoute(call, parameter, document), part: 'value' }),
    optionAt: (option) => ({ source, route: optionRoute(call.step, document, option), part: 'value' }),
  };
}
