import { didYouMean } from '#compiler/did-you-mean.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Fix } from '#schemas/types/fix.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';

import { isControlWord } from '../../1-read/control-forms.ts';
import { isBodyKey } from '../../1-read/vocabulary.ts';
import { META_KEYS, metaKeyNear } from '../../3-parse/meta.ts';
import { fixOfEdges, isListOfEdges } from '../edges.ts';
import type { Rule, SourceFile } from '../rule.ts';

const topKeys = ['actions', 'meta', 'nodes', 'setup', 'svc', 'teardown', 'webdriver_wrapper'];

/** Names that lists of steps around the body have in other tools, in small letters and without dividers. */
const OTHER_LISTS: Readonly<Record<string, readonly string[]>> = {
  setup: ['background', 'before', 'beforeall', 'init', 'pre', 'prepare', 'setupsteps'],
  teardown: ['after', 'afterall', 'always', 'cleanup', 'ensure', 'finally', 'post', 'teardownsteps'],
};

/** Keys of `meta` that say nothing where they stand beside it, and that a file has for nothing else. */
const OF_META: ReadonlySet<string> = new Set([
  ...['base_url', 'dataset', 'fail_fast', 'inputs', 'locks', 'matrix'],
  ...['max_workers', 'on_failure', 'retry', 'returns', 'timeout_s'],
]);

/**
 * Further keys are allowed at the top and in `meta`. At the top one that looks like a typo is pointed out, and one
 * under which other tools have what stands elsewhere here; in `meta` all are, but for those that are clearly misspelt:
 * of them reading the file has told.
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
    if (META_KEYS.includes(key) || isOwn(key) || metaKeyNear(key, meta) !== undefined) continue;
    const nearest = metaKeyMeant(key, meta);
    const operations = [{ kind: 'rename-key', route: ['meta', key], key: nearest ?? key }] as const;
    // Inputs are described, and not given values there.
    const isWrittenElse = nearest === 'inputs' && !Object.values(meta[key] ?? {}).every(isObject);
    const fixes: readonly Fix[] =
      nearest === undefined || isWrittenElse ? [] : [{ title: `rename to "${nearest}"`, safety: 'unsafe', operations }];
    report(d.noUnknownKey({ at: at(['meta', key], 'key'), key, nearest, fixes }));
  }
}

/** Names that keys of `meta` have in other tools, in small letters and without dividers. */
const OTHER_META: Readonly<Record<string, readonly string[]>> = {
  dataset: ['csv', 'examples', 'rows'],
  depends_on: ['dependencies', 'deps', 'needs'],
  env: ['environment'],
  inputs: ['args', 'arguments', 'parameters', 'params', 'variables', 'vars'],
  locks: ['concurrency', 'mutex', 'resourcegroup'],
  name: ['testname', 'title'],
  returns: ['output', 'outputs'],
  tags: ['labels', 'markers', 'marks'],
};

function metaKeyMeant(key: string, meta: JsonObject): string | undefined {
  const word = key.toLowerCase().replaceAll(/[-_ ]/g, '');
  return Object.keys(OTHER_META).find(
    (name) => !Object.hasOwn(meta, name) && OTHER_META[name]?.includes(word) === true,
  );
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
    const [near] = didYouMean(key, free, key.length > 5 ? 2 : 1);
    const nearest = near !== undefined && couldBe(object[key], near) ? near : listMeant(key, object);
    // That nothing is under the right key is an error already.
    if (nearest !== undefined && isBodyKey(nearest) && !written.some(isBodyKey)) continue;
    if (nearest !== undefined)
      report(d.noUnknownKey({ at: at([key], 'key'), key, nearest, fixes: renamed(key, nearest) }));
    else lookElsewhere(key, object, { at, report });
  }
}

function renamed(from: string, key: string): readonly Fix[] {
  return [{ title: `rename to "${key}"`, safety: 'unsafe', operations: [{ kind: 'rename-key', route: [from], key }] }];
}

/** A value that could not stand under the right key tells that the name was meant: `notes: remember the milk`. */
function couldBe(value: Json | undefined, key: string): boolean {
  if (key === 'meta') return isObject(value);
  return isList(value) && (key !== 'nodes' || value.every(isObject));
}

/** The list of steps that another tool calls like this, where steps stand in it. */
function listMeant(key: string, object: JsonObject): string | undefined {
  const word = key.toLowerCase().replaceAll(/[-_ ]/g, '');
  const meant = Object.keys(OTHER_LISTS).find((name) => OTHER_LISTS[name]?.includes(word) === true);
  const value = object[key];
  if (meant === undefined || Object.hasOwn(object, meant) || !isList(value) || value.length === 0) return undefined;
  return value.every(isStep) ? meant : undefined;
}

function isStep(value: Json): boolean {
  if (isList(value)) return typeof value[0] === 'string' && isCommandName(value[0]);
  if (isObject(value)) return Object.keys(value).some((key) => isCommandName(key) || isControlWord(key));
  return typeof value === 'string' && isCommandName(value);
}

function isCommandName(text: string): boolean {
  return /^(?:WR|AT|FA)_\w/.test(text);
}

/** Keys that mean something elsewhere in the file: in `meta`, or in the nodes of a graph. */
function lookElsewhere(key: string, object: JsonObject, { at, report }: Pick<SourceFile, 'at' | 'report'>): void {
  const { meta = {}, nodes = null } = object;
  if (key === 'edges' && isListOfEdges(object[key] ?? null) && isList(nodes))
    return report(
      d.noUnknownKey({
        at: at([key], 'key'),
        key,
        nearest: 'depends_on',
        fixes: fixOfEdges(object[key] ?? null, nodes),
      }),
    );
  if (!OF_META.has(key) || !isObject(meta) || Object.hasOwn(meta, key)) return;
  const value = object[key] ?? null;
  const first = Object.hasOwn(object, 'meta')
    ? ({ kind: 'move', route: [key], to: ['meta'], key } as const)
    : ({ kind: 'replace', route: [key], value: { [key]: value } } as const);
  const second = { kind: 'rename-key', route: [key], key: 'meta' } as const;
  const operations = first.kind === 'move' ? [first] : [first, second];
  const fixes: readonly Fix[] = [{ title: 'move it into "meta"', safety: 'unsafe', operations }];
  report(d.noUnknownKey({ at: at([key], 'key'), key, nearest: `meta.${key}`, fixes }));
}
