import { prepared } from './answer.ts';
import type { Names } from '../../look-up.ts';
import type { HttpConfig, RouteConfig } from './config-shape.ts';
import { dynamicAnswer } from './dynamic-answer.ts';
import type { DynamicRule } from './dynamic-answer.ts';
import { handlerAnswer } from './handlers.ts';
import { streamRoute, type StreamOptions } from './event-stream.ts';
import type { Method, MockAnswer, MockHandler, MockRoute } from './port.ts';
import { templateAnswer } from './template-answer.ts';

/** The routes of a configuration. */
export function configRoutes({ routes = [], webhooks = [] }: HttpConfig, names: Names): MockRoute[] {
  return [...routes.map((route) => configRoute(route, names)), ...webhooks.map(webhookRoute)];
}

function configRoute(
  { rule, methods = ['GET'], rules, body = '', status = 200, headers = {}, ...more }: RouteConfig,
  names: Names,
): MockRoute {
  const { events, events_per_connection, retry_ms, interval_seconds, ...spoilt } = more;
  if (events) {
    const options = { events, headers, events_per_connection, retry_ms, interval_seconds };
    return streamRoute(rule, methods, options as StreamOptions, names);
  }
  if (!rules) return templateRoute(rule, methods, { body, status, headers, ...spoilt }, names);
  return dynamicRoute(
    rule,
    methods,
    rules.map(({ when, times, ...answer }) => ({
      ...(when ? { when } : {}),
      ...(times === undefined ? {} : { times }),
      answer: { status, ...spoilt, ...answer, headers: { ...headers, ...answer.headers } },
    })),
    names,
  );
}

/** Answers with a template, filled for every request. */
export function templateRoute(rule: string, methods: readonly Method[], template: MockAnswer, names: Names): MockRoute {
  const isFixed = !JSON.stringify([template.body, template.headers]).includes('{{');
  const fixed = isFixed ? prepared(template) : undefined;
  return { rule, methods, answer: (request) => fixed ?? templateAnswer(template, request, names) };
}

/** Answers by the first rule that fits the request. */
export function dynamicRoute(
  rule: string,
  methods: readonly Method[],
  rules: readonly DynamicRule[],
  names: Names,
): MockRoute {
  return { rule, methods, answer: async (request, tools) => await dynamicAnswer(rules, request, names, tools) };
}

/** Answers as a function of the user's says. */
export function handlerRoute(rule: string, methods: readonly Method[], handler: MockHandler): MockRoute {
  return { rule, methods, answer: async (request, { controls }) => await handlerAnswer(handler, request, controls) };
}

/** Takes webhooks. */
export function webhookRoute(rule: string): MockRoute {
  return { rule, methods: ['POST', 'PUT'], isWebhook: true, answer: () => ({ body: { received: true } }) };
}
