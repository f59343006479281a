import type { IncomingMessage, ServerResponse } from 'node:http';

import type { PortContext, Provider } from '#runtime/kernel/ports.ts';
import { MOCK_BODY_BYTES, MOCK_HEADERS_MS, MOCK_RECEIVED, MOCK_REQUEST_MS } from '#schemas/generated/settings.ts';
import * as fail from '#schemas/generated/failures.ts';

import { sendAnswer, unsendable } from './answer.ts';
import { isPreflight, preflightAnswer, withCors } from './cors.ts';
import { makeControls } from './controls.ts';
import type { Controls } from './controls.ts';
import { BadRequest, readIncoming } from './incoming.ts';
import type { Incoming } from './incoming.ts';
import type { MockAddress, MockAnswer, MockControls, MockHttp, MockRoute, MockStart, ReceivedRequest } from './port.ts';
import { documentRoutes, readConfig } from './read-config.ts';
import { ReceivedLog } from './received.ts';
import { Router } from './router.ts';
import { configRoutes } from './routes.ts';
import { openServer } from './server.ts';
import type { OpenServer } from './server.ts';

const defaults = {
  mock_body_bytes: MOCK_BODY_BYTES as number,
  mock_received: MOCK_RECEIVED as number,
  mock_headers_ms: MOCK_HEADERS_MS as number,
  mock_request_ms: MOCK_REQUEST_MS as number,
};

export const provider: Provider<'mockHttp'> = {
  open: (context) => {
    const mock = new Mock(context);
    context.release(() => mock.stop());
    context.eachRow(() => mock.save());
    return mock;
  },
};

type Routed = Extract<ReturnType<Router['find']>, { kind: 'route' }>;

interface Decided {
  readonly answer: MockAnswer;
  readonly route?: MockRoute;
  readonly error?: string | undefined;
}

class Mock implements MockHttp {
  readonly #context: PortContext;
  readonly #limits: typeof defaults;
  readonly #router = new Router();
  readonly #log: ReceivedLog;
  readonly #controls: Controls;
  #server: OpenServer | undefined;
  #heard: ((request: ReceivedRequest) => void) | undefined;
  #stopping = new AbortController();
  #cors = false;

  constructor(context: PortContext) {
    this.#context = context;
    this.#limits = { ...defaults, ...context.settings.limits };
    this.#log = new ReceivedLog(this.#limits.mock_received);
    this.#controls = makeControls(this.#log);
  }

  get isRunning(): boolean {
    return this.#server !== undefined;
  }

  get controls(): MockControls {
    return this.#controls;
  }

  async start(options: MockStart): Promise<MockAddress> {
    if (this.#server) throw fail.mockRunning({ url: this.#server.address.url, kept: true });
    const config =
      options.config === undefined ? {} : await readConfig(options.config, this.#context.host, options.others);
    const routes = [
      ...configRoutes(config, options.names),
      ...(await documentRoutes(options.config, config, this.#context.host)),
    ];
    // Checked before the port is opened, and added once it is: a start that fails leaves nothing behind.
    this.#router.check(...routes);
    this.#server = await this.#listen(options.host ?? config.host ?? '127.0.0.1', options.port ?? config.port ?? 0);
    this.add(...routes);
    this.#controls.configureFaults({ ...config.faults, ...options.faults });
    this.#cors = options.cors ?? config.cors ?? false;
    return this.#server.address;
  }

  /** A mock that was started since is stopped; one that ran then runs again, at its old address. */
  save(): () => Promise<void> {
    const server = this.#server;
    const parts = [this.#router.save(), this.#log.save(), this.#controls.save()];
    let running = server;
    return async () => {
      if (this.#server !== running) {
        await this.stop();
        running = server && (await this.#listen(server.host, server.address.port));
        this.#server = running;
      }
      for (const restore of parts) restore();
    };
  }

  #listen(host: string, port: number): Promise<OpenServer> {
    return openServer({
      host,
      port,
      headersMs: this.#limits.mock_headers_ms,
      requestMs: this.#limits.mock_request_ms,
      answer: (message, response) => this.#answer(message, response),
    });
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    this.#stopping.abort();
    this.#stopping = new AbortController();
    this.#router.clear();
    this.#log.clear();
    this.#controls.reset();
    this.#cors = false;
    await server?.close();
  }

  add(...routes: readonly MockRoute[]): void {
    this.#router.add(...routes);
  }

  watch(heard: (request: ReceivedRequest) => void): void {
    this.#heard = heard;
  }

  received(): readonly ReceivedRequest[] {
    return this.#log.requests;
  }

  webhooks(): readonly ReceivedRequest[] {
    return this.#log.webhooks;
  }

  /** Answers at once what needs no waiting: a promise a step would cost as much as the rest. */
  #answer(message: IncomingMessage, response: ServerResponse): void | Promise<void> {
    try {
      const incoming = readIncoming(message, this.#limits.mock_body_bytes);
      return incoming instanceof Promise
        ? this.#answerLater(incoming, response)
        : this.#decideAndSend(incoming, response);
    } catch (error) {
      return this.#refuse(error, response);
    }
  }

  async #answerLater(incoming: Promise<Incoming>, response: ServerResponse): Promise<void> {
    try {
      await this.#decideAndSend(await incoming, response);
    } catch (error) {
      this.#refuse(error, response);
    }
  }

  #decideAndSend(incoming: Incoming, response: ServerResponse): void | Promise<void> {
    const at = this.#context.host.clock.now();
    const decided = this.#decide(incoming);
    if (!(decided instanceof Promise)) return this.#keepAndSend(incoming, at, decided, response);
    return decided.then((one) => this.#keepAndSend(incoming, at, one, response));
  }

  #keepAndSend(
    incoming: Incoming,
    at: number,
    { answer: decided, route, error }: Decided,
    response: ServerResponse,
  ): void | Promise<void> {
    const answer = this.#cors ? withCors(decided, incoming) : decided;
    // Kept before it is sent, so that a client that has its answer finds its request in the list.
    this.#log.add(incoming, {
      route: route?.rule ?? null,
      status: answer.status ?? 200,
      at: new Date(at).toISOString(),
      isWebhook: route?.isWebhook ?? false,
      error,
    });
    const newest = this.#heard && this.#log.newest;
    if (newest) this.#heard?.(newest);
    const { fault, pieces, delay_seconds: seconds = 0 } = answer;
    if (fault === undefined && !pieces && seconds === 0) sendAnswer(response, answer);
    else return this.#send(response, answer);
  }

  #refuse(error: unknown, response: ServerResponse): void {
    if (!(error instanceof BadRequest)) throw error;
    // The rest of the body is not read: the connection cannot be used again.
    sendAnswer(response, { status: error.status, headers: { connection: 'close' } });
  }

  async #send(response: ServerResponse, answer: MockAnswer): Promise<void> {
    const { fault, delay_seconds: seconds = 0 } = answer;
    const { clock } = this.#context.host;
    const pause = (ms: number): Promise<void> => clock.sleep(ms, this.#stopping.signal);
    try {
      if (seconds > 0 && fault !== 'slow') await pause(seconds * 1000);
      const { pieces } = answer;
      if (pieces && fault === undefined)
        return await (await import('./send-pieces.ts')).sendPieces(response, { ...answer, pieces }, pause);
      if (fault === undefined) return sendAnswer(response, answer);
      const { sendFaulty } = await import('./faulty-answer.ts');
      await sendFaulty(response, { ...answer, fault }, pause);
    } catch (error) {
      // The mock has stopped, and its connections with it.
      if (!this.#stopping.signal.aborted && !response.destroyed) throw error;
    }
  }

  #decide(incoming: Incoming): Decided | Promise<Decided> {
    if (this.#cors && isPreflight(incoming)) return { answer: preflightAnswer(incoming) };
    const found = this.#router.find(incoming.method, incoming.path, incoming.encodedPath);
    if (found.kind === 'none')
      return {
        answer:
          incoming.path === '/' && incoming.method === 'GET'
            ? { body: 'svc mock server' }
            : { status: 404, body: `no route for ${incoming.path}` },
      };
    if (found.kind === 'other-method')
      return {
        answer: { status: incoming.method === 'OPTIONS' ? 204 : 405, headers: { allow: found.allowed.join(', ') } },
      };
    const { latency_seconds: latency, failure_probability: failing } = this.#controls.faults;
    return latency > 0 || failing > 0 ? this.#spoilt(incoming, found) : this.#routed(incoming, found);
  }

  async #spoilt(incoming: Incoming, found: Routed): Promise<Decided> {
    const fault = await this.#fault();
    return fault ? { answer: fault, route: found.route } : await this.#routed(incoming, found);
  }

  #routed(incoming: Incoming, { route, params, encodedParams }: Routed): Decided | Promise<Decided> {
    const errors: string[] = [];
    const note = (error: unknown): void =>
      void errors.push(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
    const done = (answer: MockAnswer): Decided => {
      const mistake = unsendable(answer);
      if (mistake) return failed(mistake);
      return { answer, route, error: errors.length > 0 ? errors.join('; ') : undefined };
    };
    const failed = (error: unknown): Decided => {
      note(error);
      return { answer: { status: 500, body: errors.join('; ') }, route, error: errors.join('; ') };
    };
    try {
      const { counts } = this.#controls;
      const tools = { controls: this.#controls, counts, note, signal: this.#stopping.signal };
      const answer = route.answer({ ...incoming, params, ...(encodedParams ? { encodedParams } : {}) }, tools);
      return answer instanceof Promise ? answer.then(done, failed) : done(answer);
    } catch (error) {
      return failed(error);
    }
  }

  /** The delay comes first, then chance decides about a failure. */
  async #fault(): Promise<MockAnswer | undefined> {
    const {
      latency_seconds: seconds,
      failure_probability: share,
      failure_status: status,
      failure_body: body,
    } = this.#controls.faults;
    const { clock, random } = this.#context.host;
    if (seconds > 0) await clock.sleep(seconds * 1000, this.#stopping.signal);
    return share > 0 && random.number() < share ? { status, body } : undefined;
  }
}
