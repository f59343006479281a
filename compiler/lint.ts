import type { Diagnostic } from '#schemas/types/diagnostic.ts';

import type { Compilation } from './compilation.ts';
import type { LoadedFile } from './load.ts';
import { optionRoute, stepRoute } from './phases/1-parse/routes.ts';
import { lint, loadRules } from './phases/3-lint/index.ts';
import type { LintConfiguration, ResolvedCall, ResolvedUnit } from './phases/3-lint/rule.ts';
import { commandLabel } from './phases/4-resolve/bind.ts';
import { argumentRoute } from './phases/4-resolve/resolved.ts';
import type { PlannedNode } from './phases/5-plan/unit.ts';

/** What the rules find in files that were compiled. Files that were only pulled in are left out, and so is what `isIgnored` names. */
export async function lintFiles(compilation: Compilation, configuration: LintConfiguration, isIgnored: (source: string) => boolean): Promise<readonly Diagnostic[]> {
  const rules = await loadRules(configuration);
  return compilation.files.flatMap((file) => {
    const document = file.migrated ?? file.document;
    if (document === undefined || file.isPulledIn || isIgnored(file.source)) return [];
    const resolved = compilation.isBroken(file.source) ? undefined : resolvedUnit(compilation, file);
    return lint({ document, rules, configuration, ...(resolved && { resolved }) });
  });
}

function resolvedUnit(compilation: Compilation, file: LoadedFile): Omit<ResolvedUnit, 'at' | 'report'> {
  const { unit, nodes } = compilation.unit(file.source);
  return { unit, calls: nodes.map((planned) => resolvedCall(planned, file)) };
}

function resolvedCall({ node, call, section }: PlannedNode, file: LoadedFile): ResolvedCall {
  const document = file.migrated ?? file.document;
  if (document === undefined) throw new Error(`${file.source} was planned without a document`);
  const { source } = document;
  return {
    node,
    section,
    info: call.signature.info,
    route: stepRoute(call.step),
    isWritten: (parameter) => Object.hasOwn(call.args, parameter),
    commandAt: () => commandLabel(call.step, document),
    argumentAt: (parameter) => ({ source, route: argumentRoute(call, parameter, document), part: 'value' }),
    optionAt: (option) => ({ source, route: optionRoute(call.step, document, option), part: 'value' }),
  };
}
