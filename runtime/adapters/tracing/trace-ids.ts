import type { Context } from '@opentelemetry/api';
import type { IdGenerator } from '@opentelemetry/sdk-trace';

import type { Random } from '#schemas/types/host.ts';

import type { Packages } from './packages.ts';

/** All steps of a unit belong to one trace. */
export function idsOf(random: Random): IdGenerator {
  const trace = hex(random.bytes(16));
  return { generateTraceId: () => trace, generateSpanId: () => hex(random.bytes(8)) };
}

/** Whoever started this process may have told, by the usual variable, below which span of its own it runs. */
export function outerContext(
  { ROOT_CONTEXT, trace, TraceFlags }: Packages['api'],
  parent: string | undefined,
): Context {
  const [, traceId = '', spanId = '', flags = ''] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(parent ?? '') ?? [];
  if (!/[1-9a-f]/.test(traceId) || !/[1-9a-f]/.test(spanId)) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    isRemote: true,
    traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
  });
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
