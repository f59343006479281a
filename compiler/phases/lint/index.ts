import { rules as loaders } from '#schemas/generated/rules.ts';
import type { Document } from '#grammar/document/document.ts';
import type { Diagnostic, Label, Report } from '#schemas/types/diagnostic.ts';
import type { Route, Span } from '#schemas/types/place.ts';

import type { LintConfiguration, ResolvedUnit, Rule, SourceFile } from './rule.ts';
import { selectRules, withSeverity } from './select.ts';
import { Suppressions } from './suppress.ts';

/** What the engine itself says about suppressions; these have no file. */
export const engineRules: readonly string[] = [
  'no-unknown-rule',
  'no-unused-suppression',
  'use-suppression-reason',
  'valid-suppression',
];

/** The names of all rules, those of the engine too: what a configuration may set. */
export const ruleNames: readonly string[] = [...Object.keys(loaders), ...engineRules].toSorted();

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
  /** What other phases found, with its places: their warnings can be suppressed too. */
  readonly others?: readonly OtherFinding[];
}

export interface OtherFinding {
  readonly diagnostic: Diagnostic;
  readonly span: Span;
}

/**
 * Everything that is to be said of one file after suppressions: what other phases found, and both stages of the rules. Pure;
 * the rules must have been loaded. Suppressions of what could not run are not called unused.
 */
export function lint({ document, resolved, rules, configuration, others = [] }: LintInput): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const report: Report = (diagnostic) => void found.push(diagnostic);
  const at = (route: Route, part: Label['part'] = 'value'): Label => ({ source: document.source, route, part });
  const file: SourceFile = { document, at, report };
  for (const rule of rules) rule.source?.(file);
  if (resolved) for (const rule of rules) rule.resolved?.({ ...resolved, at, report });
  const own: Diagnostic[] = [];
  const suppressions = new Suppressions(document, (diagnostic) => void own.push(diagnostic));
  const spanOf = ({ primary: { route, part } }: Diagnostic): Span => document.spanAt(route, part);
  const kept = [
    ...others
      .filter(({ diagnostic, span }) => !suppressions.isSuppressed(diagnostic, span))
      .map(({ diagnostic }) => diagnostic),
    ...found
      .filter((diagnostic) => !suppressions.isSuppressed(diagnostic, spanOf(diagnostic)))
      .map((diagnostic) => withSeverity(diagnostic, configuration)),
  ];
  suppressions.complain(ranOf(rules, resolved !== undefined), (diagnostic) => void own.push(diagnostic));
  return [
    ...kept,
    ...own.filter(({ slug }) => isOn(slug, configuration)).map((diagnostic) => withSeverity(diagnostic, configuration)),
  ];
}

/** What the engine says itself runs under every preset but `none`. */
function isOn(slug: string, { preset, rules }: LintConfiguration): boolean {
  const written = rules?.[slug];
  return written === undefined ? preset !== 'none' : written !== 'off';
}

/** Whether a rule could have found something: one that is switched off could not, nor could a resolved one in a file with errors. */
function ranOf(rules: readonly Rule[], isSound: boolean): (rule: string) => boolean {
  const ran = new Set(rules.filter((rule) => isSound || !rule.resolved).map(({ name }) => name));
  return (name) => ran.has(name) || (isSound && !Object.hasOwn(loaders, name) && !engineRules.includes(name));
}
