import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { limitPercent, percent } from '../source/percent.ts';
import { heldToDocument } from './check-exchange.ts';
import type { ExchangeFacts } from './exchange.ts';
import { serverBasePath } from './base-path.ts';
import { operationsOf, type Operation } from './operations.ts';
import { generalizePath } from './path-template.ts';

/** Share of one kind of thing that a document declares, as far as it was exercised. */
export interface Share {
  readonly used: number;
  readonly all: number;
  /** From 0 to 1; 1 where nothing is declared. */
  readonly share: number;
}

export interface OperationCoverage {
  /** `VERB /template`. */
  readonly operation: string;
  readonly requests: number;
  /** By declared status: how many answers had it. */
  readonly statuses: Readonly<Record<string, number>>;
  /** By `place name`: how many requests sent it. */
  readonly parameters: Readonly<Record<string, number>>;
  /** By `request type` and `status type`. */
  readonly media_types: Readonly<Record<string, number>>;
}

/** Report on the parts of an OpenAPI document that requests exercised, and on answers that it forbids. */
export interface CoverageReport {
  readonly ok: boolean;
  readonly requests: number;
  readonly operations: Share;
  readonly statuses: Share;
  readonly parameters: Share;
  readonly media_types: Share;
  readonly details: readonly OperationCoverage[];
  /** Requests for which the document has no operation; other servers are talked to as well, so they are no failures. */
  readonly unknown: readonly string[];
  readonly problems: readonly { readonly request: string; readonly problem: string }[];
  readonly failures: readonly string[];
}

/** Smallest shares, by kind. */
export type Minimum = Partial<Readonly<Record<(typeof coverageKinds)[number], number>>>;
export const coverageKinds = ['operations', 'statuses', 'parameters', 'media_types'] as const;

/** Problems, and unknown requests, that are kept of a run. */
const MOST = 1000;

interface Counts {
  readonly operation: Operation;
  requests: number;
  readonly statuses: Map<string, number>;
  readonly parameters: Map<string, number>;
  readonly media: Map<string, number>;
}

/**
 * Counts what exchanges exercise of a document. Takes time that grows with the exchanges, room that grows with the
 * document.
 */
export class Coverage {
  /** The path of the document's server, which stands before its paths. */
  readonly basePath: string;
  readonly #document: JsonObject;
  readonly #operations: readonly Operation[];
  readonly #counts: ReadonlyMap<string, Counts>;
  readonly #unknown = new Set<string>();
  readonly #problems = new Map<string, { readonly request: string; readonly problem: string }>();
  #requests = 0;

  constructor(document: JsonObject) {
    this.#document = document;
    this.basePath = serverBasePath(document);
    this.#operations = operationsOf(document);
    this.#counts = new Map(this.#operations.map((operation) => [operation.key, emptyCounts(operation)]));
  }

  add(facts: ExchangeFacts): void {
    this.#requests += 1;
    const held = heldToDocument(facts, this.#operations, this.#document);
    const counts = held && this.#counts.get(held.operation.key);
    if (!counts) {
      if (this.#unknown.size < MOST) this.#unknown.add(`${facts.method} ${generalizePath(facts.path)}`);
      return;
    }
    count(counts, facts);
    const request = `${facts.method} ${facts.path} -> ${facts.status}`;
    for (const problem of held.problems.filter(isOfAnswer))
      if (this.#problems.size < MOST) this.#problems.set(`${request}\n${problem}`, { request, problem });
  }

  report(minimum: Minimum = {}): CoverageReport {
    const all = [...this.#counts.values()];
    const maps = (of: (counts: Counts) => ReadonlyMap<string, number>): Share =>
      shareOf(all.flatMap((counts) => [...of(counts).values()]));
    const shares = {
      operations: shareOf(all.map(({ requests }) => requests)),
      statuses: maps(({ statuses }) => statuses),
      parameters: maps(({ parameters }) => parameters),
      media_types: maps(({ media }) => media),
    };
    const problems = [...this.#problems.values()];
    const failures = [
      ...problems.map(({ request, problem }) => `${request}: ${problem}`),
      ...coverageKinds.flatMap((kind) => {
        const least = minimum[kind];
        return least === undefined || shares[kind].share >= least
          ? []
          : [
              `${kind.replace('_', ' ')}: ${percent(shares[kind].share, 1, least)} is below the minimum of ${limitPercent(least)}`,
            ];
      }),
    ];
    return {
      ok: failures.length === 0,
      requests: this.#requests,
      ...shares,
      details: all.map(({ operation, requests, statuses, parameters, media }) => ({
        operation: operation.key,
        requests,
        statuses: Object.fromEntries(statuses),
        parameters: Object.fromEntries(parameters),
        media_types: Object.fromEntries(media),
      })),
      unknown: [...this.#unknown],
      problems,
      failures,
    };
  }
}

function emptyCounts(operation: Operation): Counts {
  const { responses, parameters, body } = operation;
  const answers = [...responses].flatMap(([status, { media }]) =>
    media.map(({ type }) => [`${status} ${plain(type)}`, 0] as const),
  );
  const sent = (body?.media ?? []).map(({ type }) => [`request ${plain(type)}`, 0] as const);
  return {
    operation,
    requests: 0,
    statuses: new Map([...responses.keys()].map((status) => [status, 0])),
    parameters: new Map(parameters.map(({ in: place, name }) => [`${place} ${name}`, 0])),
    media: new Map([...sent, ...answers]),
  };
}

function count(
  counts: Counts,
  { query, headers, path: _path, status, requestBody, responseBody }: ExchangeFacts,
): void {
  counts.requests += 1;
  const add = (map: Map<string, number>, key: string | undefined): void => {
    const before = key === undefined ? undefined : map.get(key);
    if (key !== undefined && before !== undefined) map.set(key, before + 1);
  };
  const range = `${Math.floor(status / 100)}XX`;
  const declared = [String(status), range, range.toLowerCase(), 'default'].find((key) => counts.statuses.has(key));
  add(counts.statuses, declared);
  for (const { in: place, name } of counts.operation.parameters) {
    const isSent =
      place === 'path' ||
      (place === 'query' &&
        query.some(([given]) => given === name || given.replace(/\[.*$/s, '') === name.replace(/\[.*$/s, ''))) ||
      (place === 'header' && headers?.[name.toLowerCase()] !== undefined) ||
      (place === 'cookie' && headers?.['cookie'] !== undefined);
    if (isSent) add(counts.parameters, `${place} ${name}`);
  }
  add(counts.media, mediaKey('request', requestBody?.type, counts.media));
  if (declared !== undefined) add(counts.media, mediaKey(declared, responseBody?.type, counts.media));
}

/** The declared type, or range of types, that takes one. */
function mediaKey(lead: string, type: string | undefined, declared: ReadonlyMap<string, number>): string | undefined {
  if (type === undefined) return undefined;
  return [type, type.replace(/\/.*$/, '/*'), '*/*'].map((one) => `${lead} ${one}`).find((key) => declared.has(key));
}

/** A request that is wrong on purpose is the test's own matter. */
function isOfAnswer(problem: string): boolean {
  return /^(?:status|response) /.test(problem);
}

function plain(type: string): string {
  return type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function shareOf(counts: readonly number[]): Share {
  const used = counts.filter((one) => one > 0).length;
  return { used, all: counts.length, share: counts.length === 0 ? 1 : used / counts.length };
}

/** The report for people: shares, operations without a request, declared statuses that never came, failures. */
export function coverageText(report: CoverageReport): string {
  const shown = (kind: (typeof coverageKinds)[number]): string =>
    `${kind.replace('_', ' ')} ${report[kind].used}/${report[kind].all}`;
  const partly = report.details.filter(({ requests }) => requests > 0);
  return [
    `Coverage: ${percent(report.operations.share, 1, 1)} (${coverageKinds.map(shown).join(', ')})`,
    ...report.details.filter(({ requests }) => requests === 0).map(({ operation }) => `[UNTESTED] ${operation}`),
    ...partly.flatMap((one) => {
      const missing = [one.statuses, one.parameters, one.media_types].flatMap((map) =>
        Object.entries(map).flatMap(([key, times]) => (times === 0 ? [key] : [])),
      );
      return missing.length === 0 ? [] : [`[PARTLY] ${one.operation}: without ${missing.join(', ')}`];
    }),
    ...report.unknown.map((request) => `[UNKNOWN] ${request}`),
    ...report.failures.map((failure) => `[FAIL] ${failure}`),
  ].join('\n');
}

/** Smallest shares from `0.8` (operations), or from an object by kind; undefined: it is neither. */
export function readMinimum(given: Json | undefined): Minimum | undefined {
  if (given === undefined || given === null) return {};
  const isShare = (value: Json | undefined): value is number => typeof value === 'number' && value >= 0 && value <= 1;
  if (isShare(given)) return { operations: given };
  if (!isObject(given)) return undefined;
  const known = Object.entries(given).every(
    ([kind, value]) => (coverageKinds as readonly string[]).includes(kind) && isShare(value),
  );
  return known ? given : undefined;
}
