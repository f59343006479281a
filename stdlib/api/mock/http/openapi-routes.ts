import { plainType, readBody, type Body } from '#grammar/openapi/body.ts';
import { exchangeRequestProblems } from '#grammar/openapi/check-exchange.ts';
import { pathAlone } from '#grammar/openapi/path-template.ts';
import { serverBasePath } from '#grammar/openapi/base-path.ts';
import { operationsOf } from '#grammar/openapi/operations.ts';
import type { Operation } from '#grammar/openapi/operations.ts';
import { resolvedObject } from '#grammar/openapi/reference.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { prepared } from './answer.ts';
import { lacksLogin, loginChallenge } from './openapi-login.ts';
import { declaredAnswer, isUnacceptable, usualStatus } from './openapi-answer.ts';
import type { Method, MockAnswer, MockRequest, MockRoute } from './port.ts';

/** Routes of a document, with the rules of its operations by their keys. */
export interface OpenApiRoutes {
  readonly routes: readonly MockRoute[];
  readonly rules: Readonly<Record<string, string>>;
}

/**
 * A route for each operation of an OpenAPI document: it answers what the document allows, and refuses what it does not.
 * Operations that only a query or a fragment in their paths tells apart share one: the first that takes a request
 * answers it. Below the paths of its servers stands the same once more, for clients of which only the host was changed.
 */
export function openApiRoutes(document: JsonObject): OpenApiRoutes {
  const groups = Map.groupBy(operationsOf(document), ({ method, path }) => `${method} ${ruleOf(pathAlone(path))}`);
  const routes = new Map<string, MockRoute>();
  const rules: Record<string, string> = {};
  for (const [name, operations] of groups) {
    const [{ path, method }] = operations as [Operation];
    const rule = ruleOf(pathAlone(path));
    routes.set(name, {
      rule,
      methods: [method.toUpperCase() as Method],
      isGenerated: true,
      answer: answerOf(operations, document),
    });
    for (const { key } of operations) rules[key] = rule;
  }
  // A path as the document has it comes before one that a server's base makes of another.
  for (const [name, operations] of groups)
    for (const base of new Set(operations.flatMap((operation) => basesOf(operation, document)))) {
      const route = routes.get(name);
      const other = name.replace(' ', () => ` ${base}`);
      if (route && !routes.has(other))
        routes.set(other, { ...route, rule: base + route.rule, answer: answerOf(operations, document, base) });
    }
  return { routes: [...routes.values()], rules };
}

/** The paths of the servers of a document, a path and an operation that can stand in a rule, but for the root. */
function basesOf({ path, source }: Operation, document: JsonObject): readonly string[] {
  const item = isObject(document['paths']) ? resolvedObject(document['paths'][path], document) : {};
  const lists = [document['servers'], item['servers'], source['servers']].filter((list) => Array.isArray(list));
  const bases = (lists.flat() as readonly Json[]).map((server) => serverBasePath({ servers: [server] }));
  return [serverBasePath(document), ...bases].filter((base) => /^(?:\/[\w.~-]+)+$/.test(base));
}

/** `base`: what stands before the paths of the operations. */
function answerOf(operations: readonly Operation[], document: JsonObject, base = ''): MockRoute['answer'] {
  const served = operations.map((operation) => new Served(operation, document, base));
  return (request, { note }) => {
    const notes: unknown[] = [];
    let refused: MockAnswer | undefined;
    for (const operation of served) {
      const before = notes.length;
      const answer = operation.answer(request, (problem) => notes.push(problem));
      if (notes.length === before) return answer;
      refused ??= answer;
    }
    for (const problem of notes) note(problem);
    return refused ?? { status: 500 };
  };
}

/** Names of parameters may hold any sign; rules count them instead. */
function ruleOf(template: string): string {
  let count = 0;
  return template.replace(/(?:\{[^{}]*\})+/g, () => `<p${++count}>`);
}

/** An operation that is served. What it answers without a wish of the client is worked out once. */
class Served {
  readonly #operation: Operation;
  readonly #document: JsonObject;
  readonly #base: string;
  #usual: ReturnType<typeof declaredAnswer> | undefined;

  constructor(operation: Operation, document: JsonObject, base: string) {
    this.#operation = operation;
    this.#document = document;
    this.#base = base;
  }

  answer(request: MockRequest, note: (problem: unknown) => void): MockAnswer {
    if (lacksLogin(request, this.#operation, this.#document)) return this.#withoutLogin(request);
    const problems = exchangeRequestProblems(
      {
        method: request.method,
        path: encodedPath(request).slice(this.#base.length),
        query: Object.entries(request.query).flatMap(([name, value]) =>
          (typeof value === 'string' ? [value] : value).map((one) => [name, one] as const),
        ),
        headers: request.headers,
        ...bodyOf(request),
      },
      this.#operation,
      this.#document,
    );
    if (problems.length > 0) {
      for (const problem of problems) note(`the request does not fit the document: ${problem}`);
      return this.#refusal([400, 422], problems, request);
    }
    const answer = this.#declared(request.headers);
    if (!('problem' in answer)) return answer;
    note(answer.problem);
    return { status: 500, body: answer.problem };
  }

  #declared({ prefer, accept = '*/*' }: MockRequest['headers']): ReturnType<typeof declaredAnswer> {
    if (prefer !== undefined || !/^\*\/\*(?:\s*;\s*q=1)?$/.test(accept)) {
      const preference = { ...preferenceOf(prefer ?? ''), accept };
      const status = preference.status ?? usualStatus(this.#operation);
      if (isUnacceptable(this.#operation, status, accept)) return notAcceptable(accept);
      return declaredAnswer(this.#operation, this.#document, preference);
    }
    if (this.#usual) return this.#usual;
    const usual = declaredAnswer(this.#operation, this.#document, {});
    return (this.#usual = 'problem' in usual ? usual : prepared(usual));
  }

  /**
   * Answer that the document declares for a request that is wrong; where it declares none, the first status with
   * the problems.
   */
  #refusal(statuses: readonly number[], problems: readonly string[], { headers: { accept } }: MockRequest): MockAnswer {
    for (const status of statuses)
      for (const key of [String(status), '4XX', '4xx', 'default']) {
        if (!this.#operation.responses.has(key)) continue;
        const preference = { status, ...(accept === undefined ? {} : { accept }) };
        const answer = declaredAnswer(this.#operation, this.#document, preference);
        if (!('problem' in answer)) return answer;
      }
    return problemReport(statuses[0] ?? 400, 'the request does not fit the OpenAPI document', problems);
  }

  #withoutLogin(request: MockRequest): MockAnswer {
    const answer = this.#refusal([401, 403], ['no login was sent'], request);
    const challenge = loginChallenge(this.#operation, this.#document);
    if (answer.status !== 401 || challenge === undefined) return answer;
    return { ...answer, headers: { 'www-authenticate': challenge, ...answer.headers } };
  }
}

function notAcceptable(accept: string): MockAnswer {
  return problemReport(406, 'the document declares no answer of an accepted media type', [`Accept: ${accept}`]);
}

/** A report of RFC 9457. */
function problemReport(status: number, title: string, problems: readonly string[]): MockAnswer {
  const headers = { 'content-type': 'application/problem+json' };
  return { status, headers, body: { title, status, problems: [...problems] } };
}

/** `Prefer: code=404, example=none`: which of the declared answers a client asks for. */
function preferenceOf(prefer: string): { readonly status?: number; readonly example?: string } {
  const said = new Map(
    prefer.split(/[,;]/).map((part) => {
      const [name = '', value = ''] = part.split('=', 2);
      return [name.trim().toLowerCase(), value.trim().replace(/^"|"$/g, '')];
    }),
  );
  const [status, example] = [Number(said.get('code')), said.get('example')];
  return {
    ...(Number.isInteger(status) ? { status } : {}),
    ...(example === undefined ? {} : { example }),
  };
}

function encodedPath({ path, encodedPath: written }: MockRequest): string {
  const segments = written?.split('/').map(decodeURIComponent) ?? path.split('/');
  return segments.map(encodeURIComponent).join('/');
}

/** A body as it came; parts of a form are read already. */
function bodyOf(request: MockRequest): { readonly requestBody?: Body } {
  if (request.bytes.length === 0) return {};
  const type = request.headers['content-type'];
  if (request.json !== null && (type === undefined || /json/i.test(type)))
    return {
      requestBody: { ...(type === undefined ? {} : { type: plainType(type), contentType: type }), json: request.json },
    };
  if (type === undefined || plainType(type) !== 'multipart/form-data') {
    const requestBody = readBody(request.data, type);
    return requestBody ? { requestBody } : {};
  }
  const texts = Object.entries(request.form).map(([name, value]) => ({ name, value }));
  const files = request.files.map(({ field, name }) => ({ name: field, value: name, isFile: true }));
  return { requestBody: { type: plainType(type), contentType: type, fields: [...texts, ...files] } };
}
