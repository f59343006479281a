import { didYouMean } from '#compiler/did-you-mean.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import type { WrittenMatrix } from './ast.ts';
import { combinationsOf, isSame, MOST_COMBINATIONS } from './combinations.ts';
import { given, listed, placeOf, quoted, wrong, type Owner } from './fields.ts';
import { writing } from './meant.ts';
import { isStepId } from './names.ts';

/** Keys beside the axes. */
const LISTS = ['include', 'exclude'] as const;

/** Reads `meta.matrix`; undefined where it cannot say which combinations there are. */
export function matrix(owner: Owner): WrittenMatrix | undefined {
  const written = given(owner, 'matrix');
  if (written === undefined) return undefined;
  if (!isObject(written))
    return wrong(owner, ['matrix'], 'an object of lists, such as {browser: [chromium, firefox]}', written);
  const own: Owner = { ...owner, title: 'the matrix', object: written, route: [...owner.route, 'matrix'] };
  const names = Object.keys(written).filter((key) => !(LISTS as readonly string[]).includes(key));
  const axes = names.flatMap((name) => axisOf(own, name) ?? []);
  const [include, exclude] = LISTS.map((key) => entriesOf(own, key));
  if (include === undefined || exclude === undefined || axes.length < names.length) return undefined;
  const known: WrittenMatrix = { axes, include, exclude };
  return isUsable(own, known) ? known : undefined;
}

function axisOf(owner: Owner, name: string): WrittenMatrix['axes'][number] | undefined {
  if (!isStepId(name)) {
    owner.report(d.notAPlainName({ at: { ...placeOf(owner, name), part: 'key' }, name }));
    return undefined;
  }
  const values = owner.object[name] ?? null;
  if (!isList(values)) return oneValue(owner, name, values);
  return values.length === 0 ? wrong(owner, [name], 'a list with values', values) : { name, values };
}

/** One value, or several with commas between them, where a list of them was meant. */
function oneValue(owner: Owner, name: string, written: Json): WrittenMatrix['axes'][number] | undefined {
  const values = typeof written === 'string' ? listed(written) : [written];
  if (written === null || isObject(written) || values.length === 0)
    return wrong(owner, [name], 'a list of values', written);
  wrong(owner, [name], 'a list of values', written, writing([...owner.route, name], values, 'safe'));
  return { name, values };
}

function entriesOf(owner: Owner, key: string): readonly JsonObject[] | undefined {
  const value = owner.object[key] ?? [];
  if (!isList(value)) {
    const meant = isObject(value) ? writing([...owner.route, key], [value], 'safe') : undefined;
    return wrong(owner, [key], 'a list of objects', value, meant);
  }
  const misfit = value.findIndex((each) => !isObject(each));
  return misfit < 0 ? value.filter(isObject) : wrong(owner, [key, misfit], 'an object', value[misfit] ?? null);
}

function isUsable(owner: Owner, matrix: WrittenMatrix): boolean {
  const { axes, exclude, include } = matrix;
  const at = placeOf(owner);
  const isKnown = [
    ...exclude.map((entry, index) => isEntry(owner, ['exclude', index], entry, matrix)),
    ...include.map((entry, index) => isEntry(owner, ['include', index], entry, { ...matrix, axes: open(axes) })),
    ...include.map((entry, index) => isWhole(owner, ['include', index], entry, matrix)),
  ].every(Boolean);
  if (!isKnown) return false;
  const count = axes.reduce((product, { values }) => product * values.length, 1) + include.length;
  if (count > MOST_COMBINATIONS) owner.report(d.matrixTooLarge({ at, count, limit: MOST_COMBINATIONS }));
  else if (axes.length === 0 || combinationsOf(matrix).length === 0) owner.report(d.matrixEmpty({ at }));
  else return true;
  return false;
}

/** The axes without their values: an included combination may have values that no axis lists. */
function open(axes: WrittenMatrix['axes']): WrittenMatrix['axes'] {
  return axes.map(({ name }) => ({ name, values: [] }));
}

function isEntry(owner: Owner, route: Route, entry: JsonObject, { axes }: WrittenMatrix): boolean {
  let isSound = true;
  for (const [key, value] of Object.entries(entry)) {
    const axis = axes.find(({ name }) => name === key);
    const names = axes.map(({ name }) => name);
    if (axis === undefined) {
      const at = { ...placeOf(owner, ...route, key), part: 'key' } as const;
      owner.report(
        d.unknownMatrixKey({
          at,
          key,
          keys: names.length === 0 ? undefined : quoted(names),
          nearest: didYouMean(key, names)[0],
        }),
      );
      isSound = false;
    } else if (axis.values.length > 0 && !axis.values.some((each) => isSame(each, value))) {
      owner.report(d.unknownMatrixValue({ at: placeOf(owner, ...route, key), key, value: JSON.stringify(value) }));
      isSound = false;
    }
  }
  return isSound;
}

function isWhole(owner: Owner, route: Route, entry: JsonObject, { axes }: WrittenMatrix): boolean {
  const lacking = axes.find(({ name }) => !Object.hasOwn(entry, name));
  if (lacking === undefined) return true;
  owner.report(d.fieldMissing({ at: placeOf(owner, ...route), field: lacking.name, owner: 'a combination' }));
  return false;
}
