import type { Diagnostic } from '#schemas/types/diagnostic.ts';

import type { LintConfiguration, Rule } from './rule.ts';

/** The rules that run under a configuration. */
export function selectRules(rules: readonly Rule[], configuration: LintConfiguration): readonly Rule[] {
  const preset = configuration.preset ?? 'recommended';
  return rules.filter((rule) => {
    const written = configuration.rules?.[rule.name];
    if (written !== undefined) return written !== 'off';
    return preset === 'strict' || (preset === 'recommended' && rule.preset === 'recommended');
  });
}

/** The finding with the severity that the configuration gives its rule. */
export function withSeverity(diagnostic: Diagnostic, configuration: LintConfiguration): Diagnostic {
  const severity = configuration.rules?.[diagnostic.slug];
  return severity === undefined || severity === 'off' ? diagnostic : { ...diagnostic, severity };
}
