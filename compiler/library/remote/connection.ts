/// <reference lib="esnext.disposable" preserve="true" />
import { callIn, type CallParameters } from '#compiler/engine/call.ts';
import { sessionObservers } from '#compiler/engine/observed.ts';
import { openUnit, type OpenUnit, type SessionOptions } from '#compiler/engine/unit-session.ts';
import type { CommandMap } from '#schemas/generated/command-map.ts';
import * as fail from '#schemas/generated/failures.ts';

/** Storage of other places, as its commands call it. */
export type RemoteBackend =
  | 'objstore'
  | 'blobstore'
  | 'filesync'
  | 'sftp'
  | 'ftp'
  | 'webdav'
  | 'smb'
  | 'drive'
  | 'drive2'
  | 'drive3';

/** Operations of a backend: its commands without `FA_<backend>_`. */
export type RemoteOperation<Backend extends RemoteBackend> = {
  [Name in keyof CommandMap]: Name extends `FA_${Backend}_${infer Operation}` ? Operation : never;
}[keyof CommandMap];

type Command<Backend extends RemoteBackend, Operation extends string> = `FA_${Backend}_${Operation}` & keyof CommandMap;

/**
 * The same function without the types of 700 commands, which are too many to tell apart where a name is put together.
 */
const anyCall = callIn as unknown as (unit: OpenUnit, name: string, params: object) => Promise<unknown>;

/** Operations after which there is a connection. */
const CONNECTS: ReadonlySet<string> = new Set(['later_init', 'device_code_login']);

/**
 * One connection to storage of another place. It is made by `later_init`, all operations go over it, and `close` ends
 * it.
 */
export class RemoteConnection<Backend extends RemoteBackend> implements AsyncDisposable {
  readonly backend: Backend;
  readonly #options: SessionOptions;
  #unit: Promise<OpenUnit> | undefined;
  #isConnected = false;

  constructor(backend: Backend, options: SessionOptions = {}) {
    this.backend = backend;
    this.#options = options;
  }

  /** Calls the command `FA_<backend>_<operation>`. Rejects with its failure. */
  call<Operation extends RemoteOperation<Backend>>(
    operation: Operation,
    params: CallParameters<Command<Backend, Operation>>,
  ): Promise<CommandMap[Command<Backend, Operation>]['result']> {
    return this.#called(operation, params) as never;
  }

  /** The connection itself. Throws `BackendNotReadyException` where `later_init` has not succeeded yet. */
  require(): this {
    const { backend } = this;
    if (!this.#isConnected) throw fail.storageNotReady({ backend, command: `FA_${backend}_later_init` });
    return this;
  }

  /** Connects. */
  later_init(params: LoginOf<Backend>): Promise<unknown> {
    return this.#called('later_init', params);
  }

  async #called(operation: string, params: object): Promise<unknown> {
    this.#unit ??= openUnit({ ...this.#options, unit: { source: 'library' }, observers: sessionObservers() });
    const result = await anyCall(await this.#unit, `FA_${this.backend}_${operation}`, params);
    if (CONNECTS.has(operation)) this.#isConnected = true;
    else if (operation === 'close') this.#isConnected = false;
    return result;
  }

  /** Ends the connection, and lets go of all that was opened. The next operation needs a new one. */
  async close(): Promise<void> {
    const unit = await this.#unit;
    this.#unit = undefined;
    this.#isConnected = false;
    await unit?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Parameters of `FA_<backend>_later_init`. */
export type LoginOf<Backend extends RemoteBackend> = CallParameters<Command<Backend, 'later_init'>>;

/** Connections that a whole program shares, one for each backend. */
export const objstore_instance: RemoteConnection<'objstore'> = new RemoteConnection('objstore');
export const blobstore_instance: RemoteConnection<'blobstore'> = new RemoteConnection('blobstore');
export const filesync_instance: RemoteConnection<'filesync'> = new RemoteConnection('filesync');
export const sftp_instance: RemoteConnection<'sftp'> = new RemoteConnection('sftp');
export const ftp_instance: RemoteConnection<'ftp'> = new RemoteConnection('ftp');
export const drive_instance: RemoteConnection<'drive'> = new RemoteConnection('drive');
export const drive2_instance: RemoteConnection<'drive2'> = new RemoteConnection('drive2');
export const drive3_instance: RemoteConnection<'drive3'> = new RemoteConnection('drive3');
