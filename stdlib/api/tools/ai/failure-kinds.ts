import { isObject } from '#schemas/types/json.ts';
import type { Json } from '#schemas/types/json.ts';

const kinds = ['network', 'auth', 'validation', 'server', 'other'] as const;
export type FailureKind = (typeof kinds)[number];

export function isFailureKind(value: Json): boolean {
  return (kinds as readonly Json[]).includes(value);
}

/** Kinds of error that requests are recorded with, as reports name them. */
const recorded: Readonly<Record<string, FailureKind>> = {
  timeout: 'network',
  connection: 'network',
  tls: 'network',
  transport: 'network',
  assertion: 'validation',
};

/** Rules in order: the first that fits wins. */
const rules: readonly (readonly [FailureKind, RegExp])[] = [
  [
    'network',
    /connecterror|connection refused|econnrefused|econnreset|time(?:d )?-?out|\bdns\b|enotfound|name resolution/,
  ],
  ['auth', /\b40[13]\b|unauthori[sz]ed|forbidden/],
  ['validation', /\b4(?:00|22)\b|invalid|schema/],
  ['server', /\b50[0234]\b|internal server/],
];

/** The kind of a failure pair: call options, then error text. Its recorded kind counts before its words. */
export function classify(pair: readonly Json[]): FailureKind {
  const facts = isObject(pair[0]) ? pair[0] : {};
  const status = Number(facts['status_code'] ?? facts['status'] ?? Number.NaN);
  if (status === 401 || status === 403) return 'auth';
  if (status >= 500 && status <= 599) return 'server';
  if (status >= 400) return 'validation';
  const kind = facts['kind_of_error'];
  if (typeof kind === 'string' && Object.hasOwn(recorded, kind)) return recorded[kind] ?? 'other';
  const text = errorTextOf(pair)?.toLowerCase();
  if (text === undefined) return 'other';
  // An address may hold any number.
  const words = text.replace(/[a-z][a-z\d+.-]*:\/\/\S+/g, ' ');
  return rules.find(([, pattern]) => pattern.test(words))?.[0] ?? 'other';
}

export function errorTextOf(pair: readonly Json[]): string | undefined {
  return typeof pair[1] === 'string' ? pair[1] : undefined;
}

/** Number of times that each kind stands in a list; kinds that do not are absent. */
export function countKinds(list: readonly FailureKind[]): Partial<Record<FailureKind, number>> {
  const counts: Partial<Record<FailureKind, number>> = {};
  for (const kind of kinds) {
    const count = list.filter((one) => one === kind).length;
    if (count > 0) counts[kind] = count;
  }
  return counts;
}
