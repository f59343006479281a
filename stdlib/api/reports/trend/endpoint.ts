import { generalizePath, matchPathTemplate } from '#grammar/openapi/path-template.ts';

import { percentile, responseMs } from '../../response-times.ts';
import type { RecordedRequest } from '../../saved-records.ts';

/** Times of one endpoint in one run, in milliseconds. */
export interface EndpointStats {
  readonly endpoint: string;
  readonly sample_count: number;
  readonly mean_ms: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly max_ms: number;
}

/** `VERB /path/template` of a record; undefined: it has no address. */
export function endpointKey(record: RecordedRequest, templates: readonly string[]): string | undefined {
  const address = record['request_url'];
  const url = typeof address === 'string' ? URL.parse(address, 'http://none') : null;
  if (!url) return undefined;
  const method = typeof record['request_method'] === 'string' ? record['request_method'] : 'GET';
  const path = url.pathname === '' ? '/' : url.pathname;
  return `${method.toUpperCase()} ${matchPathTemplate(path, templates) ?? generalizePath(path)}`;
}

/** Statistics of each endpoint, by name; records without address or time are left out. */
export function endpointStats(records: readonly RecordedRequest[], templates: readonly string[]): EndpointStats[] {
  const times = new Map<string, number[]>();
  for (const record of records) {
    const endpoint = endpointKey(record, templates);
    const ms = responseMs(record);
    if (endpoint === undefined || ms === undefined) continue;
    const known = times.get(endpoint);
    if (known) known.push(ms);
    else times.set(endpoint, [ms]);
  }
  return [...times]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([endpoint, list]) => {
      const sorted = list.toSorted((a, b) => a - b);
      return {
        endpoint,
        sample_count: sorted.length,
        mean_ms: sorted.reduce((sum, ms) => sum + ms, 0) / sorted.length,
        p50_ms: percentile(sorted, 50),
        p95_ms: percentile(sorted, 95),
        max_ms: sorted.at(-1) ?? 0,
      };
    });
}
