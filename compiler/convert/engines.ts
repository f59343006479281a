import type { CommandInfo } from '#schemas/types/command.ts';
import { isList, isObject, type Json } from '#schemas/types/json.ts';

import { hasReference } from '#grammar/reference/parse.ts';

import { ENGINE_PAIRS, NEAREST, type EnginePair, type ValuePair } from './engine-pairs.ts';
import type { WrittenStep } from './written-step.ts';

export type Engine = 'playwright' | 'webdriver';

const toPlaywright = new Map(ENGINE_PAIRS.map((pair) => [pair.webdriver, pair]));
const toWebdriver = new Map(
  ENGINE_PAIRS.filter(({ only }) => only === undefined).map((pair) => [pair.playwright, pair]),
);

/**
 * The command that does the same on the other engine; undefined where there is none, or the command is of no engine.
 */
export function counterpart(name: string, engine: Engine): string | undefined {
  return engine === 'playwright' ? toPlaywright.get(name)?.playwright : toWebdriver.get(name)?.webdriver;
}

/** Every command that may stand in converted files. */
export const COUNTERPARTS: readonly string[] = ENGINE_PAIRS.flatMap(({ webdriver, playwright }) => [
  webdriver,
  playwright,
]);

/** A step for another engine, or why it stays; `changed`: what is to be looked at although it was carried. */
export interface OnEngine {
  readonly step: WrittenStep;
  readonly why?: string;
}

/** Writes a step with parameters by name for the other engine. */
export function onEngine(
  step: WrittenStep,
  engine: Engine,
  infoOf: (name: string) => CommandInfo | undefined,
): OnEngine {
  const info = infoOf(step.name);
  const session = info?.sessions?.uses ?? info?.sessions?.opens ?? info?.sessions?.closes;
  if (session !== (engine === 'playwright' ? 'webdriver' : 'playwright')) return { step };
  const pair = engine === 'playwright' ? toPlaywright.get(step.name) : toWebdriver.get(step.name);
  if (pair === undefined) {
    const nearest = NEAREST[step.name];
    return { step, why: `${step.name} has no counterpart${nearest === undefined ? '' : `; nearest: ${nearest}`}` };
  }
  const name = pair[engine];
  const keywords: Record<string, Json> = {};
  for (const [key, value] of Object.entries(step.keywords ?? {})) {
    const carried = carry(key, value, pair, engine);
    if (typeof carried === 'string') return { step, why: `${step.name}: ${carried}, as ${name} is written` };
    keywords[carried.key] = carried.value;
  }
  const changed = { ...step, name, keywords: step.keywords === undefined ? undefined : keywords };
  const differs =
    isResultRead(step) && JSON.stringify(shape(info?.returns)) !== JSON.stringify(shape(infoOf(name)?.returns));
  return differs
    ? { step: changed, why: `the result of ${name} differs from that of ${step.name}, and is read here` }
    : { step: changed };
}

function carry(
  key: string,
  value: Json,
  { params = [] }: EnginePair,
  engine: Engine,
): { readonly key: string; readonly value: Json } | string {
  const isThere = engine === 'playwright';
  const found = params.find(([webdriver, playwright]) => (isThere ? webdriver : playwright) === key);
  if (found === undefined) return `"${key}" has no counterpart`;
  const [webdriver, playwright, values] = found;
  const written = values === undefined ? value : translated(value, values, isThere);
  if (written === undefined) return `this value of "${key}" has no counterpart`;
  return { key: isThere ? playwright : webdriver, value: written };
}

/** A value that a reference gives is known when it runs: it cannot be written otherwise. */
function translated(value: Json, values: ValuePair, isThere: boolean): Json | undefined {
  if (typeof value === 'string' && hasReference(value)) return undefined;
  return isThere ? values.toPlaywright(value) : values.toWebdriver(value);
}

/** A schema without its words, its keys in order. */
function shape(schema: Json | undefined): Json {
  if (schema === undefined || !isObject(schema)) return isList(schema) ? schema.map(shape) : (schema ?? null);
  return Object.fromEntries(
    Object.entries(schema)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([key, value]) => (key === 'description' ? [] : [[key, shape(value)] as const])),
  );
}

function isResultRead({ options }: WrittenStep): boolean {
  return options['expect'] !== undefined || options['save_as'] !== undefined;
}
