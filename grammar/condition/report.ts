import * as d from '#schemas/generated/diagnostics.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import { labelOf } from '#grammar/language/label.ts';
import type { TextPlace } from '#grammar/language/label.ts';
import type { ReferenceProblem } from '#grammar/reference/ast.ts';
import { referenceDiagnostic } from '#grammar/reference/report.ts';

import type { ConditionProblem } from './ast.ts';

/** The diagnostic of a problem in a condition that stands at `place`; problems of its references among them. */
export function conditionDiagnostic(problem: ConditionProblem | ReferenceProblem, place: TextPlace): Diagnostic {
  const at = labelOf(problem, place);
  const { found = '', expected = '', nearest } = problem;
  switch (problem.key) {
    case 'empty':
      return d.conditionEmpty({ at });
    case 'unexpected-token':
      return problem.found === undefined
        ? d.conditionIncomplete({ at, expected })
        : d.conditionUnexpected({ at, found, nearest, fixes: bareReferenceFix(problem, place) });
    case 'text-not-closed':
      return d.conditionTextNotClosed({ at });
    case 'unknown-function':
      return d.unknownFunction({ at, found, expected, nearest, fixes: functionFix(problem, place) });
    case 'arguments':
      return d.functionArguments({ at, expected });
    case 'bad-regex':
      return d.conditionRegex({ at, found });
    case 'bad-number':
      return d.conditionNumber({ at, found });
    case 'duplicate-key':
      return d.conditionDuplicateKey({ at, key: found });
    case 'bad-operator':
      return d.conditionOperator({ at, found, nearest, fixes: operatorFix(problem, place) });
    case 'infix-function':
      return d.conditionInfixFunction({ at, found, expected, nearest, fixes: rewriteFix(problem, place) });
    case 'in-braces':
      return d.conditionInBraces({ at, found, fixes: rewriteFix(problem, place) });
    case 'curly-quotes':
      return d.conditionCurlyQuotes({ at, nearest, fixes: rewriteFix(problem, place) });
    case 'ambiguous-not':
      return d.ambiguousNot({ at });
    case 'chained':
      return d.chainedComparison({ at, found });
    case 'too-deep':
      return d.conditionTooDeep({ at, expected });
    case 'too-large':
      return d.conditionTooLarge({ at, expected });
    case 'not-a-condition':
      return d.notACondition({ at });
    case 'unreadable-condition':
      return d.unreadableCondition({ at });
    case 'not-closed':
    case 'too-long':
    case 'unknown-kind':
    case 'name-missing':
    case 'unknown-conversion':
    case 'no-conversion':
    case 'no-default':
    case 'nested':
    case 'unknown-member':
    case 'unexpected':
    case 'unreadable':
      return referenceDiagnostic(problem, place);
  }
}

/**
 * Fix that replaces an operator; one that means a call cannot simply stand in its place. What is asked about a step may
 * have been meant of a variable.
 */
function operatorFix(problem: ConditionProblem | ReferenceProblem, place: TextPlace): Diagnostic['fixes'] {
  if (problem.nearest?.includes('(') === true) return [];
  const isCertain = problem.nearest?.startsWith('steps.') !== true;
  return rewriteFix(problem, place).map((fix) => ({ ...fix, safety: isCertain ? 'safe' : 'unsafe' }));
}

/** Another name for a function, or for a condition about the run; one that is merely near may not be meant. */
function functionFix(problem: ConditionProblem | ReferenceProblem, place: TextPlace): Diagnostic['fixes'] {
  return rewriteFix(problem, place).map((fix) => ({ ...fix, safety: 'unsafe' }));
}

/** `$CI` names no kind: it may be a key of the environment file too. */
function bareReferenceFix(problem: ConditionProblem | ReferenceProblem, place: TextPlace): Diagnostic['fixes'] {
  const isCertain = /[.:]/.test(problem.found ?? '');
  return rewriteFix(problem, place).map((fix) => ({ ...fix, safety: isCertain ? 'safe' : 'unsafe' }));
}

function rewriteFix(
  { from, to, nearest }: ConditionProblem | ReferenceProblem,
  { route, offset = 0 }: TextPlace,
): Diagnostic['fixes'] {
  if (nearest === undefined) return [];
  return [
    {
      title: `write ${nearest}`,
      safety: 'safe',
      operations: [{ kind: 'replace-text', route, from: from + offset, to: to + offset, text: nearest }],
    },
  ];
}
