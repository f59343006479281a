import { resolve } from 'node:path';

import { checkMockSections } from '#compiler/engine/mocks/check-sections.ts';
import type { SessionOptions } from '#compiler/engine/unit-session.ts';
import { follow, Missing } from '#runtime/kernel/values/path.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { isObject } from '#schemas/types/json.ts';
import { grpcPackage } from '#stdlib/api/clients/grpc/grpc-package.ts';
import { equalJson } from '#stdlib/api/equal-json.ts';
import type { GrpcHandler, GrpcScript } from '#stdlib/api/mock/grpc/port.ts';
import { checkShape } from '#stdlib/api/mock/http/check-shape.ts';
import { configShape, type HttpConfig } from '#stdlib/api/mock/http/config-shape.ts';
import type { Method, MockControls, MockHandler, MockRequest, ReceivedRequest } from '#stdlib/api/mock/http/port.ts';
import { documentRoutes, readSections } from '#stdlib/api/mock/http/read-config.ts';
import { configRoutes, handlerRoute } from '#stdlib/api/mock/http/routes.ts';
import type { WebSocketScript } from '#stdlib/api/mock/websocket/port.ts';
import { PathError, readPath } from '#stdlib/api/read-path.ts';

import { Session } from '../session.ts';

/** Says whether a rule of a dynamic route fits a request. */
export type Predicate = (request: MockRequest) => boolean | Promise<boolean>;
/** Builds the answer of a rule: a body, or an object with `body`, `status` and `headers`. */
export type Responder = (request: MockRequest, controls: MockControls) => unknown;
export interface MockRule {
  readonly predicate: Predicate;
  readonly responder: Responder;
}

/** Interface and port of a mock; port 0 is a free one. */
export interface MockPlace {
  readonly host?: string;
  readonly port?: number;
}

/**
 * A predicate that compares the field at a dotted path; a path that leads nowhere, and a body that is not JSON, never
 * fit.
 */
export function json_match(field_path: string, expected: Json): Predicate {
  const route = readPath(field_path);
  return ({ json }) => {
    if (route instanceof PathError) return false;
    const actual = follow(json, route, 'json');
    return !(actual instanceof Missing) && equalJson(actual as Json, expected);
  };
}

/** A responder that always answers the same. Objects and lists are sent as JSON. */
export function static_response(
  body: Json,
  {
    status = 200,
    headers = null,
  }: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> | null } = {},
): Responder {
  return () => ({ body, status, ...(headers ? { headers } : {}) });
}

/** A mock configuration file, JSON or YAML, checked as a whole. */
export async function read_mock_config(path: string, { host = nodeHost() }: SessionOptions = {}): Promise<JsonObject> {
  const sections = Object.entries(await readSections(resolve(host.cwd, path), host.files));
  return Object.fromEntries(sections.filter(([, section]) => section !== undefined));
}

/**
 * Adds the routes of a configuration to an HTTP mock, and starts its WebSocket and gRPC mocks beside it; yields their
 * addresses.
 */
export async function apply_mock_config(
  config: JsonObject,
  http_server: HttpMockServer,
  { base_dir = '.' }: { readonly base_dir?: string } = {},
): Promise<{ readonly websocket?: string; readonly grpc?: string }> {
  const [first, ...others] = checkShape(config, configShape);
  if (first) {
    const at = `/${first.at.map(String).join('/')}`;
    throw fail.mockConfig({ path: 'configuration', line: 1, at, expected: first.expected, count: others.length + 1 });
  }
  await checkMockSections('configuration', config);
  return await http_server.extend(config, base_dir);
}

/** Stops the WebSocket and the gRPC mock that `apply_mock_config` has started beside an HTTP mock. */
export function stop_protocol_mocks(http_server: HttpMockServer): Promise<void> {
  return http_server.stop_protocol_mocks();
}

/** Says whether the package for gRPC is installed. */
export async function is_grpc_available(): Promise<boolean> {
  try {
    await grpcPackage();
    return true;
  } catch {
    return false;
  }
}

/** Runs `scope` with an HTTP mock, which ends with it; yields what `scope` yields. */
export async function http_mock_server<Result>(
  scope: (mock: HttpMockServer) => Result | Promise<Result>,
  place: MockPlace = {},
  options: SessionOptions = {},
): Promise<Result> {
  await using session = await Session.open(options);
  return await scope(await HttpMockServer.open(session, place, options));
}

/**
 * Runs `scope` with a WebSocket mock (port 8765 by default), which ends with it; yields what `scope` yields. Several
 * may run.
 */
export async function websocket_mock_server<Result>(
  scope: (mock: WebSocketMockServer) => Result | Promise<Result>,
  { host = '127.0.0.1', port = 8765 }: MockPlace = {},
  options: SessionOptions = {},
): Promise<Result> {
  await using session = await Session.open(options);
  const mock = new WebSocketMockServer(session, { host, port });
  await mock.start();
  return await scope(mock);
}

/**
 * Runs `scope` with a gRPC mock (port 50051 by default), which ends with it; yields what `scope` yields. Several may
 * run.
 */
export async function grpc_mock_server<Result>(
  scope: (mock: GrpcMockServer) => Result | Promise<Result>,
  { host = '127.0.0.1', port = 50051 }: MockPlace = {},
  options: SessionOptions = {},
): Promise<Result> {
  await using session = await Session.open(options);
  const mock = new GrpcMockServer(session, { host, port });
  await mock.start();
  return await scope(mock);
}

/** An HTTP mock that a program runs. */
export class HttpMockServer {
  readonly url: string;
  readonly port: number;
  readonly #session: Session;
  readonly #options: SessionOptions;

  private constructor(
    session: Session,
    options: SessionOptions,
    { url, port }: { readonly url: string; readonly port: number },
  ) {
    this.#session = session;
    this.#options = options;
    this.url = url;
    this.port = port;
  }

  /** Starts the HTTP mock of a session, which ends with the session. */
  static async open(session: Session, place: MockPlace, options: SessionOptions): Promise<HttpMockServer> {
    const address = await session.step('mock http', ['mockHttp', 'variables'], (ctx) =>
      ctx.mockHttp.start({ ...place, names: ctx.variables }),
    );
    return new HttpMockServer(session, options, address);
  }

  /** Answers the paths of a rule by a function. */
  async add_route(rule: string, handler: MockHandler, methods: readonly Method[] = ['GET']): Promise<void> {
    const route = handlerRoute(rule, methods, handler);
    await this.#session.step('mock http', ['mockHttp', 'variables'], ({ mockHttp }) => mockHttp.add(route));
  }

  /** Answers the paths of a rule by the first of `rules` that fits; none: 404. */
  async add_dynamic_route(
    rule: string,
    rules: readonly MockRule[],
    methods: readonly Method[] = ['GET'],
  ): Promise<void> {
    await this.add_route(
      rule,
      async (request, controls) => {
        for (const { predicate, responder } of rules)
          if (await predicate(request)) return await responder(request, controls);
        return { status: 404, body: 'no matching dynamic rule' };
      },
      methods,
    );
  }

  /** State, webhooks and faults, as handlers see them. */
  async controls(): Promise<MockControls> {
    return await this.#session.step('mock http', ['mockHttp', 'variables'], ({ mockHttp }) => mockHttp.controls);
  }

  /** Requests that came, oldest first. */
  async received(): Promise<readonly ReceivedRequest[]> {
    return await this.#session.step('mock http', ['mockHttp', 'variables'], ({ mockHttp }) => mockHttp.received());
  }

  /** Adds a checked configuration, all of it or nothing; see `apply_mock_config`. */
  async extend(config: JsonObject, base_dir: string): Promise<{ readonly websocket?: string; readonly grpc?: string }> {
    const { host = nodeHost() } = this.#options;
    const http = (config['http'] ?? {}) as HttpConfig;
    const ofDocument = await documentRoutes(resolve(host.cwd, base_dir, 'mock.json'), http, host);
    const started: { websocket?: string; grpc?: string } = {};
    try {
      for (const kind of ['websocket', 'grpc'] as const)
        if (isObject(config[kind] ?? null))
          started[kind] = String(
            await this.#session.action(`AT_mock_start_${kind}_server`, config[kind] as JsonObject),
          );
      await this.#session.step('mock http', ['mockHttp', 'variables'], ({ mockHttp, variables }) => {
        mockHttp.add(...configRoutes(http, variables), ...ofDocument);
        mockHttp.controls.configureFaults({ ...http.faults });
      });
      return started;
    } catch (error) {
      await this.#stop(Object.keys(started) as ('websocket' | 'grpc')[]);
      throw error;
    }
  }

  /** Stops the WebSocket and the gRPC mock that configurations have started; nothing happens where none runs. */
  async stop_protocol_mocks(): Promise<void> {
    await this.#stop(['websocket', 'grpc']);
  }

  async #stop(kinds: readonly ('websocket' | 'grpc')[]): Promise<void> {
    for (const kind of kinds) await this.#session.action(`AT_mock_stop_${kind}_server`, {});
  }
}

/** A WebSocket mock that a program runs. */
export class WebSocketMockServer {
  readonly #session: Session;
  readonly #place: Required<MockPlace>;
  /** Looked at for every connection, so that later routes count too. */
  readonly #routes: Record<string, WebSocketScript> = {};
  #url = '';

  constructor(session: Session, place: Required<MockPlace>) {
    this.#session = session;
    this.#place = place;
  }

  /** Base address, `ws://…`. */
  get url(): string {
    return this.#url;
  }

  get port(): number {
    return Number(new URL(this.#url).port);
  }

  /** A path with its answers; a `handler` takes the place of replies and fallback. */
  add_route(path: string, script: WebSocketScript = {}): void {
    if (!path.startsWith('/')) throw new RangeError('a path begins with /');
    this.#routes[path] = script;
  }

  async received(path: string): Promise<readonly string[]> {
    return await this.#session.step('mock websocket', ['mockWebSocket'], (ctx) => ctx.mockWebSocket.received(path));
  }

  async start(): Promise<void> {
    const given = { ...this.#place, routes: this.#routes };
    this.#url = await this.#session.step('mock websocket', ['mockWebSocket'], (ctx) => ctx.mockWebSocket.start(given));
  }

  async stop(): Promise<void> {
    await this.#session.step('mock websocket', ['mockWebSocket'], (ctx) => ctx.mockWebSocket.stop());
  }
}

/** A gRPC mock that a program runs, over raw bytes. */
export class GrpcMockServer {
  readonly #session: Session;
  readonly #place: Required<MockPlace>;
  readonly #methods: Record<string, GrpcScript> = {};
  #address = '';

  constructor(session: Session, place: Required<MockPlace>) {
    this.#session = session;
    this.#place = place;
  }

  /** `host:port`. */
  get address(): string {
    return this.#address;
  }

  /** Answers each message of a method with one. */
  register(method: string, handler: (message: Uint8Array) => Uint8Array | Promise<Uint8Array>): Promise<void> {
    return this.#add(method, { handler });
  }

  /** Answers each message of a method with several. */
  register_server_stream(method: string, handler: GrpcHandler): Promise<void> {
    return this.#add(method, { handler });
  }

  add_unary_response(method: string, response: Json): Promise<void> {
    return this.#add(method, { response });
  }

  add_stream_responses(method: string, stream: readonly Json[]): Promise<void> {
    return this.#add(method, { stream });
  }

  /** Ends calls of a method with a status such as `NOT_FOUND`. */
  add_error(method: string, code: string, details = ''): Promise<void> {
    return this.#add(method, { error: { code, details } });
  }

  async received(method: string): Promise<readonly Uint8Array[]> {
    return await this.#session.step('mock grpc', ['mockGrpc'], ({ mockGrpc }) => mockGrpc.received(method));
  }

  async start(): Promise<void> {
    const given = { ...this.#place, methods: this.#methods };
    this.#address = await this.#session.step('mock grpc', ['mockGrpc'], ({ mockGrpc }) => mockGrpc.start(given));
  }

  async stop(): Promise<void> {
    await this.#session.step('mock grpc', ['mockGrpc'], ({ mockGrpc }) => mockGrpc.stop());
  }

  async #add(method: string, script: GrpcScript): Promise<void> {
    if (!/^\/[^/]+\/[^/]+$/.test(method)) throw new RangeError('a method is a full path, /package.Service/Method');
    await this.#session.step('mock grpc', ['mockGrpc'], ({ mockGrpc }) => mockGrpc.add(method, script));
    this.#methods[method] = script;
  }
}
