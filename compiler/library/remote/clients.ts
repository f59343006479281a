import type { CallParameters } from '#compiler/engine/call.ts';
import type { SessionOptions } from '#compiler/engine/unit-session.ts';
import type { CommandMap } from '#schemas/generated/command-map.ts';

import { RemoteConnection, type LoginOf } from './connection.ts';

type Sending<Name extends keyof CommandMap> = Omit<CallParameters<Name>, 'local_path' | 'remote_path'>;
type Fetching<Name extends keyof CommandMap> = Omit<CallParameters<Name>, 'remote_path' | 'target_path'>;
type Result<Name extends keyof CommandMap> = Promise<CommandMap[Name]['result']>;

/** A connection whose login is given when it is made: `later_init` connects, and so does the first of its functions. */
abstract class Client<Backend extends 'webdav' | 'smb'> extends RemoteConnection<Backend> {
  readonly #login: LoginOf<Backend>;
  #connecting: Promise<unknown> | undefined;

  constructor(backend: Backend, login: LoginOf<Backend>, session: SessionOptions) {
    super(backend, session);
    this.#login = login;
  }

  override later_init(): Promise<unknown> {
    const connecting = super.later_init(this.#login);
    this.#connecting = connecting;
    connecting.catch(() => {
      // The next one tries anew.
      if (this.#connecting === connecting) this.#connecting = undefined;
    });
    return connecting;
  }

  override close(): Promise<void> {
    this.#connecting = undefined;
    return super.close();
  }

  protected async connected(): Promise<this> {
    await (this.#connecting ?? this.later_init());
    return this;
  }
}

/** A WebDAV connection. Further operations of its commands by `call`. */
export class WebDAVClient extends Client<'webdav'> {
  constructor(base_url: string, options: Omit<LoginOf<'webdav'>, 'base_url'> = {}, session: SessionOptions = {}) {
    super('webdav', { base_url, ...options }, session);
  }

  async exists(remote_path: string): Result<'FA_webdav_exists'> {
    return (await this.connected()).call('exists', { remote_path });
  }

  async upload(
    local_path: string,
    remote_path: string,
    options: Sending<'FA_webdav_upload_file'> = {},
  ): Result<'FA_webdav_upload_file'> {
    return (await this.connected()).call('upload_file', { local_path, remote_path, ...options });
  }

  async download(
    remote_path: string,
    target_path: string,
    options: Fetching<'FA_webdav_download_file'> = {},
  ): Result<'FA_webdav_download_file'> {
    return (await this.connected()).call('download_file', { remote_path, target_path, ...options });
  }

  /** Makes a collection. */
  async mkcol(remote_path: string): Result<'FA_webdav_create_dir'> {
    return (await this.connected()).call('create_dir', { remote_path });
  }

  async delete(remote_path: string): Result<'FA_webdav_delete_path'> {
    return (await this.connected()).call('delete_path', { remote_path });
  }

  /** Entries of a collection, that of the address unless given. */
  async list_dir(remote_path: string = ''): Result<'FA_webdav_list_dir'> {
    return (await this.connected()).call('list_dir', { remote_path });
  }
}

/**
 * An SMB connection to one share of a server. Needs the gate `shell`: a program of the machine speaks for it. Further
 * operations of its commands by `call`.
 */
export class SMBClient extends Client<'smb'> {
  constructor(
    server: string,
    share: string,
    options: Omit<LoginOf<'smb'>, 'server' | 'share'> = {},
    session: SessionOptions = {},
  ) {
    super('smb', { server, share, ...options }, session);
  }

  async exists(remote_path: string): Result<'FA_smb_exists'> {
    return (await this.connected()).call('exists', { remote_path });
  }

  async upload(
    local_path: string,
    remote_path: string,
    options: Sending<'FA_smb_upload_file'> = {},
  ): Result<'FA_smb_upload_file'> {
    return (await this.connected()).call('upload_file', { local_path, remote_path, ...options });
  }

  async download(
    remote_path: string,
    target_path: string,
    options: Fetching<'FA_smb_download_file'> = {},
  ): Result<'FA_smb_download_file'> {
    return (await this.connected()).call('download_file', { remote_path, target_path, ...options });
  }

  async delete(remote_path: string): Result<'FA_smb_delete_path'> {
    return (await this.connected()).call('delete_path', { remote_path });
  }

  async mkdir(remote_path: string): Result<'FA_smb_create_dir'> {
    return (await this.connected()).call('create_dir', { remote_path });
  }

  async rmdir(remote_path: string): Result<'FA_smb_remove_dir'> {
    return (await this.connected()).call('remove_dir', { remote_path });
  }

  /** Entries of a folder, the top of the share unless given. */
  async list_dir(remote_path: string = ''): Result<'FA_smb_list_dir'> {
    return (await this.connected()).call('list_dir', { remote_path });
  }
}
