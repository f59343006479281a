import { didYouMean } from '#compiler/did-you-mean.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Document } from '#grammar/document/document.ts';
import type { Report } from '#schemas/types/diagnostic.ts';
import type { Fix } from '#schemas/types/fix.ts';
import { isObject, type JsonObject } from '#schemas/types/json.ts';

import { argumentRoute, RANGE_KEYS, type Call } from './resolved.ts';

/** Names that the keys of a range have in other languages. */
const OTHER_KEYS: Readonly<Record<string, string>> = {
  begin: 'from',
  start: 'from',
  end: 'to',
  stop: 'to',
  until: 'to',
  by: 'step',
  increment: 'step',
};

/** Whether a loop goes over an object that would be a range but for a key, or but for the names of its keys: told. */
export function reportAlmostRange(call: Call, document: Document, report: Report): boolean {
  const over = call.args['for_each'] ?? null;
  if (!isObject(over)) return false;
  const keys = Object.keys(over);
  const key = keys.find((each) => !RANGE_KEYS.includes(each)) ?? halfOf(over);
  if (key === undefined) return false;
  const isNearly = Object.hasOwn(over, 'from') && Object.hasOwn(over, 'to');
  const other = (each: string): string | undefined => (Object.hasOwn(OTHER_KEYS, each) ? OTHER_KEYS[each] : undefined);
  const meant = keys.map((each) => (RANGE_KEYS.includes(each) ? each : (other(each) ?? '')));
  const isWhole = isRangeInOtherWords(over, meant);
  if (!isNearly && !isWhole && key !== halfOf(over)) return false;
  const route = argumentRoute(call, 'for_each', document, []);
  const nearest = didYouMean(key, ['step'])[0] ?? other(key);
  const fixes: readonly Fix[] = isWhole
    ? [
        {
          title: `write ${meant.map((each) => `"${each}"`).join(', ')}`,
          safety: 'unsafe',
          operations: keys.flatMap((from, index) =>
            from === meant[index] ? [] : [{ kind: 'rename-key', route: [...route, from], key: meant[index] ?? '' }],
          ),
        },
      ]
    : [];
  const at = { source: document.source, route: [...route, key], part: 'key' } as const;
  report(d.almostRange({ at, key, nearest, fixes }));
  return true;
}

/** Whether the keys stand for those of a range, each once, and its values could be bounds. */
function isRangeInOtherWords(over: JsonObject, meant: readonly string[]): boolean {
  const isEach = new Set(meant).size === meant.length && meant.every((key) => RANGE_KEYS.includes(key));
  return isEach && meant.includes('from') && meant.includes('to') && Object.values(over).every(isBound);
}

/** A bound of a range that lacks the other one: `{from: 1}`. */
function halfOf(over: JsonObject): string | undefined {
  const keys = Object.keys(over);
  const isPart = keys.every((key) => RANGE_KEYS.includes(key)) && Object.values(over).every(isBound);
  return isPart && !(keys.includes('from') && keys.includes('to')) ? keys[0] : undefined;
}

function isBound(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^\$?\{.*\}$/.test(value));
}
