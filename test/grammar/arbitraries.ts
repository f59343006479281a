import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

import type { ConditionTree } from '#schemas/types/condition-tree.ts';
import type { TreeOperation } from '#schemas/types/fix.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Json } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';
import type { Ref } from '#schemas/types/reference.ts';
import { CONVERSIONS, EVENT_MEMBERS } from '#grammar/reference/ast.ts';
import { valueAt } from '#grammar/document/route.ts';

/**
 * Texts as people write them, and texts that are hard to write: quotes, colons, breaks, other scripts, lookalikes of
 * other types.
 */
export const text = fc
  .oneof(
    fc.stringMatching(/^[a-z][a-z0-9_ ./-]{0,12}$/),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.string({
      unit: fc.constantFrom(
        'a',
        ' ',
        '\n',
        '\t',
        ':',
        '#',
        '-',
        '"',
        "'",
        '\\',
        '{',
        '}',
        '[',
        ',',
        '&',
        '*',
        '!',
        '|',
        '>',
        '%',
        '@',
        '$',
        'é',
        '😀',
        '\u0007',
        '\ufeff',
        '\u2028',
        '\r',
      ),
      maxLength: 8,
    }),
    fc.constantFrom(
      '',
      'true',
      'null',
      '~',
      'no',
      '1',
      '-1.5',
      '0x1F',
      '1e3',
      '.inf',
      '2001-12-14',
      '12:30',
      '<<',
      '{{a}}',
      '${ENV.X}',
      '---',
      '...',
      '- a',
      'a: b',
      '# c',
      ' a',
      'a ',
      'y',
      '=',
      '!a',
      '&a',
      '*a',
      '@a',
    ),
  )
  .filter((value) => value.isWellFormed());

export const key = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[a-z][a-z_]{0,5}$/) },
  { weight: 1, arbitrary: text },
);
export const number = fc.oneof(
  fc.integer(),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter((value) => !Number.isInteger(value) || Number.isSafeInteger(value)),
);
export const scalar: Arbitrary<Json> = fc.oneof(text, number, fc.boolean(), fc.constant(null));

/** Values of some depth, as action files hold them. */
export const value: Arbitrary<Json> = fc.letrec<{ readonly any: Json }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(key, tie('any'), { maxKeys: 4 }),
  ),
})).any;

/** Objects and lists that hold something. */
export const tree: Arbitrary<Json> = fc.oneof(
  fc.array(value, { minLength: 1, maxLength: 5 }),
  fc.dictionary(key, value, { minKeys: 1, maxKeys: 5 }),
);

/** Every route of a value. */
export function routesOf(whole: Json): readonly Route[] {
  const routes: Route[] = [[]];
  for (const route of routes) {
    const at = valueAt(whole, route);
    if (Array.isArray(at)) routes.push(...at.map((_, index) => [...route, index]));
    else if (at !== undefined && isObject(at)) routes.push(...Object.keys(at).map((step) => [...route, step]));
  }
  return routes;
}

/** A batch of operations that make sense together: no two at or below one route, no key that is there already. */
export function operationsOn(whole: Json): Arbitrary<readonly TreeOperation[]> {
  const routes = routesOf(whole);
  const one = fc.record({
    route: fc.constantFrom(...routes),
    kind: fc.nat(4),
    value,
    key,
    at: fc.nat(6),
    to: fc.constantFrom(...routes),
  });
  return fc.array(one, { minLength: 1, maxLength: 4 }).map((drafts) => {
    const batch: TreeOperation[] = [];
    const touched: Route[] = [];
    for (const draft of drafts) {
      const operation = operationOf(whole, draft);
      const places =
        operation === undefined
          ? []
          : operation.kind === 'move'
            ? [operation.route, operation.to]
            : 'route' in operation
              ? [operation.route]
              : [];
      if (operation === undefined || places.some((place) => touched.some((other) => overlap(place, other)))) continue;
      batch.push(operation);
      touched.push(...places);
    }
    return batch;
  });
}

interface Draft {
  readonly route: Route;
  readonly kind: number;
  readonly value: Json;
  readonly key: string;
  readonly at: number;
  readonly to: Route;
}

function operationOf(whole: Json, { route, kind, value: fresh, key: name, at, to }: Draft): TreeOperation | undefined {
  const target = valueAt(whole, route);
  const last = route.at(-1);
  const holder = valueAt(whole, route.slice(0, -1));
  switch (kind) {
    case 0:
      return route.length === 0 ? undefined : { kind: 'replace', route, value: fresh };
    case 1:
      return route.length === 0 ? undefined : { kind: 'remove', route };
    case 2:
      if (typeof last !== 'string' || holder === undefined || !isObject(holder) || Object.hasOwn(holder, name))
        return undefined;
      return { kind: 'rename-key', route, key: name };
    case 3:
      if (Array.isArray(target)) return { kind: 'insert', route, key: Math.min(at, target.length), value: fresh };
      if (target === undefined || !isObject(target) || Object.hasOwn(target, name)) return undefined;
      return { kind: 'insert', route, key: name, value: fresh };
    default: {
      const goal = valueAt(whole, to);
      if (route.length === 0 || goal === undefined || overlap(route, to)) return undefined;
      if (Array.isArray(goal)) return { kind: 'move', route, to, key: Math.min(at, goal.length) };
      return isObject(goal) && !Object.hasOwn(goal, name) ? { kind: 'move', route, to, key: name } : undefined;
    }
  }
}

/** Whether one route is at or below the other. */
function overlap(left: Route, right: Route): boolean {
  const length = Math.min(left.length, right.length);
  return left.slice(0, length).every((step, index) => step === right[index]);
}

const word = fc
  .stringMatching(/^[a-z_][a-z0-9_]{0,5}$/)
  .filter((name) => !['true', 'false', 'null', 'not', 'and', 'or'].includes(name));
const step = fc.oneof(word, fc.nat(20), text);
const byDefault = fc.stringMatching(/^[a-z0-9 :.[\]"-]{0,6}$/).map((found) => found.trim());
const convert = fc.constantFrom(...CONVERSIONS);
const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_ .-]{0,6}[A-Za-z0-9]$/);

const variable: Arbitrary<Ref> = fc
  .record(
    {
      ns: fc.constant('var' as const),
      name: fc.oneof(word, text),
      path: fc.array(step, { minLength: 1, maxLength: 3 }),
      default: byDefault,
      convert,
    },
    { requiredKeys: ['ns', 'name'] },
  )
  .map((ref) => ref as Ref);

/** References as `parseText` may yield them. */
export const ref: Arbitrary<Ref> = fc.oneof(
  variable,
  fc
    .record(
      {
        ns: fc.constantFrom('ENV' as const, 'ROW' as const, 'env' as const, 'file' as const),
        name,
        default: byDefault,
        convert,
      },
      { requiredKeys: ['ns', 'name'] },
    )
    .map((found) => found as Ref),
  fc.record({ ns: fc.constant('event' as const), name: fc.constantFrom(...EVENT_MEMBERS) }),
  fc.record({ ns: fc.constant('date' as const), name: fc.constantFrom('', '%Y-%m-%d', '%H:%M:%S', 'a b') }),
  fc.record({ ns: fc.constant('run' as const), name: fc.constantFrom('id', 'tmp', 'date', 'date:%H:%M') }),
  fc.constantFrom<Ref>(
    { ns: 'uuid', name: '' },
    { ns: 'uuid', name: 'v4' },
    { ns: 'cwd', name: '' },
    { ns: 'root', name: '' },
    { ns: 'here', name: '' },
  ),
);

const logical = fc.letrec<{ readonly logical: ConditionTree; readonly value: ConditionTree }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.record({ kind: fc.constant('reference' as const), ref: fc.oneof(variable, ref) }),
    fc.record({
      kind: fc.constant('literal' as const),
      value: fc.oneof(text, number, fc.boolean(), fc.constant(null)),
    }),
    fc.record({ kind: fc.constant('list' as const), items: fc.array(tie('value'), { maxLength: 3 }) }),
    fc.record({
      kind: fc.constant('object' as const),
      entries: fc.uniqueArray(fc.tuple(text, tie('value')), { maxLength: 3, selector: ([key]) => key }),
    }),
    fc.record({
      kind: fc.constant('call' as const),
      name: fc.constantFrom('len' as const, 'num' as const),
      args: fc.tuple(tie('value')),
    }),
  ),
  logical: fc.oneof(
    { maxDepth: 4, depthSize: 'medium' },
    fc.record({ kind: fc.constant('reference' as const), ref: variable }),
    fc.record({
      kind: fc.constant('compare' as const),
      operator: fc.constantFrom('==' as const, '!=' as const, '<' as const, '<=' as const, '>' as const, '>=' as const),
      left: tie('value'),
      right: tie('value'),
    }),
    fc.record({ kind: fc.constant('not' as const), operand: tie('logical') }),
    fc.record({ kind: fc.constantFrom('and' as const, 'or' as const), left: tie('logical'), right: tie('logical') }),
    fc.record({
      kind: fc.constant('call' as const),
      name: fc.constant('exists' as const),
      args: fc.tuple(fc.record({ kind: fc.constant('reference' as const), ref })),
    }),
    fc.record({
      kind: fc.constant('call' as const),
      name: fc.constant('contains' as const),
      args: fc.tuple(tie('value'), tie('value')),
    }),
    fc.record({
      kind: fc.constant('call' as const),
      name: fc.constant('matches' as const),
      args: fc.tuple(
        tie('value'),
        fc.record({
          kind: fc.constant('regex' as const),
          pattern: fc.constantFrom('a', '^x.*$', 'a\\/b', '[/]', '(a|b)+'),
          flags: fc.constantFrom('', 'i', 'ims'),
        }),
      ),
    }),
  ),
}));

/** Conditions as `parseCondition` may yield them. */
export const condition = logical.logical;

/** A text with some characters removed, doubled, swapped, changed or cut off. */
export function mutated(source: Arbitrary<string>): Arbitrary<string> {
  const change = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    kind: fc.nat(5),
    insert: fc.constantFrom(
      ...'{}[]":,\'#-&*!|>%@`\\ \t\n\r0eE.+$~?<=()/',
      '\u0000',
      '\ud800',
      '\ufeff',
      '{{',
      '${',
      '}}',
      '\n  ',
      '&&',
      '||',
    ),
  });
  return fc.tuple(source, fc.array(change, { minLength: 1, maxLength: 4 })).map(([original, changes]) =>
    changes.reduce((now, { at, kind, insert }) => {
      const from = Math.floor(at * now.length);
      switch (kind) {
        case 0:
          return now.slice(0, from) + now.slice(from + 1);
        case 1:
          return now.slice(0, from) + insert + now.slice(from);
        case 2:
          return now.slice(0, from) + insert + now.slice(from + 1);
        case 3:
          return now.slice(0, from) + now.slice(from, from + 5) + now.slice(from);
        case 4:
          return now.slice(0, from);
        default:
          return now.slice(0, from) + now.slice(from + 3) + now.slice(from, from + 3);
      }
    }, original),
  );
}
