import type { Json } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

/** Whether `route` is `start` or leads on from it. */
export function startsWith(route: Route, start: Route): boolean {
  return start.length <= route.length && start.every((step, index) => route[index] === step);
}

export function isSameRoute(left: Route, right: Route): boolean {
  return left.length === right.length && startsWith(left, right);
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
