import type { Json, JsonObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

/** Whether `route` is `start` or leads on from it. */
export function startsWith(route: Route, start: Route): boolean {
  return start.length <= route.length && start.every((step, index) => route[index] === step);
}

/** The value that a route leads to; undefined where it leads nowhere. Only own keys count. */
export function valueAt(value: Json, route: Route): Json | undefined {
  let found: Json | undefined = value;
  for (const step of route) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = (found as { readonly [key: string | number]: Json })[step];
  }
  return found;
}

/** `actions[3].WR_pw_fill["x y"]`: the way people write it; empty for the document itself. */
export function printRoute(route: Route): string {
  let text = '';
  for (const step of route) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (/^[A-Za-z_][A-Za-z0-9_-]*$/.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text;
}

/** Whether two values are equal: keys in any order, lists element by element. */
export function isSameValue(left: Json, right: Json): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item: Json, index) => isSameValue(item, right[index] as Json));
  }
  const keys = Object.keys(left);
  const [one, other] = [left as JsonObject, right as JsonObject];
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSameValue(one[key] as Json, other[key] as Json))
  );
}
