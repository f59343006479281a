/// <reference lib="esnext.disposable" preserve="true" />
import { call, type CallParameters } from '#compiler/engine/call.ts';
import type { SessionOptions } from '#compiler/engine/unit-session.ts';
import type { CommandMap } from '#schemas/generated/command-map.ts';
import { isObject, type Json } from '#schemas/types/json.ts';
import type { StepResult } from '#stdlib/files/step-results.ts';

export type { ActionClientFailure, ActionClientKind } from '#stdlib/files/servers/client/client-failure.ts';

/** Rules of a client of an action server. */
export interface ActionClientOptions {
  /** Secret that every request presents. */
  readonly shared_secret?: string | null;
  /** Seconds for a request; 30 by default. */
  readonly timeout?: number;
  /** Refuses hosts that are not this machine; true by default. */
  readonly verify_loopback?: boolean;
}

/** Outcome of one command on a server: `value` where `status` is `ok`, `error` where it is `error`. */
export type RemoteResult<Name extends keyof CommandMap> = Omit<StepResult, 'value'> & {
  readonly value?: CommandMap[Name]['result'];
};

/** A client of an HTTP action server. */
export class HTTPActionClient implements AsyncDisposable {
  /** Address of the server, without slashes at its end. */
  readonly base_url: string;
  readonly #options: ActionClientOptions;
  readonly #session: SessionOptions;

  constructor(base_url: string, options: ActionClientOptions = {}, session: SessionOptions = {}) {
    this.base_url = base_url.replace(/\/+$/, '');
    this.#options = options;
    this.#session = session;
  }

  /**
   * Runs an action list on the server, and yields its decoded answer. Rejects with HTTPActionClientException, an
   * `ActionClientFailure`: its `kind` tells why.
   */
  execute(actions: Json): Promise<unknown> {
    return call('FA_client_execute', { base_url: this.base_url, actions, ...this.#options } as never, this.#session);
  }

  /**
   * Runs one command on the server, with the parameters of its declaration, and yields how it ended. References in
   * texts are filled over there. Rejects as `execute` does.
   */
  async call<Name extends keyof CommandMap>(name: Name, params: CallParameters<Name>): Promise<RemoteResult<Name>> {
    const answer = await this.execute([[name, params]]);
    const [result] = isObject(answer) ? Object.values(answer) : [];
    if (isObject(result) && 'status' in result) return result as unknown as RemoteResult<Name>;
    const { clientFailure } = await import('#stdlib/files/servers/client/client-failure.ts');
    throw clientFailure('invalid_response', { url: this.base_url, reason: 'the answer tells no result' });
  }

  /** Whether the server answers; false for failures of the network. */
  async ping(): Promise<boolean> {
    return await call('FA_client_ping', { base_url: this.base_url, ...this.#options }, this.#session);
  }

  /** Harmless at any time: no connection outlives its request. */
  close(): Promise<void> {
    return Promise.resolve();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
