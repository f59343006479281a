import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { addAll } from '#grammar/source/add-all.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { parseJson } from '#stdlib/http/parse-json.ts';
import { matchKinds } from './match-value.ts';
import { inVersion2 } from './newer-versions.ts';
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
  /** The states of versions 3 and 4. */
  readonly providerStates?: readonly ProviderState[];
  readonly request: ContractRequest;
  readonly response: ContractResponse;
}

export interface ProviderState {
  readonly name: string;
  readonly params?: JsonObject;
}

/** A consumer contract in the form of version 2, in which those of versions 3 and 4 are read. */
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
  const contract = inVersion2(parsed.json);
  const findings = contractFindings(contract);
  if (findings.length > 0)
    throw fail.contractUnreadable({ path, count: findings.length, findings: findings.slice(0, 10).join('; ') });
  return contract as unknown as Contract;
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
  if (!Array.isArray(interactions))
    return [
      ...found,
      value['messages'] === undefined ? '/interactions is no list' : '/messages: only what goes over HTTP is replayed',
    ];
  const descriptions = new Map<string, number>();
  for (const [index, interaction] of (interactions as readonly Json[]).entries()) {
    const at = `/interactions/${index}`;
    if (!isObject(interaction)) found.push(`${at} is no object`);
    else addAll(found, interactionFindings(interaction, at, descriptions, index));
  }
  return found;
}

function interactionFindings(
  { description, type, providerState, providerStates, request, response }: JsonObject,
  at: string,
  descriptions: Map<string, number>,
  index: number,
): readonly string[] {
  const found: string[] = [];
  if (typeof description !== 'string') found.push(`${at}/description is no text`);
  else {
    const states = typeof providerState === 'string' ? providerState : JSON.stringify(providerStates ?? '');
    const name = `${description}\n${states}`;
    const first = descriptions.get(name);
    if (first !== undefined) found.push(`${at}/description is that of /interactions/${first}`);
    descriptions.set(name, index);
  }
  if (providerState !== undefined && providerState !== null && typeof providerState !== 'string')
    found.push(`${at}/providerState is no text`);
  if (providerStates !== undefined && !areStates(providerStates))
    found.push(`${at}/providerStates is no list of objects with a name`);
  if (type !== undefined && type !== 'Synchronous/HTTP')
    return [...found, `${at} is of the type ${JSON.stringify(type)}: only "Synchronous/HTTP" is replayed`];
  if (!isObject(request)) found.push(`${at}/request is no object`);
  else addAll(found, requestFindings(request, `${at}/request`));
  if (!isObject(response)) found.push(`${at}/response is no object`);
  else addAll(found, responseFindings(response, `${at}/response`));
  return found;
}

function areStates(value: Json): boolean {
  return Array.isArray(value) && value.every((one: Json) => isObject(one) && typeof one['name'] === 'string');
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

function ruleFindings({ match, regex, min, max, rules }: JsonObject, at: string): readonly string[] {
  const isCount = (value: Json | undefined): boolean =>
    value === undefined || (typeof value === 'number' && value >= 0);
  return [
    ...(match === undefined || (matchKinds as readonly Json[]).includes(match)
      ? []
      : [`${at}/match is none of ${matchKinds.join(', ')}`]),
    ...(Array.isArray(rules)
      ? rules.flatMap((one: Json, index) =>
          isObject(one) ? ruleFindings(one, `${at}/${index}`) : [`${at}/${index} is no rule`],
        )
      : []),
    ...(match === 'regex' && typeof regex !== 'string' ? [`${at}/regex is no text`] : []),
    ...(isCount(min) && isCount(max) ? [] : [`${at} has a count below 0`]),
  ];
}
