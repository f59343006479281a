import { once } from '../session.ts';
import type { SessionOptions } from '#compiler/engine/unit-session.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { compareWithOpenApi } from '#stdlib/api/interfaces/contract/compare-openapi.ts';
import type { ComparisonReport } from '#stdlib/api/interfaces/contract/compare-openapi.ts';
import { readContract, saveContract } from '#stdlib/api/interfaces/contract/contract-file.ts';
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
import { verifyContract } from '#stdlib/api/interfaces/contract/verify.ts';
import type { VerificationReport } from '#stdlib/api/interfaces/contract/verify.ts';
import type { RecordedRequest } from '#stdlib/api/saved-records.ts';

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
  readonly provider_state?: string;
  /** Rules for matching the answer. */
  readonly matching_rules?: Readonly<Record<string, MatchingRule>>;
}

/** A copy of a contract with one more interaction; throws RangeError where its description is taken. */
export function add_interaction(
  contract: Contract,
  description: string,
  request: ContractRequest,
  response: ContractResponse,
  { provider_state, matching_rules }: AddInteractionOptions = {},
): Contract {
  if (contract.interactions.some((one) => one.description === description))
    throw new RangeError(`the contract has an interaction "${description}" already`);
  const interaction: Interaction = {
    description,
    ...(provider_state === undefined ? {} : { providerState: provider_state }),
    request: { ...request, method: request.method.toUpperCase() },
    response: { ...response, ...(matching_rules === undefined ? {} : { matchingRules: matching_rules }) },
  };
  return { ...contract, interactions: [...contract.interactions, interaction] };
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

/** Writes a contract; missing folders are made. */
export function save_contract(contract: Contract, path: string, options: SessionOptions = {}): Promise<void> {
  return once('save_contract', ['files'], (given) => saveContract(path, contract, given), options);
}

type Rules = { readonly rules?: Readonly<Record<string, MatchingRule>> };

/** Reasons why a body does not fit the expected one; empty: it fits. */
export function body_mismatches(expected: Json, actual: Json, { rules = {} }: Rules = {}): string[] {
  return [...bodyMismatches(expected, actual, matching(rules))];
}

/** Reasons why headers do not fit the expected ones; empty: they fit. */
export function header_mismatches(
  expected: Readonly<Record<string, string>>,
  actual: Readonly<Record<string, string>>,
  { rules = {} }: Rules = {},
): string[] {
  return [...headerMismatches(expected, actual, matching(rules))];
}

/** A pattern that takes longer is refused, in milliseconds. */
const PATTERN_MS = 50;

function matching(rules: Readonly<Record<string, MatchingRule>>): Parameters<typeof bodyMismatches>[2] {
  const host = nodeHost();
  return {
    rules: new MatchingRules(rules),
    fits: (pattern, text) => host.match(`^(?:${pattern})$`, 's', text, PATTERN_MS) !== null,
    isStrict: false,
  };
}

export interface VerifyOptions {
  readonly provider_states_url?: string;
  /** Sets up a provider state. */
  readonly state_handler?: (state: string) => unknown;
  /** Seconds for one request; 10 by default. */
  readonly timeout?: number;
}

/** Replays every interaction of a contract against a provider; what does not hold is in the report. */
export function verify_contract_object(
  contract: Contract,
  base_url: string,
  { provider_states_url, state_handler, timeout = 10 }: VerifyOptions = {},
  options: SessionOptions = {},
): Promise<VerificationReport> {
  const target = {
    baseUrl: base_url,
    statesUrl: provider_states_url ?? null,
    setUp: state_handler,
    timeoutMs: timeout * 1000,
  };
  return once(
    'verify_contract_object',
    ['http', 'regex', 'xml'],
    (given) => verifyContract(contract, target, given),
    options,
  );
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
