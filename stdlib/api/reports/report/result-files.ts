import type { Json, JsonObject } from '#schemas/types/json.ts';

import { isError } from './junit-report.ts';
import { asText, requestName } from './fields.ts';
import type { Exchanges } from './fields.ts';

export interface ResultTools {
  /** A fresh UUID. */
  uuid(): string;
  /** A short digest of a text. */
  digest(text: string): string;
}

/** The result files of a test-report-format folder, by their names. */
export function resultFiles({ passed, failed }: Exchanges, tools: ResultTools): ReadonlyMap<string, JsonObject> {
  const base = (fields: JsonObject): { readonly [key: string]: Json } => {
    const name = requestName(fields);
    return {
      uuid: tools.uuid(),
      historyId: tools.digest(name),
      name,
      stage: 'finished',
      labels: [{ name: 'framework', value: 'svc' }],
    };
  };
  const results = [
    ...passed.map((record): JsonObject => ({
      ...base(record),
      status: 'passed',
      start: Date.parse(asText(record['start_time'])),
      stop: Date.parse(asText(record['end_time'])),
      parameters: [
        { name: 'method', value: asText(record['request_method']) },
        { name: 'status_code', value: asText(record['status_code']) },
      ],
    })),
    ...failed.map((failure): JsonObject => ({
      ...base(failure.call),
      status: isError(failure) ? 'broken' : 'failed',
      start: failure.started_at,
      stop: Math.round(failure.started_at + (failure.elapsed_ms ?? 0)),
      statusDetails: { message: failure.error, trace: '' },
    })),
  ];
  return new Map(results.map((result) => [`${asText(result['uuid'])}-result.json`, result]));
}
