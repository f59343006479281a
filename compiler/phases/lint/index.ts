import { ruleFiles } from '#schemas/generated/rules.ts';
import type { Document } from '#grammar/document/document.ts';
import { addAll } from '#grammar/source/add-all.ts';
import type { Diagnostic, Label, Report } from '#schemas/types/diagnostic.ts';
import type { Route, Span } from '#schemas/types/place.ts';

import type { LintConfiguration, MayHold, ResolvedUnit, Rule, SourceFile } from './rule.ts';
import { findingsOfCombinations } from './combinations.ts';
import { lookAtArguments, lookAtTexts } from './passes.ts';
import { selectRules, withSeverity } from './select.ts';
import { Suppressions, type OnSuppressed } from './suppress.ts';

/** Rules of the engine itself, about suppressions; these have no file. */
const engineRules: readonly string[] = [
  'no-unknown-rule',
  'no-unused-suppression',
  'use-suppression-reason',
  'valid-suppression',
];

/** The names of all rules, those of the engine too: what a configuration may set. */
export const ruleNames: readonly string[] = [...ruleFiles, ...engineRules].toSorted();

/** Loads every rule that a configuration lets run. */
export async function loadRules(configuration: LintConfiguration): Promise<readonly Rule[]> {
  const { allRules } = await import('#schemas/generated/all-rules.ts');
  return selectRules(allRules, configuration);
}

export interface LintInput {
  readonly document: Document;
  /** Absent where the file has errors: resolved rules stay silent. */
  readonly resolved?: Omit<ResolvedUnit, 'at' | 'document' | 'report'>;
  readonly rules: readonly Rule[];
  readonly configuration: LintConfiguration;
  /** The environments that the file may run with. */
  readonly profiles?: SourceFile['profiles'];
  /** Findings in it of rules that compare files. */
  readonly compared?: readonly Diagnostic[];
  /** Text of what calls get that does not stand in the file. */
  readonly defaults?: string;
  /** Findings of other phases, with their places: their warnings can be suppressed too. */
  readonly others?: readonly OtherFinding[];
  readonly onSuppressed?: OnSuppressed | undefined;
}

export interface OtherFinding {
  readonly diagnostic: Diagnostic;
  readonly span: Span;
}

/**
 * Everything that is to be said of one file after suppressions: what other phases found, and both stages of the rules.
 * Pure; the rules must have been loaded. Suppressions of what could not run are not called unused.
 */
export function lint({
  document,
  resolved,
  rules,
  configuration,
  defaults = '',
  profiles = [],
  compared = [],
  others = [],
  onSuppressed,
}: LintInput): readonly Diagnostic[] {
  const found: Diagnostic[] = [...compared];
  const report: Report = (diagnostic) => void found.push(diagnostic);
  const at = (route: Route, part: Label['part'] = 'value'): Label => ({ source: document.source, route, part });
  const file: SourceFile = { document, profiles, at, report };
  const mayHold = mayHoldIn(document, defaults);
  const hinted = rules.filter(({ hint }) => hint === undefined || mayHold(hint));
  for (const rule of hinted) rule.source?.(file);
  lookAtTexts(hinted, file);
  if (resolved) {
    const unit = { ...resolved, document, at, report };
    lookAtArguments(hinted, resolved.calls, mayHold, report);
    for (const rule of hinted) rule.resolved?.(unit);
    if (resolved.filled.length > 0) addAll(found, findingsOfCombinations(rules, unit, found));
  }
  const once = onceToldOf(rules, found, others);
  const own: Diagnostic[] = [];
  const suppressions = new Suppressions(document, (diagnostic) => void own.push(diagnostic), onSuppressed);
  const spanOf = ({ primary: { route, part } }: Diagnostic): Span => document.spanAt(route, part);
  const kept = [
    ...others
      .filter(({ diagnostic, span }) => !suppressions.isSuppressed(diagnostic, span))
      .filter(({ diagnostic }) => once(diagnostic))
      .map(({ diagnostic }) => diagnostic),
    ...found
      .filter((diagnostic) => !suppressions.isSuppressed(diagnostic, spanOf(diagnostic)))
      .filter(once)
      .map((diagnostic) => withSeverity(diagnostic, configuration)),
  ];
  suppressions.complain(ranOf(rules, resolved !== undefined), (diagnostic) => void own.push(diagnostic));
  return [
    ...kept,
    ...own.filter(({ slug }) => isOn(slug, configuration)).map((diagnostic) => withSeverity(diagnostic, configuration)),
  ];
}

/**
 * Whether a finding is told where a rule and another phase have both found one mistake: an error of the phase is,
 * and else what the rule says.
 */
function onceToldOf(
  rules: readonly Rule[],
  found: readonly Diagnostic[],
  others: readonly OtherFinding[],
): (diagnostic: Diagnostic) => boolean {
  const untold = new Set<Diagnostic>();
  for (const { name, insteadOf } of rules) {
    if (insteadOf === undefined) continue;
    const own = found.filter(({ slug }) => slug === name);
    for (const { diagnostic } of others) {
      if (diagnostic.slug !== insteadOf) continue;
      const same = own.find(({ args }) => args['key'] === diagnostic.args['key']);
      if (same !== undefined) untold.add(diagnostic.severity === 'error' ? same : diagnostic);
    }
  }
  return (diagnostic) => !untold.has(diagnostic);
}

function mayHoldIn({ text }: Document, defaults: string): MayHold {
  if (/\\[uxU\n]/.test(text)) return () => true;
  const known = new Map<RegExp, boolean>();
  return (pattern) => {
    const before = known.get(pattern);
    if (before !== undefined) return before;
    const holds = pattern.test(text) || pattern.test(defaults);
    known.set(pattern, holds);
    return holds;
  };
}

/** Whether a rule of the engine itself runs: under every preset but `none`. */
function isOn(slug: string, { preset, rules }: LintConfiguration): boolean {
  const written = rules?.[slug];
  return written === undefined ? preset !== 'none' : written !== 'off';
}

/**
 * Whether a rule could have found something: one that is switched off could not, nor could a resolved one in a file
 * with errors.
 */
function ranOf(rules: readonly Rule[], isSound: boolean): (rule: string) => boolean {
  const ran = new Set(rules.filter((rule) => isSound || !(rule.resolved ?? rule.argument)).map(({ name }) => name));
  return (name) => ran.has(name) || (isSound && !ruleFiles.includes(name) && !engineRules.includes(name));
}
