import type { Json, JsonObject } from '#schemas/types/json.ts';
import { counted } from '#grammar/source/counted.ts';

/** A file of another program as an action file. */
export interface ImportedFile {
  /** Kind of file, for people: `Postman collection 2.1`. */
  readonly from: string;
  readonly meta: JsonObject;
  readonly steps: readonly ImportedStep[];
  /** Sentences about each part of the whole file that could not be carried over. */
  readonly lost: readonly string[];
  /** Environment keys that stand in place of credentials. */
  readonly secrets: readonly string[];
}

export interface ImportedStep {
  readonly action: readonly [name: string, params: JsonObject];
  /** Step options: `name`, `expect`, `save_as`, … */
  readonly options: Readonly<Record<string, Json>>;
  /** Sentences about each thing that could not be carried over. */
  readonly lost: readonly string[];
  /** Steps that ask more of its answer. */
  readonly behind?: readonly ImportedStep[];
}

/** Steps, each with those behind it. */
export function inOrder(steps: readonly ImportedStep[]): readonly ImportedStep[] {
  return steps.flatMap(({ behind = [], ...step }) => [step, ...behind]);
}

/** Error for a file that is not of the kind that it was taken for. */
export class ImportError extends Error {}

/** Steps whose names are each used once: a name that was there before gets a number. */
export function withOwnNames(steps: readonly ImportedStep[]): readonly ImportedStep[] {
  const count = new Map<string, number>();
  return steps.map((step) => {
    const { name } = step.options;
    if (typeof name !== 'string') return step;
    const times = (count.get(name) ?? 0) + 1;
    count.set(name, times);
    return times === 1 ? step : { ...step, options: { ...step.options, name: `${name} (${times})` } };
  });
}

/** `1 line`, `2 lines`. */
export function linesText(count: number): string {
  return counted(count, 'line');
}
