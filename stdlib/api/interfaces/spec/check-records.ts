import { heldToDocument } from '#grammar/openapi/check-exchange.ts';
import { serverBasePath } from '#grammar/openapi/base-path.ts';
import { operationsOf } from '#grammar/openapi/operations.ts';
import { generalizePath } from '#grammar/openapi/path-template.ts';
import { limitPercent, percent } from '#grammar/source/percent.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import type { RecordedRequest } from '../../saved-records.ts';
import { recordFacts } from '../record-facts.ts';

/** Report on recorded requests held against an OpenAPI document. */
export interface SpecReport {
  readonly ok: boolean;
  /** Share of the operations that were used; 1 where there are none. */
  readonly coverage: number;
  readonly covered: string[];
  readonly uncovered: string[];
  readonly undocumented: string[];
  readonly problems: { readonly request: string; readonly problem: string }[];
  readonly failures: string[];
}

/** Compares records with a document; nothing is thrown because of what is found. */
export function checkRecords(
  records: readonly RecordedRequest[],
  document: JsonObject,
  minCoverage: number,
): SpecReport {
  const operations = operationsOf(document);
  const base = serverBasePath(document);
  const used = new Set<string>();
  const undocumented = new Set<string>();
  const problems = new Map<string, { readonly request: string; readonly problem: string }>();
  for (const record of records) {
    const facts = recordFacts(record, base);
    if (!facts) continue;
    const held = heldToDocument(facts, operations, document);
    if (!held) {
      undocumented.add(`${facts.method} ${generalizePath(facts.path)}`);
      continue;
    }
    used.add(held.operation.key);
    const request = `${facts.method} ${facts.path} -> ${facts.status}`;
    for (const problem of held.problems) problems.set(`${request}\n${problem}`, { request, problem });
  }
  const keys = operations.map(({ key }) => key);
  const covered = keys.filter((key) => used.has(key));
  const coverage = keys.length === 0 ? 1 : covered.length / keys.length;
  const failures = [
    ...[...undocumented].map((key) => `${key} is not documented`),
    ...[...problems.values()].map(({ request, problem }) => `${request}: ${problem}`),
    ...(coverage < minCoverage
      ? [`coverage ${percent(coverage, 1, minCoverage)} is below the minimum of ${limitPercent(minCoverage)}`]
      : []),
  ];
  return {
    ok: failures.length === 0,
    coverage,
    covered,
    uncovered: keys.filter((key) => !used.has(key)),
    undocumented: [...undocumented],
    problems: [...problems.values()],
    failures,
  };
}

/** The report as text: a line of coverage, one for each unused operation, one for each failure. */
export function reportText({ coverage, covered, uncovered, failures }: SpecReport): string {
  return [
    `Coverage: ${percent(coverage, 1, 1)} (${covered.length} of ${covered.length + uncovered.length} operations)`,
    ...uncovered.map((key) => `[UNTESTED] ${key}`),
    ...failures.map((failure) => `[FAIL] ${failure}`),
  ].join('\n');
}
