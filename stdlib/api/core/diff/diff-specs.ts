import { compareDocuments } from '#grammar/openapi/compare.ts';
import type { Change } from '#grammar/openapi/compare.ts';
import { operationsOf } from '#grammar/openapi/operations.ts';
import { isObject } from '#schemas/types/json.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import { diffPayloads } from './diff-payloads.ts';
import type { PayloadDiff } from './diff-payloads.ts';

export interface SpecDiff {
  readonly added_paths: string[];
  readonly removed_paths: string[];
  readonly added_operations: string[];
  readonly removed_operations: string[];
  /** Differences of the responses part, by operation. */
  readonly schema_changes: Record<string, PayloadDiff>;
  readonly changes: Change[];
  /** The breaking changes, a line for each. */
  readonly breaking: string[];
}

/** Differences of two OpenAPI documents, sorted. */
export function diffSpecs(left: JsonObject, right: JsonObject): SpecDiff {
  const [before, after] = [responsesOf(left), responsesOf(right)];
  const paths = ({ paths: all }: JsonObject): Set<string> => new Set(isObject(all) ? Object.keys(all) : []);
  const changed: Record<string, PayloadDiff> = {};
  for (const key of [...before.keys()].toSorted()) {
    const other = after.get(key);
    if (!other) continue;
    const diff = diffPayloads(before.get(key) ?? {}, other);
    if ([diff.added, diff.removed, diff.changed].some((part) => Object.keys(part).length > 0)) changed[key] = diff;
  }
  const only = (one: Iterable<string>, other: { has(name: string): boolean }): string[] =>
    [...one].filter((name) => !other.has(name)).toSorted();
  const changes = [...compareDocuments(left, right)];
  return {
    added_paths: only(paths(right), paths(left)),
    removed_paths: only(paths(left), paths(right)),
    added_operations: only(after.keys(), before),
    removed_operations: only(before.keys(), after),
    schema_changes: changed,
    changes,
    breaking: changes.filter((change) => change.breaking).map(line),
  };
}

function line({ operation, place, what }: Change): string {
  return `${place === '' ? operation : `${operation} ${place}`}: ${what}`;
}

/** The responses part of each operation, as it is written. */
function responsesOf(document: JsonObject): ReadonlyMap<string, JsonObject> {
  return new Map(
    operationsOf(document).map(({ key, source: { responses = {} } }) => [key, isObject(responses) ? responses : {}]),
  );
}
