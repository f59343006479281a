import type { CompileContext } from '#compiler/context.ts';
import { didYouMean } from '#compiler/did-you-mean.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Label } from '#schemas/types/diagnostic.ts';
import type { Fix } from '#schemas/types/fix.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import type { ActionFile, WrittenInput } from '../3-parse/ast.ts';
import { quoted } from '../3-parse/fields.ts';
import { jsonType } from '../3-parse/type-words.ts';

import { explainValue } from './explain.ts';
import { PatternTests } from './pattern-tests.ts';
import { KEYWORDS, shapeProblem, type ShapeProblem } from './schema-shape.ts';
import { fits, literally } from './walker.ts';

/** Number of values that one file may have held to its own schemas: both may be as large as the file. */
const MOST_HELD = 1_000_000;

/** Holds the schemas of `meta.inputs` to what a schema may be, and their defaults to the schemas. */
export function inputsFit({ document, meta }: ActionFile, { report, host }: CompileContext): void {
  const patterns = new PatternTests(host);
  const budget = { left: MOST_HELD };
  for (const input of meta.inputs ?? []) {
    const at = (...inside: readonly (string | number)[]): Label => ({
      source: document.source,
      route: ['meta', 'inputs', input.name, ...inside],
      part: 'value',
    });
    const problem = shapeProblem(input.schema);
    if (problem !== undefined) report(shapeDiagnostic(problem, input, at(...problem.route)));
    else if (input.default !== undefined) defaultFits(input, at('default'), { patterns, budget, report });
  }
}

/** `type: int`, and `required: true`: an input without a default is required. */
function valueMeant(keyword: string, schema: JsonObject, { route }: Label): readonly Fix[] {
  // Only the schema itself: one inside it has a value of its own there.
  if (route.length > 4) return [];
  const value = schema[keyword];
  const type = keyword === 'type' && typeof value === 'string' ? jsonType(value) : undefined;
  if (type !== undefined)
    return [{ title: `write ${type}`, safety: 'unsafe', operations: [{ kind: 'replace', route, value: type }] }];
  if (keyword !== 'required' || typeof value !== 'boolean') return [];
  return [{ title: 'leave it out', safety: 'unsafe', operations: [{ kind: 'remove', route }] }];
}

function shapeDiagnostic({ keyword, expected }: ShapeProblem, { name: input, schema }: WrittenInput, at: Label) {
  if (expected !== undefined)
    return d.inputSchemaValue({ at, input, keyword, expected, fixes: valueMeant(keyword, schema, at) });
  const [meant] = didYouMean(keyword, KEYWORDS, 2);
  const found = { at: { ...at, part: 'key' as const }, input, keyword, allowed: quoted(KEYWORDS) };
  if (meant === undefined) return d.inputSchema(found);
  const operations: Fix['operations'] = [{ kind: 'rename-key', route: at.route, key: meant }];
  const fixes: Fix[] = [{ title: `rename it to "${meant}"`, safety: 'unsafe', operations }];
  return d.inputSchema({ ...found, nearest: meant, fixes });
}

interface Holding {
  readonly patterns: PatternTests;
  readonly budget: { left: number };
  readonly report: CompileContext['report'];
}

function defaultFits(input: WrittenInput, at: Label, { patterns, budget, report }: Holding): void {
  const { name, schema, default: value = null, secret } = input;
  patterns.slow = undefined;
  const walk = literally({ tokens: { text: () => undefined }, isMatch: patterns.test, budget });
  const [problem] = fits(schema, value, walk).problems;
  if (problem !== undefined) {
    const place = { ...at, route: [...at.route, ...problem.route] };
    report(explainValue(problem, { at: place, command: name, parameter: 'default', fixes: [], isSecret: secret }));
  } else if (patterns.slow !== undefined) report(d.inputPatternSlow({ at, input: name, pattern: patterns.slow }));
  else if (budget.left < 0) report(d.inputTooLarge({ at, input: name, limit: MOST_HELD }));
}
