import type { CommandMap } from '#schemas/generated/command-map.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Failure } from '#schemas/types/failure.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';
import { command } from '#stdlib/command.ts';

import { exchange, refused } from '#stdlib/http/exchange.ts';
import type { RequestContext } from '#stdlib/http/exchange.ts';
import { judge, speaksOfStatus } from './judge.ts';
import { prepareRequest } from '#stdlib/http/prepare.ts';
import type { HttpRequest, RequestParams } from '#stdlib/http/prepare.ts';
import type { HttpResult } from '#stdlib/http/result.ts';
import { checkQuery } from './check-query.ts';
import { readSoapFault } from './soap-fault.ts';

export const AT_test_api_method = command('AT_test_api_method', async (params, ctx) => {
  const [, session, verb = ''] = /^(session_)?(.+)$/i.exec(params.http_method) ?? [];
  const faultOf = params.soap ? soapFailure : undefined;
  return await testApi({ ...params, http2: false, faultOf }, verb, session !== undefined, ctx);
});

export const AT_test_api_method_httpx = command(
  'AT_test_api_method_httpx',
  async (params, ctx) => await testApi(params, params.http_method, false, ctx),
);

export const AT_delegate_async_httpx = command(
  'AT_delegate_async_httpx',
  async (params, ctx) => await testApi(params, params.http_method, false, ctx),
);

export const AT_test_api_method_graphql = command('AT_test_api_method_graphql', async (params, ctx) => {
  const { query, variables, operation_name: operationName } = params;
  const json = {
    query,
    ...(variables ? { variables: variables as JsonObject } : {}),
    ...(operationName === null ? {} : { operationName }),
  };
  const call = {
    http_method: 'post',
    test_url: params.url,
    record_request_info: params.record_request_info,
    clean_record: params.clean_record,
    result_check_dict: params.result_check_dict as JsonObject | null,
  };
  const request = prepared(
    {
      method: 'POST',
      address: params.url,
      timeout: params.timeout,
      verify: params.verify,
      headers: params.headers,
      json,
      http2: false,
    },
    call,
    ctx,
  );
  if (params.schema !== null) await checkQuery(params.schema, params, call, ctx);
  const recording = { protocol: 'graphql', keep: params.record_request_info, call } as const;
  return await exchange(
    request,
    recording,
    ctx,
    (result) =>
      judge(result, params.result_check_dict, ctx.step.statusJudged) ??
      (params.allow_errors ? undefined : graphqlFailure(result)),
  );
});

type TestParams = CommandMap['AT_test_api_method_httpx']['params'] & {
  /** Absent for the second client, which has no such parameter. */
  readonly soap?: boolean;
  /** Judges an answer that nothing else objects to. */
  readonly faultOf?: typeof soapFailure | undefined;
};

async function testApi(params: TestParams, verb: string, session: boolean, ctx: RequestContext): Promise<HttpResult> {
  const call = {
    http_method: params.http_method,
    test_url: params.test_url,
    ...(params.soap === undefined ? {} : { soap: params.soap }),
    record_request_info: params.record_request_info,
    clean_record: params.clean_record,
    result_check_dict: params.result_check_dict as JsonObject | null,
  };
  const request = prepared(
    {
      ...params,
      method: verb.toUpperCase(),
      address: params.test_url,
      session,
      follow: params.allow_redirects,
      json: params.json as Json | undefined,
    },
    call,
    ctx,
  );
  const recording = { protocol: 'http', keep: params.record_request_info, call } as const;
  const checks = params.result_check_dict as JsonObject | null;
  const judged = ctx.step.statusJudged;
  return await exchange(
    request,
    recording,
    ctx,
    (result) => judge(result, checks, judged) ?? params.faultOf?.(result, checks, judged),
  );
}

/** A request whose parameters cannot be used is a failure in reports, too. */
function prepared(params: RequestParams, call: JsonObject, ctx: RequestContext): HttpRequest {
  try {
    return prepareRequest(params, ctx);
  } catch (error) {
    throw refused(error, call, ctx);
  }
}

/** SOAP services may report faults with status 200; what speaks of the status decides about them, too. */
function soapFailure(result: HttpResult, checks: JsonObject | null, statusJudged: boolean): Failure | undefined {
  if (speaksOfStatus(checks, statusJudged)) return undefined;
  const reason = readSoapFault(result.text);
  if (reason === undefined) return undefined;
  const { request_method: method, request_url: url, status_code: status } = result;
  return fail.soapFault({ method, url, status, reason, expected: 'no fault', actual: reason, result });
}

/** GraphQL servers report errors with status 200. */
function graphqlFailure(result: HttpResult): Failure | undefined {
  const errors = isObject(result.json) ? result.json['errors'] : undefined;
  if (!Array.isArray(errors) || errors.length === 0) return undefined;
  const [first] = errors as readonly Json[];
  const message = isObject(first) && typeof first['message'] === 'string' ? first['message'] : JSON.stringify(first);
  return fail.graphqlErrors({ url: result.request_url, count: errors.length, first: message, actual: errors, result });
}
