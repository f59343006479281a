import * as fail from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';
import { command } from '#stdlib/command.ts';

import { readHeaders, secretsIn } from '#stdlib/http/headers.ts';
import { streamed } from './streamed.ts';

export const AT_test_api_method_grpc = command('AT_test_api_method_grpc', async (params, ctx) => {
  const { address: target, method, messages, descriptors, expected_code: expected, timeout } = params;
  const metadata = readMetadata(params.metadata);
  for (const secret of secretsIn(metadata)) ctx.mask(secret);
  const url = `grpc://${target}${method}`;
  const call = { address: target, method, messages: (messages ?? []) as Json };
  const kept = { protocol: 'grpc', method: 'POST', url, call, keep: params.record_request_info } as const;
  return await streamed(kept, ctx, async () => {
    const outcome = await ctx.grpc.call({
      target,
      method,
      messages: (messages ?? []) as readonly Json[],
      ...(descriptors === null ? {} : { descriptors }),
      metadata,
      tls: params.tls,
      ...(params.authorities === null ? {} : { authorities: params.authorities }),
      deadline_ms: timeout * 1000,
      signal: ctx.signal,
    });
    const result = { ...outcome, method };
    const { code, details } = outcome;
    if (expected === null || code === expected.toUpperCase()) return result;
    if (code === 'DEADLINE_EXCEEDED') throw fail.grpcDeadline({ target, method, seconds: timeout, result });
    if (code === 'UNAVAILABLE') throw fail.grpcUnavailable({ target, method, details, result });
    throw fail.grpcStatus({ target, method, code, expected, details, actual: code, result });
  });
});

/** Metadata, checked: texts of printable ASCII, and base64 where a name ends in `-bin`. */
function readMetadata(given: Readonly<Record<string, string>> | null): Record<string, string> {
  const read = readHeaders(given);
  for (const [name, value] of Object.entries(read)) {
    const [character] = (name.endsWith('-bin') ? /[^A-Za-z0-9+/_=-]/u : /[^ -~]/u).exec(value) ?? [];
    if (character !== undefined) throw fail.httpHeaderValue({ name, character: JSON.stringify(character) });
  }
  return read;
}
