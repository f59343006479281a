import { makeConditionGrammar } from '#grammar/condition/parser.ts';
import { printCondition } from '#grammar/condition/print.ts';
import { scanCondition } from '#grammar/condition/scan.ts';
import type { Cron } from '#grammar/cron/ast.ts';
import { makeCronGrammar } from '#grammar/cron/parser.ts';
import { printCron } from '#grammar/cron/print.ts';
import { scanCron } from '#grammar/cron/scan.ts';
import type { Problem } from '#grammar/language/problem.ts';
import type { ParsedText } from '#grammar/reference/ast.ts';
import { makeReferenceGrammar } from '#grammar/reference/parser.ts';
import { printPath, printText } from '#grammar/reference/print.ts';
import { readWithGrammar } from '#grammar/reference/read-broken.ts';
import { scanText } from '#grammar/reference/scan.ts';
import { makeShardGrammar } from '#grammar/shard/parser.ts';
import { printShard } from '#grammar/shard/print.ts';
import { scanShard } from '#grammar/shard/scan.ts';
import { makeStorageUriGrammar } from '#grammar/storage-uri/parser.ts';
import { printStorageUri } from '#grammar/storage-uri/print.ts';
import { scanStorageUri } from '#grammar/storage-uri/scan.ts';
import { makeTagFilterGrammar } from '#grammar/tag-filter/parser.ts';
import { printTagFilter } from '#grammar/tag-filter/print.ts';
import { scanTagFilter } from '#grammar/tag-filter/scan.ts';
import { makePathGrammar } from '#grammar/value-path/parser.ts';
import { scanValuePath } from '#grammar/value-path/parse.ts';

/** A small language as the tests see it: what the grammar reads, what the scanner reads, and the text of a tree. */
export interface Language {
  readonly name: string;
  /** The tree, and what is wrong. Both where only parts are broken. */
  readonly parse: (text: string) => { readonly tree?: unknown; readonly problems: readonly Problem[] };
  /** Undefined where the scanner leaves the text to the grammar. */
  readonly scan: (text: string) => unknown;
  readonly print: (tree: never) => string;
  /** The scanner reads everything that is well formed, so that programs need no grammar. */
  readonly scansAll: boolean;
}

const oneReference = makeReferenceGrammar();
const reference = (text: string): ParsedText => readWithGrammar(text, oneReference);
const condition = makeConditionGrammar(oneReference);
const cron = makeCronGrammar();
const shard = makeShardGrammar();
const storageUri = makeStorageUriGrammar();
const tagFilter = makeTagFilterGrammar();
const path = makePathGrammar();

export const languages: readonly Language[] = [
  {
    name: 'reference',
    parse: (text) => ({ tree: reference(text).parts, problems: reference(text).problems }),
    scan: (text) => scanText(text)?.parts,
    print: printText,
    scansAll: true,
  },
  {
    name: 'condition',
    parse: (text) => condition(text),
    scan: (text) => scanCondition(text)?.tree,
    print: printCondition,
    scansAll: false,
  },
  {
    name: 'cron',
    parse: (text) => renamed(cron(text), 'cron'),
    scan: scanCron,
    print: (tree: Cron) => printCron(tree),
    scansAll: true,
  },
  { name: 'shard', parse: (text) => renamed(shard(text), 'shard'), scan: scanShard, print: printShard, scansAll: true },
  {
    name: 'storage-uri',
    parse: (text) => renamed(storageUri(text), 'uri'),
    scan: scanStorageUri,
    print: printStorageUri,
    scansAll: true,
  },
  {
    name: 'tag-filter',
    parse: (text) => renamed(tagFilter(text), 'filter'),
    scan: scanTagFilter,
    print: printTagFilter,
    scansAll: false,
  },
  {
    name: 'value-path',
    parse: (text) => renamed(path(text), 'path'),
    scan: scanValuePath,
    print: printPath,
    scansAll: true,
  },
];

function renamed<Key extends string>(
  parsed: { readonly [K in Key]?: unknown } & { readonly problems: readonly Problem[] },
  key: Key,
): ReturnType<Language['parse']> {
  return { tree: parsed[key], problems: parsed.problems };
}

export function languageNamed(name: string): Language {
  const language = languages.find((one) => one.name === name);
  if (language === undefined) throw new Error(`There is no language ${name}.`);
  return language;
}
