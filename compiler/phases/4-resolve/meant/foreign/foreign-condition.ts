import type { ParsedCondition } from '#grammar/condition/parse.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Diagnostic } from '#schemas/types/diagnostic.ts';
import type { Route, SourceId } from '#schemas/types/place.ts';

import type { Spot } from '../../references.ts';

import { foreignAssertion } from './assertion.ts';

/** The finding for a condition that is an assertion of another tool, by its place; undefined for other conditions. */
export function foreignCondition(
  source: string,
  { tree }: ParsedCondition,
  { resultOf, view }: Pick<Spot, 'resultOf' | 'view'>,
): ((file: SourceId, route: Route) => Diagnostic) | undefined {
  // Paths of Postman can be read as conditions, too.
  if (tree !== undefined && (!source.includes('pm.') || view.hasVariable('pm'))) return undefined;
  const found = foreignAssertion(source, resultOf === undefined ? 'last_response' : 'result');
  if (found === undefined) return undefined;
  const { tool, meant } = found;
  return (file, route) => {
    const write = { kind: 'replace', route, value: meant ?? '' } as const;
    return d.conditionOfAnotherTool({
      at: { source: file, route, part: 'value' },
      tool,
      nearest: meant,
      fixes: meant === undefined ? [] : [{ title: `write ${meant}`, safety: 'unsafe', operations: [write] }],
    });
  };
}
