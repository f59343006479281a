import { didYouMean } from '#compiler/did-you-mean.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';

import { META_KEYS, misspeltMetaKey } from '../../3-parse/meta.ts';
import type { Rule, SourceFile } from '../rule.ts';

const topKeys = ['actions', 'meta', 'nodes', 'setup', 'svc', 'teardown', 'webdriver_wrapper'];

/**
 * Further keys are allowed at the top and in `meta`. At the top one that looks like a typo is pointed out; in `meta`
 * all are, but for those that are clearly misspelt: of them reading the file has told.
 */
export default {
  name: 'no-unknown-key',
  preset: 'recommended',
  source(file) {
    const { value } = file.document;
    if (!isObject(value)) return;
    look(file, value);
    if (isObject(value['meta'])) lookIntoMeta(file, value['meta']);
  },
} satisfies Rule;

function lookIntoMeta({ at, report }: SourceFile, meta: JsonObject): void {
  for (const key of Object.keys(meta)) {
    if (META_KEYS.includes(key) || isOwn(key) || misspeltMetaKey(key, meta).length > 0) continue;
    report(d.noUnknownKey({ at: at(['meta', key], 'key'), key }));
  }
}

/** Names that say of themselves that they are for another tool. */
function isOwn(key: string): boolean {
  return /^(?:svc_|x-|\$)/.test(key);
}

function look({ at, report }: SourceFile, object: JsonObject): void {
  const written = Object.keys(object);
  const free = topKeys.filter((name) => !written.includes(name));
  for (const key of written.filter((name) => !topKeys.includes(name) && !isOwn(name))) {
    // Names that are further apart are names of their own: what is allowed is not nagged about.
    const [nearest] = didYouMean(key, free, key.length > 5 ? 2 : 1);
    if (nearest === undefined || !couldBe(object[key], nearest)) continue;
    const fix = {
      title: `rename to "${nearest}"`,
      safety: 'unsafe',
      operations: [{ kind: 'rename-key', route: [key], key: nearest }],
    } as const;
    report(d.noUnknownKey({ at: at([key], 'key'), key, nearest, fixes: [fix] }));
  }
}

/** A value that could not stand under the right key tells that the name was meant: `notes: remember the milk`. */
function couldBe(value: Json | undefined, key: string): boolean {
  if (key === 'meta') return isObject(value);
  return isList(value) && (key !== 'nodes' || value.every(isObject));
}
