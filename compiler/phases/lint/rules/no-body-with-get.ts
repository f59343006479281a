import * as d from '#schemas/generated/diagnostics.ts';

import { literal, type Rule } from '../rule.ts';

const bodies = ['json', 'data', 'json_body', 'files'];

/** A GET or HEAD request has no body: its question stands in its address. */
export default {
  name: 'no-body-with-get',
  preset: 'recommended',
  argument: {
    wants: ({ name }, { domain }) => domain === 'api' && bodies.includes(name),
    look({ parameter }, call, report) {
      const method = literal(call, 'http_method') ?? literal(call, 'method');
      if (typeof method !== 'string' || !/^(?:get|head)$/i.test(method)) return;
      const body = bodies.find((name) => call.isWritten(name) && literal(call, name) !== null);
      if (body === parameter.name) report(d.noBodyWithGet({ at: call.argumentAt(body), method: method.toUpperCase() }));
    },
  },
} satisfies Rule;
