import { didYouMean } from '#compiler/did-you-mean.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import { META_KEYS } from '../../3-parse/meta.ts';
import type { Rule, SourceFile } from '../rule.ts';

const topKeys = ['actions', 'meta', 'nodes', 'setup', 'svc', 'teardown', 'webdriver_wrapper'];

/** Further keys are allowed at the top and in `meta`; one that looks like a typo is pointed out. */
export default {
  name: 'no-unknown-key',
  preset: 'recommended',
  source(file) {
    const { value } = file.document;
    if (!isObject(value)) return;
    look(file, [], value, topKeys);
    if (isObject(value['meta'])) look(file, ['meta'], value['meta'], META_KEYS);
  },
} satisfies Rule;

function look({ at, report }: SourceFile, route: Route, object: JsonObject, known: readonly string[]): void {
  const written = Object.keys(object);
  const free = known.filter((name) => !written.includes(name));
  for (const key of written.filter((name) => !known.includes(name) && !/^(?:svc_|x-|\$)/.test(name))) {
    // Names that are further apart are names of their own: what is allowed is not nagged about.
    const [nearest] = didYouMean(key, free, key.length > 5 ? 2 : 1);
    if (nearest === undefined || !couldBe(object[key], route, nearest)) continue;
    const fix = {
      title: `rename to "${nearest}"`,
      safety: 'unsafe',
      operations: [{ kind: 'rename-key', route: [...route, key], key: nearest }],
    } as const;
    report(d.noUnknownKey({ at: at([...route, key], 'key'), key, nearest, fixes: [fix] }));
  }
}

/** A value that could not stand under the right key tells that the name was meant: `notes: remember the milk`. */
function couldBe(value: Json | undefined, route: Route, key: string): boolean {
  if (route.length > 0) return true;
  if (key === 'meta') return isObject(value);
  return isList(value) && (key !== 'nodes' || value.every(isObject));
}
