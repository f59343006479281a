import { isList, type Json } from '#schemas/types/json.ts';

import { isSince } from '../dialect.ts';
import { equalItems, equalItemsMessage } from '../unique-items.ts';
import { checkCount } from './scalars.ts';
import { fits, type Visit } from './visit.ts';

type List = Visit<readonly Json[]>;

export function checkItems(visit: List): void {
  const { value } = visit;
  checkCount(visit, value.length, ['minItems', 'maxItems'], 'items');
  if (visit.get('uniqueItems') === true) checkUnique(visit);
  const first = firstItems(visit);
  for (const [index, item] of value.slice(0, first.length).entries()) check(visit, [first.keyword, index], item, index);
  if (first.rest !== undefined) checkRest(visit, first.rest, first.length);
  if (visit.get('contains') !== undefined) checkContains(visit);
}

/** The keywords that speak of items by place, and of those behind them. */
function firstItems(visit: List): { keyword: string; length: number; rest: string | undefined } {
  const [prefix, items] = [visit.get('prefixItems'), visit.get('items')];
  if (isSince(visit.here.resource.dialect, '2020-12')) {
    const length = isList(prefix) ? prefix.length : 0;
    return { keyword: 'prefixItems', length, rest: items === undefined ? undefined : 'items' };
  }
  if (isList(items))
    return {
      keyword: 'items',
      length: items.length,
      rest: visit.get('additionalItems') === undefined ? undefined : 'additionalItems',
    };
  return { keyword: 'items', length: 0, rest: items === undefined ? undefined : 'items' };
}

function check(visit: List, keys: readonly (string | number)[], item: Json, index: number): void {
  if (visit.apply(keys, item, index)) visit.outcome.items.add(index);
}

function checkRest(visit: List, keyword: string, from: number): void {
  if (visit.get(keyword) === false && visit.value.length > from)
    return visit.find(keyword, `must NOT have more than ${from} items`);
  for (const [index, item] of visit.value.entries()) if (index >= from) check(visit, [keyword], item, index);
}

function checkContains(visit: List): void {
  const { dialect } = visit.here.resource;
  const found = visit.value.flatMap((item, index) => (fits(visit.judge(['contains'], item, index)) ? [index] : []));
  const [min, max] = [visit.get('minContains'), visit.get('maxContains')];
  const least = typeof min === 'number' ? min : 1;
  const most = typeof max === 'number' ? max : undefined;
  if (found.length < least || found.length > (most ?? Infinity))
    visit.find(
      'contains',
      most === undefined
        ? `must contain at least ${least} valid item(s)`
        : `must contain at least ${least} and no more than ${most} valid item(s)`,
    );
  if (isSince(dialect, '2020-12')) for (const index of found) visit.outcome.items.add(index);
}

function checkUnique(visit: List): void {
  const equal = equalItems(visit.value);
  if (equal) visit.find('uniqueItems', equalItemsMessage(equal));
}

/** Items that no keyword beside this one has looked at. */
export function checkUnevaluatedItems(visit: List): void {
  const rule = visit.get('unevaluatedItems');
  if (rule === undefined) return;
  const left = [...visit.value.entries()].filter(([index]) => !visit.outcome.items.has(index));
  if (rule !== false) for (const [index, item] of left) check(visit, ['unevaluatedItems'], item, index);
  else if (left.length > 0) visit.find('unevaluatedItems', `must NOT have more than ${visit.outcome.items.size} items`);
}
