import type { Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { commandRaising } from '#stdlib/command.ts';

import type { DynamicRule } from '../../mock/http/dynamic-answer.ts';
import { streamRoute, type StreamEvent } from '../../mock/http/event-stream.ts';
import type { MockHandler, ReceivedRequest } from '../../mock/http/port.ts';
import { openApiRoutes } from '../../mock/http/openapi-routes.ts';
import { dynamicRoute, handlerRoute, templateRoute, webhookRoute } from '../../mock/http/routes.ts';

const command = commandRaising('MockServerException');

export const AT_mock_server_add_router = command(
  'AT_mock_server_add_router',
  async ({ rule_and_function_dict: handlers, methods }, ctx) => {
    const routes = await Promise.all(
      Object.entries(handlers).map(async ([rule, reference]) =>
        handlerRoute(rule, methods ?? ['GET'], await handler(reference, ctx)),
      ),
    );
    ctx.mockHttp.add(...routes);
  },
);

export const AT_start_mock_server = command('AT_start_mock_server', async ({ host, port, config, faults }, ctx) => {
  const options = {
    ...(host === null ? {} : { host }),
    ...(port === null ? {} : { port }),
    ...(config === null ? {} : { config }),
    ...(faults ? { faults } : {}),
  };
  return await ctx.mockHttp.start({ ...options, names: ctx.variables });
});

export const AT_stop_mock_server = command('AT_stop_mock_server', async (_, ctx) => await ctx.mockHttp.stop());

export const AT_mock_received = command('AT_mock_received', ({ path, method, webhooks }, ctx) => {
  if (!ctx.mockHttp.isRunning) throw fail.mockNotRunning({});
  const received = webhooks ? ctx.mockHttp.webhooks() : ctx.mockHttp.received();
  const found = received.filter(
    (request) =>
      (path === null || request.path === path || request.route === path) &&
      (method === null || request.method === method),
  );
  if (found.length === 0 && received.length > 0)
    ctx.attach({
      kind: 'text',
      name: 'no such request came, but these',
      text: received.slice(-NEWEST).map(line).join('\n'),
      isBrief: true,
    });
  return found;
});

/** Requests that are shown where none fits. */
const NEWEST = 10;

function line({ method, path, status }: ReceivedRequest): string {
  return `${method} ${path} -> ${status}`;
}

export const AT_mock_add_dynamic_route = command('AT_mock_add_dynamic_route', async ({ rule, methods, rules }, ctx) => {
  const read = await Promise.all(
    (rules ?? []).map(async ({ when, times, handler: reference, ...answer }): Promise<DynamicRule> => {
      const { body, status = 200, headers = {}, delay_seconds, fault } = answer;
      return {
        ...(when
          ? { when: { ...(when.in && { in: when.in }), field_path: when.field_path, expected: when.expected as Json } }
          : {}),
        ...(times === undefined ? {} : { times }),
        answer: {
          status,
          headers,
          body: (body ?? '') as Json,
          ...(delay_seconds === undefined ? {} : { delay_seconds }),
          ...(fault === undefined ? {} : { fault }),
        },
        ...(reference === undefined ? {} : { handler: await handler(reference, ctx) }),
      };
    }),
  );
  ctx.mockHttp.add(dynamicRoute(rule, methods ?? ['GET'], read, ctx.variables));
});

export const AT_mock_add_template_route = command(
  'AT_mock_add_template_route',
  ({ rule, body_template: body, status, methods, headers }, ctx) => {
    ctx.mockHttp.add(
      templateRoute(rule, methods ?? ['GET'], { status, headers: headers ?? {}, body: body as Json }, ctx.variables),
    );
  },
);

export const AT_mock_add_webhook = command('AT_mock_add_webhook', ({ route }, ctx) =>
  ctx.mockHttp.add(webhookRoute(route)),
);

export const AT_mock_add_event_stream = command(
  'AT_mock_add_event_stream',
  ({ rule, events, events_per_connection: most, retry_ms: retry, interval_seconds, headers }, ctx) => {
    const options = {
      events: events as readonly StreamEvent[],
      interval_seconds,
      headers: headers ?? {},
      ...(most === null ? {} : { events_per_connection: most }),
      ...(retry === null ? {} : { retry_ms: retry }),
    };
    ctx.mockHttp.add(streamRoute(rule, ['GET'], options, ctx.variables));
  },
);

export const AT_mock_load_openapi = command('AT_mock_load_openapi', ({ spec }, ctx) => {
  const { routes, rules } = openApiRoutes(spec as JsonObject);
  ctx.mockHttp.add(...routes);
  return rules;
});

/** Loads a function of the user; its parameters and result are its own matter. */
async function handler(reference: string, ctx: Pick<Ports, 'modules'>): Promise<MockHandler> {
  return await ctx.modules.reference(reference);
}
