import { stripBasePath } from '#grammar/openapi/path-template.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Json } from '#schemas/types/json.ts';
import { isSecretKey } from '#schemas/types/secret-key.ts';

import type { RecordedRequest } from '../../saved-records.ts';
import { contentTypeText, recordFacts } from '../record-facts.ts';
import type { Contract, Interaction } from './contract-file.ts';

export interface ContractOptions {
  readonly consumer: string;
  readonly provider: string;
  /** Cut from the beginning of paths. */
  readonly basePath: string;
  /** Rule by which bodies of answers are compared later. */
  readonly bodyRule: 'type' | 'equality';
  /** `VERB path` of the interactions that are kept; all when left out. */
  readonly keeps?: (name: string) => boolean;
}

/**
 * The contract that records describe: one interaction for each verb, path, query and status, the first that was seen.
 */
export function contractFromRecords(records: readonly RecordedRequest[], options: ContractOptions): Contract {
  const interactions = new Map<string, Interaction>();
  for (const record of records) {
    const interaction = interactionOf(record, options);
    if (interaction && !interactions.has(interaction.description))
      interactions.set(interaction.description, interaction);
  }
  return {
    consumer: { name: options.consumer },
    provider: { name: options.provider },
    interactions: [...interactions.values()],
    metadata: { pactSpecification: { version: '2.0.0' } },
  };
}

function interactionOf(record: RecordedRequest, options: ContractOptions): Interaction | undefined {
  const facts = recordFacts(record);
  const url = URL.parse(String(record['request_url'] ?? ''), 'http://none');
  if (!facts || !url) return undefined;
  const path = stripBasePath(facts.path, options.basePath);
  const query = url.search.slice(1);
  if (options.keeps && !options.keeps(`${facts.method} ${path}`)) return undefined;
  const body = bodyOf(facts.responseBody?.json, record['text']);
  const sent = bodyOf(facts.requestBody?.json, record['request_body']);
  const type = contentTypeText(record['headers']);
  return {
    description: `${facts.method} ${path}${query === '' ? '' : `?${query}`} -> ${facts.status}`,
    request: {
      method: facts.method,
      path,
      ...(query === '' ? {} : { query }),
      ...(sent === undefined ? {} : { body: sent }),
    },
    response: {
      status: facts.status,
      ...(type === undefined ? {} : { headers: { 'Content-Type': type } }),
      ...(body === undefined ? {} : { body }),
      ...(body !== undefined && options.bodyRule === 'type' ? { matchingRules: { '$.body': { match: 'type' } } } : {}),
    },
  };
}

function bodyOf(json: Json | undefined, text: Json | undefined): Json | undefined {
  if (json !== undefined) return withoutSecrets(json);
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** Texts under names that tell of a secret become `***`: they stay texts, which is what a contract is about. */
function withoutSecrets(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => withoutSecrets(item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const isSecret = typeof item === 'string' && isSecretKey(key.replace(/([a-z0-9])([A-Z])/g, '$1_$2'));
      return [key, isSecret ? '***' : withoutSecrets(item ?? null)];
    }),
  );
}
