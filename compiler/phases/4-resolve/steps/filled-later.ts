import { didYouMean } from '#compiler/did-you-mean.ts';
import { eachLiteralText } from '#grammar/source/literal-texts.ts';
import { placeholdersOf } from '#grammar/template/placeholders.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Diagnostic, Label } from '#schemas/types/diagnostic.ts';

import type { FlowFacts } from '../flow-facts.ts';
import type { Knowledge } from '../knowledge.ts';
import { argumentRoute, type Call } from '../resolved.ts';

/** Names that a finding shows, and those that it takes for the one that was meant. */
const MOST_NAMES = 12;
const MOST_NEAR = 3;

/** Names that fill the placeholders of a text. */
interface Names {
  /** Those that the command offers; `request.query.*` for one and all below it. */
  readonly offered: readonly string[];
  readonly isStored: (name: string) => boolean;
  readonly stored: () => Iterable<string>;
}

/**
 * Reports placeholders of texts that are filled when they are used, and that nothing will fill. A variable may be set
 * anywhere in the file: a mock may be asked after that.
 */
export function checkFilledLater(
  call: Call,
  known: FlowFacts,
  { definers, document, isIncomplete, report }: Knowledge,
): void {
  if (isIncomplete || known.isOpen()) return;
  for (const { name: parameter, sees = [], sees_instead: instead } of call.signature.templates ?? []) {
    if (instead !== undefined && (call.args[instead] ?? null) !== null) continue;
    const names: Names = {
      offered: sees.flatMap((pattern) => offeredBy(pattern, call)),
      isStored: (name) => known.hasVariable(name) || definers().has(name),
      stored: () => new Set([...known.variables(), ...definers().keys()]),
    };
    eachLiteralText(call.args[parameter] ?? null, (text, path) => {
      if (!text.includes('{{')) return;
      for (const { name, part } of placeholdersOf(text)) {
        if (isFilled(name, names)) continue;
        const route = argumentRoute(call, parameter, document, path());
        report(neverFilled(name, { source: document.source, route, part }, names));
      }
    });
  }
}

/** Names that a pattern of a declaration stands for: `request.path.<rule>` for the parameters of a route. */
function offeredBy(pattern: string, { args }: Call): readonly string[] {
  const [, head = '', parameter] = /^(.*)\.<(\w+)>$/.exec(pattern) ?? [];
  if (parameter === undefined) return [pattern];
  const rule = args[parameter];
  if (typeof rule !== 'string') return [];
  return [...rule.matchAll(/<(?:\w+:)?(\w+)>|\{(\w+)\}/g)].map(([, angled, braced]) => `${head}.${angled ?? braced}`);
}

/** The longest stored name with which it begins counts, the rest is a path into its value. */
function isFilled(name: string, { offered, isStored }: Names): boolean {
  const isOffered = offered.some((pattern) =>
    pattern.endsWith('.*') ? isBelow(name, pattern.slice(0, -2)) : name === pattern,
  );
  if (isOffered) return true;
  for (let end = name.length; end > 0; end = Math.max(name.lastIndexOf('.', end - 1), name.lastIndexOf('[', end - 1)))
    if (isStored(name.slice(0, end))) return true;
  return false;
}

function isBelow(name: string, head: string): boolean {
  return name.startsWith(head) && /^(?:[.[]|$)/.test(name.slice(head.length));
}

function neverFilled(name: string, at: Label, names: Names): Diagnostic {
  const near = nearNames(name, names);
  return d.placeholderNeverFilled({
    at,
    name,
    nearest: near.length === 0 ? undefined : near.join('" or "'),
    known: listed([...names.offered.map((each) => each.replace('.*', '.NAME')), ...names.stored()]),
  });
}

/** The same end below another head, else as much of the name as is like one that is there, with the rest behind it. */
function nearNames(name: string, { offered, stored }: Names): readonly string[] {
  const plain = offered.filter((each) => !each.endsWith('.*'));
  const open = [...offered.filter((each) => each.endsWith('.*')).map((each) => each.slice(0, -2)), ...stored()];
  const words = name.split('.');
  const sameEnd = plain.filter((each) => each.endsWith(`.${words.at(-1)}`));
  if (sameEnd.length > 0) return sameEnd.slice(0, MOST_NEAR);
  for (let count = words.length; count > 0; count -= 1) {
    const rest = words.slice(count).map((word) => `.${word}`);
    const head = words.slice(0, count);
    const candidates = (rest.length > 0 ? open : [...plain, ...open]).filter((each) => isLike(head, each.split('.')));
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

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'no stored variables';
  const more = names.length - MOST_NAMES;
  return `${names.slice(0, MOST_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
