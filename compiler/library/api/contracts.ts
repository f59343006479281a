import { once } from '../session.ts';
import type { SessionOptions } from '#compiler/engine/unit-session.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import { makeRegex } from '#runtime/kernel/values/regex.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { compareWithOpenApi } from '#stdlib/api/interfaces/contract/compare-openapi.ts';
import type { ComparisonReport } from '#stdlib/api/interfaces/contract/compare-openapi.ts';
import { contractFindings, readContract, saveContract } from '#stdlib/api/interfaces/contract/contract-file.ts';
import type {
  Contract,
  ContractRequest,
  ContractResponse,
  Interaction,
} from '#stdlib/api/interfaces/contract/contract-file.ts';
import { contractFromRecords } from '#stdlib/api/interfaces/contract/from-records.ts';
import { bodyMismatches, headerMismatches } from '#stdlib/api/interfaces/contract/match.ts';
import { MatchingRules } from '#stdlib/api/interfaces/contract/rules.ts';
import type { MatchingRule } from '#stdlib/api/interfaces/contract/rules.ts';
import { verifyContract, wholeMatch } from '#stdlib/api/interfaces/contract/verify.ts';
import type { VerificationReport, VerifyTarget } from '#stdlib/api/interfaces/contract/verify.ts';
import type { RecordedRequest } from '#stdlib/api/saved-records.ts';

import { above } from '../numbers.ts';
import { withNames } from './dns.ts';

export type {
  ComparisonReport,
  Contract,
  ContractRequest,
  ContractResponse,
  Interaction,
  MatchingRule,
  VerificationReport,
};

/** An empty contract. */
export function new_contract(consumer: string, provider: string): Contract {
  return {
    consumer: { name: consumer },
    provider: { name: provider },
    interactions: [],
    metadata: { pactSpecification: { version: '2.0.0' } },
  };
}

export interface AddInteractionOptions {
  readonly provider_state?: string | null;
  /** Rules for matching the answer. */
  readonly matching_rules?: Readonly<Record<string, MatchingRule>> | null;
}

/**
 * Adds an interaction to a contract, and yields it. Throws APIContractException where its description is taken, and
 * where a field is missing or of another type; the contract is then as it was.
 */
export function add_interaction(
  contract: Contract,
  description: string,
  request: ContractRequest,
  response: ContractResponse,
  { provider_state, matching_rules }: AddInteractionOptions = {},
): Interaction {
  const refused = (reason: string): Failure => fail.interactionRefused({ description: String(description), reason });
  if (contract.interactions.some((one) => one.description === description))
    throw refused('the contract has one of that description already');
  const interaction = {
    description,
    ...(typeof provider_state === 'string' && { providerState: provider_state }),
    request: { ...request, ...(typeof request?.method === 'string' && { method: request.method.toUpperCase() }) },
    response: { ...response, ...(matching_rules && { matchingRules: matching_rules }) },
  } satisfies Interaction;
  const alone = { ...new_contract('consumer', 'provider'), interactions: [interaction] };
  const findings = contractFindings(alone as unknown as Json).map((one) => one.replace('/interactions/0/', ''));
  if (description === '') findings.unshift('its description is empty');
  if (findings.length === 0 && !request.path.startsWith('/')) findings.push('request/path does not begin with /');
  if (findings.length > 0) throw refused(findings.join('; '));
  (contract.interactions as Interaction[]).push(interaction);
  return interaction;
}

export interface FromRecordsOptions {
  /** Cut from the beginning of paths. */
  readonly base_path?: string;
  readonly body_rule?: 'type' | 'equality';
}

/** The contract that records describe. */
export function contract_from_records(
  records: readonly RecordedRequest[],
  consumer: string,
  provider: string,
  { base_path = '', body_rule = 'type' }: FromRecordsOptions = {},
): Contract {
  return contractFromRecords(records, { consumer, provider, basePath: base_path, bodyRule: body_rule });
}

/** The interaction that one record describes; null: it has no address or no status. */
export function interaction_from_record(record: RecordedRequest, options: FromRecordsOptions = {}): Interaction | null {
  return contract_from_records([record], 'consumer', 'provider', options).interactions[0] ?? null;
}

/** The contract of a file. Rejects with APIContractException, all mistakes at once. */
export function read_contract(path: string, options: SessionOptions = {}): Promise<Contract> {
  return once('read_contract', ['files'], (given) => readContract(path, given), options);
}

/** Writes a contract, and yields the path; missing folders are made. */
export async function save_contract(contract: Contract, path: string, options: SessionOptions = {}): Promise<string> {
  await once('save_contract', ['files'], (given) => saveContract(path, contract, given), options);
  return path;
}

type Rules = { readonly rules?: Readonly<Record<string, MatchingRule>> | null };

/** Reasons why a body does not fit the expected one; empty: it fits. */
export function body_mismatches(expected: Json, actual: Json, { rules }: Rules = {}): string[] {
  return [...bodyMismatches(expected, actual, matching(rules))];
}

/** Reasons why headers do not fit the expected ones; empty: they fit. */
export function header_mismatches(
  expected: Readonly<Record<string, string>>,
  actual: Readonly<Record<string, string>>,
  { rules }: Rules = {},
): string[] {
  return [...headerMismatches(expected, actual, matching(rules))];
}

function matching(rules: Rules['rules']): Parameters<typeof bodyMismatches>[2] {
  return { rules: new MatchingRules(rules ?? {}), fits: wholeMatch({ regex: makeRegex(nodeHost()) }), isStrict: false };
}

/** Provider that interactions are replayed against. */
export interface ProviderTarget {
  readonly base_url: string;
  /** Is told each provider state and its consumer by `POST`. */
  readonly provider_states_url?: string | null;
  /** Sets up a provider state; those of later versions may have parameters. */
  readonly state_handler?: ((state: string, params?: JsonObject) => unknown) | null;
  /** Seconds for one request; 10 by default. */
  readonly timeout?: number;
}

/** Replays every interaction of a contract against a provider; what does not hold is in the report. */
export async function verify_contract_object(
  contract: Contract,
  target: ProviderTarget,
  options: SessionOptions = {},
): Promise<VerificationReport> {
  const meant = targetOf(target);
  return await once(
    'verify_contract_object',
    ['http', 'regex', 'xml'],
    (given) => verifyContract(contract, meant, given),
    withNames(options),
  );
}

/** Replays one interaction; `consumer` is told to whoever sets up its state. */
export async function verify_interaction(
  interaction: Interaction,
  target: ProviderTarget,
  { consumer = '' }: { readonly consumer?: string } = {},
  options: SessionOptions = {},
): Promise<VerificationReport['interactions'][number]> {
  const contract = { ...new_contract(consumer, ''), interactions: [interaction] };
  const { interactions } = await verify_contract_object(contract, target, options);
  return interactions[0] ?? { description: interaction.description, ok: false, mismatches: [] };
}

function targetOf({ base_url, provider_states_url, state_handler, timeout = 10 }: ProviderTarget): VerifyTarget {
  const urls = { base_url, ...(typeof provider_states_url === 'string' && { provider_states_url }) };
  for (const [name, url] of Object.entries(urls))
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw new RangeError(`${name} must be an http or https URL`);
  return {
    baseUrl: base_url,
    statesUrl: provider_states_url ?? null,
    setUp: state_handler ?? undefined,
    timeoutMs: above('timeout', timeout) * 1000,
  };
}

/** Compares a contract with an OpenAPI document; the report lists the parts that the document does not provide. */
export function check_contract_object_against_openapi(contract: Contract, spec: JsonObject): ComparisonReport {
  return compareWithOpenApi(contract, spec);
}

/** Reasons why one interaction does not fit an OpenAPI document; empty: it fits. */
export function interaction_problems(interaction: Interaction, spec: JsonObject): string[] {
  const contract = { ...new_contract('consumer', 'provider'), interactions: [interaction] };
  return compareWithOpenApi(contract, spec).problems.map(({ problem }) => problem);
}
