import { readFileSync } from 'node:fs';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { exchangeFacts } from '#grammar/openapi/exchange-facts.ts';
import { heldToDocument } from '#grammar/openapi/check-exchange.ts';
import { serverBasePath } from '#grammar/openapi/base-path.ts';
import { operationsOf } from '#grammar/openapi/operations.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { checkRecords } from '#stdlib/api/interfaces/spec/check-records.ts';

import { session, type Session } from '../call.ts';

/** One request with its answer; a text alone is its request line, with an empty answer of status 200. */
interface Exchange {
  /** `VERB /path?query`; the verb is GET where it is left out. */
  readonly send: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A body of JSON, of another text, of a form, or of parts. */
  readonly body?: Json;
  readonly raw?: string;
  readonly form?: string;
  readonly parts?: readonly Part[];
  readonly status?: number;
  readonly json?: Json;
  readonly text?: string;
  readonly type?: string;
  /** Headers of the answer. */
  readonly answer?: Readonly<Record<string, string>>;
  /** False: it says nothing about requests. */
  readonly mock?: false;
  /** Present where records do not tell. */
  readonly only?: 'mock';
}

interface Part {
  readonly name: string;
  readonly filename?: string;
  readonly type?: string;
  readonly value: string;
}

interface Case {
  readonly title: string;
  readonly document: JsonObject;
  readonly fits: readonly Exchange[];
  readonly fails: readonly Exchange[];
}

const verbs = ['get', 'put', 'post', 'delete', 'patch'];

const cases = (
  parse(readFileSync(path.join(import.meta.dirname, 'openapi-cases.yaml'), 'utf8')) as Record<string, Json>[]
).map((written): Case => {
  const { title, openapi, swagger, paths, path: own = '/a', document, fits, fails, ...rest } = written;
  const operations = Object.fromEntries(
    verbs.flatMap((verb) =>
      rest[verb] === undefined ? [] : [[verb, { responses: { 200: {} }, ...(rest[verb] as JsonObject) }]],
    ),
  );
  const { components, servers } = rest;
  const all = (list: Json | undefined): readonly Exchange[] =>
    ((list ?? []) as (string | JsonObject)[]).map((one) =>
      typeof one === 'string' ? { send: one } : (one as unknown as Exchange),
    );
  return {
    title: String(title),
    document: {
      ...(swagger === undefined ? { openapi: openapi ?? '3.0.3' } : { swagger }),
      ...(components === undefined ? {} : { components }),
      ...(servers === undefined ? {} : { servers }),
      ...(document as JsonObject | undefined),
      paths: paths ?? { [String(own)]: operations },
    },
    fits: all(fits),
    fails: all(fails),
  };
});

const BOUNDARY = 'xBOUNDx';

/** A request as it goes over the wire. */
function sent(exchange: Exchange): { method: string; target: string; headers: Record<string, string>; body?: string } {
  const [verb, target] = exchange.send.startsWith('/') ? ['GET', exchange.send] : exchange.send.split(' ', 2);
  const { body, raw, form, parts } = exchange;
  const [type, text] =
    body !== undefined
      ? ['application/json', JSON.stringify(body)]
      : form !== undefined
        ? ['application/x-www-form-urlencoded', form]
        : parts
          ? [`multipart/form-data; boundary=${BOUNDARY}`, multipart(parts)]
          : [undefined, raw];
  return {
    method: verb ?? 'GET',
    target: target ?? '/',
    headers: { ...(type ? { 'content-type': type } : {}), ...exchange.headers },
    ...(text === undefined ? {} : { body: text }),
  };
}

function multipart(parts: readonly Part[]): string {
  const all = parts.map(
    ({ name, filename, type, value }) =>
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${filename ? `; filename="${filename}"` : ''}\r\n` +
      `${type ? `Content-Type: ${type}\r\n` : ''}\r\n${value}\r\n`,
  );
  return `${all.join('')}--${BOUNDARY}--\r\n`;
}

function answered({ json, text, type, answer = {} }: Exchange): { headers: Record<string, string>; text?: string } {
  if (json === undefined && text === undefined) return { headers: answer };
  return {
    headers: { 'content-type': type ?? (text === undefined ? 'application/json' : 'text/plain'), ...answer },
    text: text ?? JSON.stringify(json),
  };
}

/** Reasons by a log of requests, and by what steps show. */
function byRecords(exchange: Exchange, document: JsonObject): readonly (readonly string[])[] {
  const { method, target, headers, body } = sent(exchange);
  const answer = answered(exchange);
  const url = `http://x.test${target}`;
  const status = exchange.status ?? 200;
  const record = {
    request_method: method,
    request_url: url,
    request_headers: headers,
    ...(body === undefined ? {} : { request_body: body }),
    status_code: status,
    headers: answer.headers,
    ...(answer.text === undefined ? {} : { text: answer.text }),
  };
  const seen = { method, url, status, requestHeaders: headers, requestBody: body, responseHeaders: answer.headers };
  const facts = exchangeFacts({ ...seen, responseBody: answer.text }, serverBasePath(document));
  const held = facts && heldToDocument(facts, operationsOf(document), document);
  return [checkRecords([record], document, 0).failures, held ? held.problems : ['is not documented']];
}

describe('exchanges by the text of the specification', () => {
  test.each(
    cases
      .flatMap(({ title, document, fits, fails }) => [
        ...fits.map((exchange) => ({ title, document, exchange, fits: true })),
        ...fails.map((exchange) => ({ title, document, exchange, fits: false })),
      ])
      .filter(({ exchange }) => exchange.only === undefined),
  )('$title: $exchange, $fits', ({ document, exchange, fits }) => {
    for (const reasons of byRecords(exchange, document))
      if (fits) expect(reasons).toEqual([]);
      else expect(reasons.length).toBeGreaterThan(0);
  });
});

describe('requests to a mock', () => {
  let unit: Session;
  beforeAll(async () => {
    unit = await session();
  });
  afterAll(() => unit.end());

  // A mock serves the paths of a document whatever the address of its servers.
  const ofRequests = cases
    .filter(({ document }) => !('servers' in document || 'basePath' in document))
    .map((one) => ({
      ...one,
      fits: one.fits.filter(({ mock }) => mock !== false),
      // Wrong answers have right requests.
      fails: one.fails.filter(
        ({ mock, json, text, status, answer }) =>
          mock !== false && [json, text, status, answer].every((part) => part === undefined),
      ),
    }));

  test.each(ofRequests)('$title', async ({ document, fits, fails }) => {
    const { url } = (await unit.call('AT_start_mock_server')) as { url: string };
    try {
      await unit.call('AT_mock_load_openapi', { spec: document });
      const status = async (exchange: Exchange): Promise<number> => {
        const { method, target, headers, body } = sent(exchange);
        const answer = await fetch(`${url}${target}`, { method, headers, ...(body === undefined ? {} : { body }) });
        await answer.body?.cancel();
        return answer.status;
      };
      const found: string[] = [];
      for (const exchange of fits) {
        const got = await status(exchange);
        if ([400, 401, 403, 404, 405, 422].includes(got))
          found.push(`${JSON.stringify(exchange)} was refused with ${got}`);
      }
      for (const exchange of fails) {
        const got = await status(exchange);
        if (![400, 401, 403, 404, 405, 422].includes(got))
          found.push(`${JSON.stringify(exchange)} was taken with ${got}`);
      }
      expect(found).toEqual([]);
    } finally {
      await unit.call('AT_stop_mock_server');
    }
  });

  test('do not get back what only clients send', async () => {
    const user = {
      type: 'object',
      required: ['name', 'password'],
      properties: { name: { type: 'string' }, password: { type: 'string', writeOnly: true } },
    };
    const content = { 'application/json': { schema: user, example: { name: 'Ann', password: 'x' } } };
    const spec = { openapi: '3.0.3', paths: { '/a': { get: { responses: { 200: { content } } } } } };
    const { url } = (await unit.call('AT_start_mock_server')) as { url: string };
    await unit.call('AT_mock_load_openapi', { spec });
    expect(await (await fetch(`${url}/a`)).json()).toEqual({ name: 'Ann' });
    await unit.call('AT_stop_mock_server');
  });
});
