import { blockEntry, flowYaml, printJson } from '#grammar/document/print.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { withOwnNames, type ImportedFile, type ImportedStep } from './file.ts';

/** Findings that the author of the imported file has to answer for, by the index of their step. */
export type Ignored = ReadonlyMap<number, ReadonlySet<string>>;

/** The text of an action file in YAML: what could not be carried over stands in comments, at its place. */
export function importedYaml(file: ImportedFile, source: string, ignored: Ignored = new Map()): string {
  const lines = [`# Imported from ${oneLine(source)} (${file.from}).`];
  for (const text of file.lost) lines.push(`# Not carried over: ${oneLine(text)}`);
  if (Object.keys(file.meta).length > 0) lines.push(blockEntry('meta', file.meta, 0));
  lines.push('actions:');
  withOwnNames(file.steps).forEach((step, index) => lines.push(...stepLines(step, ignored.get(index))));
  return `${lines.join('\n')}\n`;
}

/** The same in JSON, where there are no comments: what was lost stands in `x-not-carried-over`. */
export function importedJson(file: ImportedFile, source: string): string {
  const lost = withOwnNames(file.steps).flatMap((step, index) =>
    step.lost.map((text) => ({ step: index, what: text })),
  );
  const all: readonly Json[] = [...file.lost.map((what): JsonObject => ({ what })), ...lost];
  const value: JsonObject = {
    meta: {
      ...file.meta,
      'x-imported-from': source,
      ...(all.length > 0 ? { 'x-not-carried-over': all as Json[] } : {}),
    },
    actions: withOwnNames(file.steps).map(stepValue),
  };
  return `${printJson(value)}\n`;
}

/** A step as an object: the command, and its options beside it. */
export function stepValue({ action: [name, params], options }: ImportedStep): JsonObject {
  return { [name]: params, ...options };
}

function stepLines(step: ImportedStep, ignored: ReadonlySet<string> | undefined): readonly string[] {
  const lines = step.lost.map((text) => `  # Not carried over: ${oneLine(text)}`);
  if (ignored) lines.push(`  # svc-ignore ${[...ignored].sort().join(', ')}: the imported request is so`);
  const [name, params] = step.action;
  lines.push(`  - ${flowOr(name, params)}`);
  for (const [key, value] of Object.entries(step.options)) lines.push(`    ${blockEntry(key, value, 4)}`);
  return lines;
}

function flowOr(name: string, params: JsonObject): string {
  const flow = `${name}: ${flowYaml(params)}`;
  return flow.length <= 120 && !/[\n]/.test(flow) ? flow : blockEntry(name, params, 4);
}

/** A text that stays within one comment. */
function oneLine(text: string): string {
  return text.replace(/[\p{C}\u2028\u2029]+/gu, ' ').slice(0, 500);
}
