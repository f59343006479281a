import type { Server, ServerDuplexStream } from '@grpc/grpc-js';

import type { PortContext, Provider } from '#runtime/kernel/ports.ts';
import { MOCK_GRPC_MESSAGE_BYTES, MOCK_GRPC_MESSAGES } from '#schemas/generated/settings.ts';
import * as fail from '#schemas/generated/failures.ts';

import { grpcPackage } from '../../clients/grpc/grpc-package.ts';
import type { GrpcHandler, GrpcScript, MockGrpc, MockGrpcStart } from './port.ts';
import { readScript } from './script.ts';
import type { GrpcAnswer } from './script.ts';

export const provider: Provider<'mockGrpc'> = {
  open: (context) => {
    const mock = new Mock(context);
    context.release(() => mock.stop());
    context.eachRow(() => mock.save());
    return mock;
  },
};

interface Running {
  readonly server: Server;
  readonly address: string;
  readonly port: number;
  readonly options: MockGrpcStart;
  /** Codes of the package by name. */
  readonly codes: Readonly<Record<string, unknown>>;
}

interface Message {
  readonly method: string;
  readonly bytes: Uint8Array;
}

type Call = ServerDuplexStream<Uint8Array, Uint8Array>;

class Mock implements MockGrpc {
  readonly #context: PortContext;
  #running: Running | undefined;
  #messages: Message[] = [];
  #heard: ((method: string, message: Uint8Array) => void) | undefined;

  constructor(context: PortContext) {
    this.#context = context;
  }

  async start(options: MockGrpcStart): Promise<string> {
    if (this.#running) throw fail.mockKindRunning({ kind: 'gRPC', url: this.#running.address, kept: true });
    this.#messages = [];
    this.#running = await this.#listen(options);
    return this.#running.address;
  }

  stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    this.#messages = [];
    running?.server.forceShutdown();
    return Promise.resolve();
  }

  add(method: string, script: GrpcScript): void {
    const running = this.#running;
    if (!running) throw fail.mockKindNotRunning({ kind: 'gRPC', command: 'grpc' });
    const answer = readScript(method, script, running.codes);
    running.server.unregister(method);
    this.#register(running.server, method, answer);
  }

  received(method: string): readonly Uint8Array[] {
    if (!this.#running) throw fail.mockKindNotRunning({ kind: 'gRPC', command: 'grpc' });
    return this.#messages.filter((message) => message.method === method).map(({ bytes }) => bytes);
  }

  watch(heard: (method: string, message: Uint8Array) => void): void {
    this.#heard = heard;
  }

  /** A mock that was started since is stopped; one that ran then runs again, at its old address. */
  save(): () => Promise<void> {
    const [before, messages] = [this.#running, [...this.#messages]];
    let running = before;
    return async () => {
      if (this.#running !== running) {
        await this.stop();
        running = before && (await this.#listen({ ...before.options, port: before.port }));
        this.#running = running;
      }
      this.#messages = [...messages];
    };
  }

  async #listen(options: MockGrpcStart): Promise<Running> {
    const grpc = await grpcPackage();
    const answers = Object.entries(options.methods).map(
      ([method, script]) => [method, readScript(method, script, grpc.status)] as const,
    );
    const limits = this.#context.settings.limits;
    const server = new grpc.Server({
      'grpc.max_receive_message_length': limits?.mock_grpc_message_bytes ?? MOCK_GRPC_MESSAGE_BYTES,
    });
    for (const [method, answer] of answers) this.#register(server, method, answer);
    const host = options.host === 'localhost' ? '127.0.0.1' : options.host;
    const shown = host.includes(':') ? `[${host}]` : host;
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync(`${shown}:${options.port}`, grpc.ServerCredentials.createInsecure(), (error, bound) => {
        if (error) reject(error);
        else resolve(bound);
      });
    }).catch((cause: unknown) => {
      server.forceShutdown();
      const reason = /E[A-Z]{4,}/.exec(String(cause))?.[0] ?? String(cause);
      throw fail.mockKindAddress({ kind: 'gRPC', host, port: options.port, reason, cause });
    });
    const anywhere = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' }[shown] ?? shown;
    return { server, address: `${anywhere}:${port}`, port, options, codes: grpc.status };
  }

  /** On the wire a single message is a stream of one: one kind of handler serves all four kinds of calls. */
  #register(server: Server, method: string, answer: GrpcAnswer): void {
    const same = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    server.register(method, (call: Call) => this.#serve(call, method, answer), same, same, 'bidi');
  }

  #serve(call: Call, method: string, answer: GrpcAnswer): void {
    const gone = new AbortController();
    let begun: Promise<unknown> | undefined;
    const begin = (): Promise<unknown> =>
      (begun ??=
        answer.delayMs > 0
          ? this.#context.host.clock.sleep(answer.delayMs, gone.signal).catch(() => undefined)
          : Promise.resolve());
    let handled: Promise<unknown> = Promise.resolve();
    const send = (bytes: Uint8Array): void => {
      if (!gone.signal.aborted) call.write(bytes);
    };
    call.on('cancelled', () => gone.abort());
    call.on('error', () => gone.abort());
    call.on('data', (bytes: Uint8Array) => {
      this.#keep({ method, bytes });
      const { each, handler } = answer;
      if (each) void begin().then(() => send(each(bytes)));
      if (handler)
        handled = handled.then(begin).then(async () => {
          for await (const message of messagesOf(await handler(bytes))) send(message);
        });
      handled.catch((error: unknown) => {
        if (gone.signal.aborted) return;
        gone.abort();
        call.emit('error', { code: UNKNOWN, details: error instanceof Error ? error.message : String(error) });
      });
    });
    call.on('end', () => {
      void Promise.all([begin(), handled.catch(() => undefined)]).then(() => {
        for (const message of answer.messages) send(message);
        if (gone.signal.aborted) return;
        if (answer.error) call.emit('error', answer.error);
        else call.end();
      });
    });
  }

  #keep(message: Message): void {
    const most = this.#context.settings.limits?.mock_grpc_messages ?? MOCK_GRPC_MESSAGES;
    this.#messages.push(message);
    this.#heard?.(message.method, message.bytes);
    // In blocks, so that a full list does not move all its messages for each one.
    if (this.#messages.length > most * 1.1) this.#messages = this.#messages.slice(-most);
  }
}

/** Status of a call whose handler threw. */
const UNKNOWN = 2;

function messagesOf(reply: Awaited<ReturnType<GrpcHandler>>): Iterable<Uint8Array> | AsyncIterable<Uint8Array> {
  return reply instanceof Uint8Array ? [reply] : reply;
}
