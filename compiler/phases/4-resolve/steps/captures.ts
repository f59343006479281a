import { parsePath } from '#grammar/value-path/parse.ts';
import { jsonPathDiagnostic, pathDiagnostic } from '#grammar/value-path/report.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import { isPattern } from '#schemas/types/bounded-match.ts';
import { isList, isObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import { optionRoute, valueAt } from '../../3-parse/routes.ts';

import type { Knowledge } from '../knowledge.ts';
import type { Call } from '../resolved.ts';
import { membersOfJsonPath } from '../meant/foreign/expression.ts';
import { checkResultPath, ownResultType } from '../result-fields.ts';
import { noMember } from '../value-type.ts';

/** Reports paths and patterns of `save_as` that cannot be read. */
export function checkCaptures(call: Call, knowledge: Knowledge): void {
  const { document, report } = knowledge;
  for (const [index, capture] of (call.step.options?.save_as ?? []).entries()) {
    if (capture === undefined) continue;
    const { path, match } = capture;
    const at = (field: string) => ({
      source: document.source,
      route: captureRoute(call, index, field, document),
      part: 'value' as const,
    });
    if (path !== undefined) {
      const parsed = parsePath(path);
      const meant = pathMeant(path, call, knowledge);
      if (meant === undefined) for (const problem of parsed.problems) report(pathDiagnostic(problem, at('path')));
      else report(jsonPathDiagnostic(path, meant, at('path')));
      if (parsed.path !== undefined) checkResultPath(call, parsed.path, () => at('path'), knowledge);
    }
    if (match !== undefined && !isPattern(match))
      report(d.capturePatternUnreadable({ at: at('match'), pattern: match }));
  }
}

/** The path that a JSONPath to one value stands for: into the body, where the result is an answer that has one. */
function pathMeant(path: string, call: Call, knowledge: Knowledge): string | undefined {
  const members = membersOfJsonPath(path);
  if (members === undefined) return undefined;
  const type = ownResultType(call, knowledge);
  // A result of any shape has every field, also one without a name.
  const isAnswer = noMember(type, ['json']) === undefined && noMember(type, ['']) !== undefined;
  if (isAnswer) return `json${members}`;
  return members === '' ? undefined : members.replace(/^\./, '');
}

function captureRoute(call: Call, index: number, field: string, document: Knowledge['document']): Route {
  const option = optionRoute(call.step, document, 'save_as');
  const written = valueAt(document.value, option) ?? null;
  if (isList(written)) return [...option, index, field];
  return isObject(written) ? [...option, field] : option;
}
