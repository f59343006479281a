import * as d from '#schemas/generated/diagnostics.ts';

import { literal, type Rule } from '../rule.ts';

const bodies = ['json', 'data', 'json_body', 'files'];

/** A GET or HEAD request has no body: its question stands in its address. */
export default {
  name: 'no-body-with-get',
  preset: 'recommended',
  resolved({ groups, report }) {
    for (const call of groups.of(({ domain }) => domain === 'api')) {
      const method = literal(call, 'http_method') ?? literal(call, 'method');
      if (call.info.domain !== 'api' || typeof method !== 'string' || !/^(?:get|head)$/i.test(method)) continue;
      const body = bodies.find((name) => call.isWritten(name) && literal(call, name) !== null);
      if (body !== undefined) report(d.noBodyWithGet({ at: call.argumentAt(body), method: method.toUpperCase() }));
    }
  },
} satisfies Rule;
