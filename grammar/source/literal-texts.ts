import { isList, isObject, type Json } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

/** Calls back for every text of a plain value; the way to it is asked for where something is found. */
export function eachLiteralText(top: Json, visit: (text: string, path: () => Route) => void): void {
  const way: (string | number)[] = [];
  const path = (): Route => [...way];
  const enter = (key: string | number, item: Json | undefined): void => {
    if (typeof item !== 'string' && (typeof item !== 'object' || item === null)) return;
    way.push(key);
    look(item);
    way.pop();
  };
  const look = (value: Json): void => {
    if (typeof value === 'string') visit(value, path);
    else if (isList(value)) for (let index = 0; index < value.length; index += 1) enter(index, value[index]);
    else if (isObject(value)) for (const key of Object.keys(value)) enter(key, value[key]);
  };
  look(top);
}
