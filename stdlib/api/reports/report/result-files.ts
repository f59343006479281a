import { allureResult, type AllureResult } from '#schemas/types/allure.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import { isError } from './junit-report.ts';
import { asText, requestIdentity, requestName, sentFields } from './fields.ts';
import type { Exchanges } from './fields.ts';

export interface ResultTools {
  /** A fresh UUID. */
  uuid(): string;
  /** A short digest of a text. */
  digest(text: string): string;
}

type Measured = Parameters<typeof allureResult>[1];

/** Results of a folder in the result-file format: a case for each request, the same for the same verb and address. */
export function resultFiles({ passed, failed }: Exchanges, tools: ResultTools): readonly AllureResult[] {
  const result = (fields: JsonObject, sent: JsonObject, measured: Omit<Measured, 'name'>): AllureResult => {
    const name = requestName(fields);
    const fullName = requestIdentity({ ...fields, ...sent }) ?? name;
    return allureResult({ uuid: tools.uuid(), fullName, historyId: tools.digest(fullName) }, { name, ...measured });
  };
  return [
    ...passed.map((record) =>
      result(
        record,
        {},
        {
          status: 'passed',
          start: Date.parse(asText(record['start_time'])),
          stop: Date.parse(asText(record['end_time'])),
          parameters: [
            { name: 'method', value: asText(record['request_method']) },
            { name: 'status_code', value: asText(record['status_code']) },
          ],
        },
      ),
    ),
    ...failed.map((failure) =>
      result(failure.call, sentFields(failure), {
        status: isError(failure) ? 'broken' : 'failed',
        start: failure.started_at,
        stop: failure.started_at + (failure.elapsed_ms ?? 0),
        statusDetails: { message: failure.error, trace: '' },
      }),
    ),
  ];
}
