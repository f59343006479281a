import { parseText } from '#grammar/reference/parse.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import { foldValue, type ValueForms } from '#schemas/types/fold-value.ts';
import { isList, isObject, type Json } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import type { Rule } from '../rule.ts';
import { insideArgument, literalTexts } from '../texts.ts';

/** References stand where they are filled. */
export default {
  name: 'no-unfilled-reference',
  preset: 'recommended',
  hint: /\$\{|\{\{/,
  source({ document, at, report }) {
    const meta = memberOf(document.value, 'meta');
    const look = (value: Json | undefined, route: Route, where: string): void => {
      for (const { text, path } of literalTexts(value ?? null))
        if (holdsReference(text)) report(d.noUnfilledReference({ at: at([...route, ...path]), text, where }));
    };
    for (const [name, schema] of entries(memberOf(meta, 'inputs')))
      look(memberOf(schema, 'default'), ['meta', 'inputs', name, 'default'], 'a default of an input');
    look(memberOf(meta, 'matrix'), ['meta', 'matrix'], 'a value of a matrix');
    look(memberOf(meta, 'locks'), ['meta', 'locks'], 'the name of a lock');
  },
  resolved({ calls, report }) {
    for (const call of calls)
      for (const { name, text: kind } of call.info.params) {
        const value = call.node.args[name];
        const path = value === undefined || kind === 'later' ? undefined : foldValue(value, unfilledKey);
        if (path === undefined || !call.isWritten(name)) continue;
        const at = { ...insideArgument(call, name, path), part: 'key' } as const;
        report(d.noUnfilledReference({ at, text: String(path.at(-1)), where: 'a key of an object' }));
      }
  },
} satisfies Rule;

function holdsReference(text: string): boolean {
  return /\$\{|\{\{/.test(text) && parseText(text).parts.some((part) => typeof part !== 'string');
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  return value !== undefined && isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function entries(value: Json | undefined): readonly (readonly [string, Json])[] {
  return value !== undefined && isObject(value) ? Object.entries(value) : [];
}

const nowhere = (): undefined => undefined;
/** The way to the first key with a reference. */
const unfilledKey: ValueForms<Route | undefined> = {
  lit: keyIn,
  text: nowhere,
  ref: nowhere,
  list: (parts) => first(parts.entries()),
  map: first,
  block: nowhere,
};

function keyIn(value: Json): Route | undefined {
  if (isList(value)) return first(value.map(keyIn).entries());
  return isObject(value) ? first(Object.entries(value).map(([key, item]) => [key, keyIn(item)] as const)) : undefined;
}

function first(parts: Iterable<readonly [step: string | number, inner: Route | undefined]>): Route | undefined {
  for (const [step, inner] of parts) {
    if (typeof step === 'string' && holdsReference(step)) return [step];
    if (inner !== undefined) return [step, ...inner];
  }
  return undefined;
}
