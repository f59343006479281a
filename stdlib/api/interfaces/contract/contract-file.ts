import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { addAll } from '#grammar/source/add-all.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { parseJson } from '#stdlib/http/parse-json.ts';
import type { MatchingRule } from './rules.ts';
import { readRulePath } from './rules.ts';

type Rules = Readonly<Record<string, MatchingRule>>;

export interface ContractRequest {
  readonly method: string;
  readonly path: string;
  /** Query without its question mark. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
  readonly matchingRules?: Rules;
}

export interface ContractResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
  readonly matchingRules?: Rules;
}

export interface Interaction {
  readonly description: string;
  readonly providerState?: string;
  readonly request: ContractRequest;
  readonly response: ContractResponse;
}

/** A consumer contract, file format version 2. */
export interface Contract {
  readonly consumer: { readonly name: string };
  readonly provider: { readonly name: string };
  readonly interactions: readonly Interaction[];
  readonly metadata?: JsonObject;
}

/** The contract of a file; all that is wrong with it is told at once. */
export async function readContract(path: string, { files }: Pick<Ports, 'files'>): Promise<Contract> {
  if (!(await files.find(path))) throw fail.contractUnreadable({ path, count: 1, findings: 'there is no such file' });
  const parsed = parseJson(new TextDecoder().decode(await files.read(path)));
  if ('error' in parsed) throw fail.contractUnreadable({ path, count: 1, findings: parsed.error });
  const findings = contractFindings(parsed.json);
  if (findings.length > 0)
    throw fail.contractUnreadable({ path, count: findings.length, findings: findings.slice(0, 10).join('; ') });
  return parsed.json as unknown as Contract;
}

export async function saveContract(path: string, contract: Contract, ctx: Base & Pick<Ports, 'files'>): Promise<void> {
  await ctx.files.write(path, `${JSON.stringify(contract, null, 2)}\n`, {
    parents: true,
    durable: ctx.durable,
    signal: ctx.signal,
  });
}

/** Mistakes in a contract, each with its place; empty: none. */
export function contractFindings(value: Json): readonly string[] {
  if (!isObject(value)) return ['it is no object'];
  const { interactions } = value;
  const found = ['consumer', 'provider'].flatMap((side) => {
    const name = isObject(value[side]) ? value[side]['name'] : undefined;
    return typeof name === 'string' && name !== '' ? [] : [`/${side}/name is no text`];
  });
  if (!Array.isArray(interactions)) return [...found, '/interactions is no list'];
  const descriptions = new Map<string, number>();
  for (const [index, interaction] of (interactions as readonly Json[]).entries()) {
    const at = `/interactions/${index}`;
    if (!isObject(interaction)) found.push(`${at} is no object`);
    else addAll(found, interactionFindings(interaction, at, descriptions, index));
  }
  return found;
}

function interactionFindings(
  { description, providerState, request, response }: JsonObject,
  at: string,
  descriptions: Map<string, number>,
  index: number,
): readonly string[] {
  const found: string[] = [];
  if (typeof description !== 'string') found.push(`${at}/description is no text`);
  else {
    const name = `${description}\n${typeof providerState === 'string' ? providerState : ''}`;
    const first = descriptions.get(name);
    if (first !== undefined) found.push(`${at}/description is that of /interactions/${first}`);
    descriptions.set(name, index);
  }
  if (providerState !== undefined && providerState !== null && typeof providerState !== 'string')
    found.push(`${at}/providerState is no text`);
  if (!isObject(request)) found.push(`${at}/request is no object`);
  else addAll(found, requestFindings(request, `${at}/request`));
  if (!isObject(response)) found.push(`${at}/response is no object`);
  else addAll(found, responseFindings(response, `${at}/response`));
  return found;
}

function requestFindings(request: JsonObject, at: string): readonly string[] {
  const { method, path, query } = request;
  return [
    ...(typeof method === 'string' && method !== '' ? [] : [`${at}/method is no text`]),
    ...(typeof path === 'string' ? [] : [`${at}/path is no text`]),
    ...(query === undefined || typeof query === 'string' ? [] : [`${at}/query is no text`]),
    ...sharedFindings(request, at),
  ];
}

function responseFindings(response: JsonObject, at: string): readonly string[] {
  const { status } = response;
  const isStatus = typeof status === 'number' && Number.isInteger(status) && status >= 100 && status <= 599;
  return [...(isStatus ? [] : [`${at}/status is no whole number from 100 to 599`]), ...sharedFindings(response, at)];
}

function sharedFindings({ headers, matchingRules }: JsonObject, at: string): readonly string[] {
  const found: string[] = [];
  if (
    headers !== undefined &&
    (!isObject(headers) || Object.values(headers).some((value) => typeof value !== 'string'))
  )
    found.push(`${at}/headers are no texts by name`);
  if (matchingRules === undefined) return found;
  if (!isObject(matchingRules)) return [...found, `${at}/matchingRules is no object`];
  for (const [path, rule] of Object.entries(matchingRules)) {
    const place = `${at}/matchingRules/${path.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!readRulePath(path)) found.push(`${place} is no path that begins with $`);
    if (!isObject(rule)) found.push(`${place} is no rule`);
    else addAll(found, ruleFindings(rule, place));
  }
  return found;
}

function ruleFindings({ match, regex, min, max }: JsonObject, at: string): readonly string[] {
  const isCount = (value: Json | undefined): boolean =>
    value === undefined || (typeof value === 'number' && value >= 0);
  return [
    ...(match === undefined || match === 'type' || match === 'regex' ? [] : [`${at}/match is neither type nor regex`]),
    ...(match === 'regex' && typeof regex !== 'string' ? [`${at}/regex is no text`] : []),
    ...(isCount(min) && isCount(max) ? [] : [`${at} has a count below 0`]),
  ];
}
