import { rules as loaders } from '#schemas/generated/rules.ts';
import type { Document } from '#grammar/document/document.ts';
import type { Diagnostic, Label } from '#schemas/types/diagnostic.ts';
import type { Route } from '#schemas/types/place.ts';

import type { LintConfiguration, ResolvedUnit, Rule, SourceFile } from './rule.ts';
import { selectRules, withSeverity } from './select.ts';
import { applySuppressions } from './suppress.ts';

/** Rules that the engine itself stands for; they have no file. */
export const engineRules = ['no-unknown-rule', 'no-unused-suppression', 'use-suppression-reason'] as const;

/** Loads every rule that a configuration lets run. */
export async function loadRules(configuration: LintConfiguration): Promise<readonly Rule[]> {
  const all = await Promise.all(Object.values(loaders).map(async (load) => (await load()).default));
  return selectRules(all, configuration);
}

export interface LintInput {
  readonly document: Document;
  /** Absent where the file has errors: resolved rules stay silent. */
  readonly resolved?: Omit<ResolvedUnit, 'at' | 'report'>;
  readonly rules: readonly Rule[];
  readonly configuration: LintConfiguration;
}

/**
 * One file's lint findings, both stages, after suppressions. Pure; the rules must have been loaded. Suppressions of
 * resolved rules are not called unused where those rules could not run.
 */
export function lint({ document, resolved, rules, configuration }: LintInput): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void found.push(withSeverity(diagnostic, configuration));
  const at = (route: Route, part: Label['part'] = 'value'): Label => ({ source: document.source, route, part });
  const file: SourceFile = { document, at, report };
  for (const rule of rules) rule.source?.(file);
  if (resolved) for (const rule of rules) rule.resolved?.({ ...resolved, at, report });
  const ran = new Set([...rules.filter((rule) => resolved !== undefined || !rule.resolved).map((rule) => rule.name), ...engineRules]);
  return applySuppressions(found, document, ran);
}
