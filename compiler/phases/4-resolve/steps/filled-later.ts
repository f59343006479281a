import { didYouMean } from '#compiler/did-you-mean.ts';
import { eachLiteralText } from '#grammar/source/literal-texts.ts';
import { placeholdersOf } from '#grammar/template/placeholders.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Diagnostic, Label } from '#schemas/types/diagnostic.ts';

import { literalText } from '../flow.ts';
import type { FlowFacts } from '../flow-facts.ts';
import type { Knowledge } from '../knowledge.ts';
import { argumentRoute, type Call } from '../resolved.ts';

/** Names that a finding shows, those that may have been meant, and words of a name that are compared with others. */
const MOST_NAMES = 12;
const MOST_NEAR = 3;
const MOST_WORDS = 4;

/** Stored variables that are counted one by one for a finding. */
const MOST_COUNTED = 100;

/** Beginnings of a name that may be a stored variable, the rest a path into its value. */
const MOST_BEGINNINGS = 20;

/** Names that fill the placeholders of a text. */
interface Names {
  /** Those that the command offers. */
  readonly offered: ReadonlySet<string>;
  /** Those that it offers with all below them: `request.query`. */
  readonly heads: readonly string[];
  readonly isStored: (name: string) => boolean;
  /** At least as many as `stored` gives. */
  readonly storedCount: number;
  readonly stored: () => ReadonlySet<string>;
}

/**
 * Reports placeholders of texts that are filled when they are used, and that nothing will fill. A variable may be set
 * anywhere in the file: a mock may be asked after that.
 */
export function checkFilledLater(call: Call, known: FlowFacts, knowledge: Knowledge): void {
  const { isIncomplete, isPart, document, report } = knowledge;
  // A list that joins a unit which has begun finds variables there that nothing here shows.
  if (isIncomplete || isPart || known.isOpen()) return;
  for (const { name: parameter, sees = [], sees_instead: instead } of call.signature.templates ?? []) {
    if (instead !== undefined && (call.args[instead] ?? null) !== null) continue;
    const names = namesFor(call, sees, known, knowledge);
    eachLiteralText(call.args[parameter] ?? null, (text, path) => {
      if (!text.includes('{{')) return;
      for (const { name, part } of placeholdersOf(text)) {
        if (isFilled(name, names)) continue;
        const route = argumentRoute(call, parameter, document, path());
        report(neverFilled(name, { source: document.source, route, part }, names, knowledge));
      }
    });
  }
}

function namesFor(call: Call, sees: readonly string[], known: FlowFacts, { definers, tokens }: Knowledge): Names {
  const all = sees.flatMap((pattern) => offeredBy(pattern, call, tokens));
  const isHead = (pattern: string): boolean => pattern.endsWith('.*');
  return {
    offered: new Set(all.filter((pattern) => !isHead(pattern))),
    heads: all.filter(isHead).map((pattern) => pattern.slice(0, -2)),
    isStored: (name) => known.hasVariable(name) || definers().has(name),
    storedCount: known.variableCount() + definers().size,
    stored: () => new Set([...known.variables(), ...definers().keys()]),
  };
}

/**
 * Names that a pattern of a declaration stands for: `request.path.<rule>` for the parameters of a route, all below
 * `request.path` where only a run knows the route.
 */
function offeredBy(pattern: string, { args }: Call, tokens: Knowledge['tokens']): readonly string[] {
  const [, head = '', parameter] = /^(.*)\.<(\w+)>$/.exec(pattern) ?? [];
  if (parameter === undefined) return [pattern];
  const rule = literalText(args[parameter] ?? null, tokens);
  if (rule === undefined) return [`${head}.*`];
  return [...rule.matchAll(/<(?:\w+:)?(\w+)>|\{(\w+)\}/g)].map(([, angled, braced]) => `${head}.${angled ?? braced}`);
}

function isFilled(name: string, { offered, heads, isStored }: Names): boolean {
  if (offered.has(name) || heads.some((head) => isBelow(name, head)) || isStored(name)) return true;
  let left = MOST_BEGINNINGS;
  for (const { index } of name.matchAll(/[.[]/g)) {
    if (isStored(name.slice(0, index))) return true;
    if (--left === 0) return false;
  }
  return false;
}

function isBelow(name: string, head: string): boolean {
  return name.startsWith(head) && /^(?:[.[]|$)/.test(name.slice(head.length));
}

function neverFilled(name: string, at: Label, names: Names, knowledge: Knowledge): Diagnostic {
  const near = nearNames(name, names, knowledge);
  return d.placeholderNeverFilled({
    at,
    name,
    nearest: near.length === 0 ? undefined : near.join('" or "'),
    known: listed(names),
  });
}

/** The same end below another head, else as much of the name as is like one that is there, with the rest behind it. */
function nearNames(name: string, names: Names, { suggestions }: Knowledge): readonly string[] {
  const { offered, heads, storedCount, stored } = names;
  const words = name.split('.');
  if (words.length > MOST_WORDS || !suggestions.affords(name, offered.size + heads.length + storedCount)) return [];
  const sameEnd = [...offered].filter((each) => each.endsWith(`.${words.at(-1)}`));
  if (sameEnd.length > 0) return sameEnd.slice(0, MOST_NEAR);
  const open = [...heads, ...stored()];
  for (let count = words.length; count > 0; count -= 1) {
    const rest = words.slice(count).map((word) => `.${word}`);
    const head = words.slice(0, count);
    const candidates = (rest.length > 0 ? open : [...offered, ...open]).filter((each) => isLike(head, each.split('.')));
    const near = didYouMean(head.join('.'), candidates);
    if (near.length > 0) return near.map((each) => each + rest.join(''));
  }
  return [];
}

/** Word by word: names that share a beginning are not alike for that. */
function isLike(words: readonly string[], others: readonly string[]): boolean {
  const like = (word: string, other = ''): boolean => word === other || didYouMean(word, [other]).length > 0;
  return words.length === others.length && words.every((word, index) => like(word, others[index]));
}

function listed({ offered, heads, storedCount, stored }: Names): string {
  const variables = storedCount > MOST_COUNTED ? ['many stored variables'] : stored();
  const all = [...offered, ...heads.map((head) => `${head}.NAME`), ...variables];
  if (all.length === 0) return 'no stored variables';
  const more = all.length - MOST_NAMES;
  return `${all.slice(0, MOST_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
