import * as d from '#schemas/generated/diagnostics.ts';
import type { Fix, TreeOperation } from '#schemas/types/fix.ts';
import { isList, isObject, type Json } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import { CONTROL_FORMS, keyOfOtherWord } from '../1-read/control-forms.ts';

import type { Owner } from './fields.ts';
import { isIdentifier } from './names.ts';

/** Keys under which other tools name the index of a loop, in small letters and without dividers. */
const INDEX_KEYS: ReadonlySet<string> = new Set([
  ...['counter', 'counteras', 'index', 'indexas', 'indexname', 'indexvar', 'loopindex'],
]);

/** Names that a loop gives under keys of other tools, which have been reported. */
export interface OtherNames {
  readonly as?: string;
  readonly index?: string;
}

export function otherNames({ object }: Owner): OtherNames {
  const found: { as?: string; index?: string } = {};
  for (const [key, written] of Object.entries(object)) {
    for (const [inner, value] of isLoopControl(key, written) ? Object.entries(written) : [[key, written] as const]) {
      if (typeof value !== 'string' || !isIdentifier(value)) continue;
      if (INDEX_KEYS.has(plain(inner))) found.index = value;
      else if (inner !== 'name' && keyOfOtherWord(inner, CONTROL_FORMS.for_each) === 'as') found.as = value;
    }
  }
  return found;
}

/** `loop_control: {loop_var: user, index_var: i}` */
function isLoopControl(key: string, value: Json): value is { readonly [key: string]: Json } {
  return key === 'loop_control' && isObject(value);
}

function plain(key: string): string {
  return key.toLowerCase().replaceAll(/[-_ ]/g, '');
}

/** Reports a key that names the index of a loop: that is given by the name of its item. */
export function isIndexKey(key: string, owner: Owner): boolean {
  const written = owner.object[key] ?? null;
  if (!INDEX_KEYS.has(plain(key)) && !isLoopControl(key, written)) return false;
  const { as: other, index } = otherNames(owner);
  const own = owner.object['as'];
  const as = typeof own === 'string' ? own : isLoopControl(key, written) ? other : undefined;
  const name = `${as ?? 'item'}_index`;
  const route = [...owner.route, key];
  const operations: readonly TreeOperation[] = [
    ...(as === undefined || as === own
      ? [{ kind: 'remove', route } as const]
      : ([
          { kind: 'rename-key', route, key: 'as' },
          { kind: 'replace', route, value: as },
        ] as const)),
    ...(index === undefined ? [] : renamed(owner.object['do'] ?? null, [...owner.route, 'do'], index, name)),
  ];
  const fix: Fix = { title: `read the index as ${name}`, safety: 'unsafe', operations };
  owner.report(d.loopIndex({ at: { source: owner.source, route, part: 'key' }, key, name, fixes: [fix] }));
  return true;
}

/** Texts of a block that read a variable, with another name for it. */
function renamed(value: Json, route: Route, from: string, to: string): readonly TreeOperation[] {
  if (typeof value === 'string') return inText(value, route, from, to);
  const inside = isList(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  return inside.flatMap(([key, each]) => renamed(each, [...route, key], from, to));
}

/** Keys whose texts are conditions, where variables stand without braces. */
const CONDITIONS: ReadonlySet<string | number> = new Set(['expect', 'if', 'until', 'when']);

function inText(value: string, route: Route, from: string, to: string): readonly TreeOperation[] {
  const isBare = route.slice(-2).some((piece) => CONDITIONS.has(piece));
  return [...value.matchAll(isBare ? /(?<![\w.'"])[A-Za-z_]\w*(?!['"])/g : /(?<=\{\{ {0,9})[A-Za-z_]\w*/g)].flatMap(
    ({ 0: name, index }) =>
      name === from ? [{ kind: 'replace-text', route, from: index, to: index + from.length, text: to } as const] : [],
  );
}
