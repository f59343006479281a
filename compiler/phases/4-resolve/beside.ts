import { didYouMean } from '#compiler/did-you-mean.ts';
import type { Document } from '#grammar/document/document.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Report } from '#schemas/types/diagnostic.ts';
import type { Fix, TreeOperation } from '#schemas/types/fix.ts';
import { isObject, type Json } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import { formOfOtherWord } from '../1-read/control-forms.ts';
import { STEP_OPTIONS } from '../1-read/vocabulary.ts';
import { unknownOption } from '../3-parse/action.ts';
import type { Step } from '../3-parse/ast.ts';
import { quoted } from '../3-parse/fields.ts';
import { optionMeant } from '../3-parse/other-options.ts';
import { stepRoute, valueAt } from '../3-parse/routes.ts';

import { nearParameter } from './meant/near-parameter.ts';
import type { Signature } from './signature.ts';

/**
 * Reports keys beside a command that are no step options: parameters at the wrong indent are one mistake together.
 * Yields whether there were any of these.
 */
export function reportKeysBeside(step: Step, signature: Signature, document: Document, report: Report): boolean {
  const keys = step.beside ?? [];
  const misplaced = keys.filter((key) => isMisplaced(key, signature));
  if (misplaced.length > 0) reportMisplaced(step, signature, misplaced, document, report);
  const route = stepRoute(step);
  const object = valueAt(document.value, route) ?? null;
  const owner = { object: isObject(object) ? object : {}, route, source: document.source, report };
  const loop = keys.find((key) => !misplaced.includes(key) && isLoop(key, owner.object[key] ?? null));
  for (const key of keys) if (key !== loop && !misplaced.includes(key)) unknownOption(key, owner);
  if (loop !== undefined) reportLoop(step, loop, owner);
  return misplaced.length > 0 || loop !== undefined;
}

/** `loop: [a, b]`, and `repeat: 3`, which only counts. */
function isLoop(key: string, value: Json): boolean {
  if (formOfOtherWord(key) === 'for_each') return true;
  return COUNTS.has(key.toLowerCase()) && typeof value === 'number' && Number.isInteger(value) && value > 0;
}

const COUNTS: ReadonlySet<string> = new Set(['count', 'repeat', 'times']);

/** `with_items` and `loop` beside a command: here the loop holds its steps. */
function reportLoop(step: Step, key: string, { object, route, source, report }: Owned): void {
  const others = Object.entries(object).filter(([name]) => name !== key);
  const over = object[key] ?? null;
  const value = {
    for_each: typeof over === 'number' ? { from: 1, to: over } : over,
    do: [Object.fromEntries(others)],
  };
  report(
    d.controlBesideCommand({
      at: { source, route: [...route, key], part: 'key' },
      word: key,
      other: step.command,
      nearest: 'for_each',
      // Comments between the keys are lost.
      fixes: [
        { title: 'write it as for_each with do', safety: 'unsafe', operations: [{ kind: 'replace', route, value }] },
      ],
    }),
  );
}

type Owned = Parameters<typeof unknownOption>[1];

function isMisplaced(key: string, signature: Signature): boolean {
  if (signature.parameters.has(key)) return true;
  return !isLikeAnOption(key) && nearParameter(key, signature) !== undefined;
}

/** Whether a key may be a step option that was mistyped: `timeout` for `timeout_s`. */
function isLikeAnOption(key: string): boolean {
  return optionMeant(key, null) !== undefined || didYouMean(key, STEP_OPTIONS, 2).length > 0;
}

function reportMisplaced(
  step: Step,
  signature: Signature,
  misplaced: readonly string[],
  document: Document,
  report: Report,
): void {
  const { source } = document;
  const [first = [], ...others] = misplaced.map((key): Route => [...stepRoute(step), key]);
  report(
    d.parametersBesideCommand({
      at: { source, route: first, part: 'key' },
      command: step.command,
      parameters: quoted(misplaced),
      related: others.map((route) => ({ source, route, part: 'key' as const })),
      fixes: moveIn(step, signature, misplaced, document),
    }),
  );
}

/** Moves them in; with them a step option whose name is that of a parameter which the command cannot do without. */
function moveIn(step: Step, { parameters }: Signature, misplaced: readonly string[], document: Document): Fix[] {
  const route = stepRoute(step);
  const to = [...route, step.command];
  const written = valueAt(document.value, to) ?? null;
  if (written !== null && !isObject(written)) return [];
  const options = Object.keys(step.options ?? {}).filter(
    (key) => parameters.get(key)?.required === true && !(isObject(written) && Object.hasOwn(written, key)),
  );
  const keys = [...misplaced, ...options];
  const safety = misplaced.some(isLikeAnOption) ? 'unsafe' : 'safe';
  return [{ title: 'move them into the parameters', safety, operations: intoParameters(keys, route, to, document) }];
}

/** Operations that make keys of a step parameters of its command, which may have none yet. */
export function intoParameters(
  keys: readonly string[],
  route: Route,
  to: Route,
  document: Document,
): readonly TreeOperation[] {
  if (isObject(valueAt(document.value, to)))
    return keys.map((key) => ({ kind: 'move', route: [...route, key], to, key }));
  const value = Object.fromEntries(keys.map((key) => [key, valueAt(document.value, [...route, key]) ?? null]));
  return [
    { kind: 'replace', route: to, value },
    ...keys.map((key) => ({ kind: 'remove', route: [...route, key] }) as const),
  ];
}
