import { isList, isObject, type Json } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import type { StepOptions, WrittenCapture } from './ast.ts';
import { closed, flag, given, missing, text, wrong, type Owner } from './fields.ts';
import { isVariableName } from './names.ts';

/** The option `save_as`: a name, an object, or a list of these. */
export function captures(owner: Owner): StepOptions['save_as'] {
  const value = given(owner, 'save_as');
  if (value === undefined) return undefined;
  if (!isList(value)) return [capture(owner, ['save_as'], value)];
  if (value.length === 0) return wrong(owner, ['save_as'], 'a name, an object, or a list of these', value);
  return value.map((each, index) => capture(owner, ['save_as', index], each));
}

function capture(owner: Owner, route: Route, value: Json): WrittenCapture | undefined {
  if (typeof value === 'string') return isVariableName(owner, route, value) ? { name: value } : undefined;
  if (!isObject(value)) return wrong(owner, route, 'a name or an object', value);
  const own: Owner = { ...owner, title: 'save_as', object: value, route: [...owner.route, ...route] };
  closed(own, ['name', 'path', 'match', 'secret']);
  const name = text(own, 'name');
  if (name === undefined) return given(own, 'name') === undefined ? missing(own, 'name') : undefined;
  if (!isVariableName(own, ['name'], name)) return undefined;
  const path = text(own, 'path');
  const match = text(own, 'match');
  return {
    name,
    ...(path === undefined ? {} : { path }),
    ...(match === undefined ? {} : { match }),
    ...(flag(own, 'secret') === true ? { secret: true } : {}),
  };
}
