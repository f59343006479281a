/// <reference lib="esnext.disposable" preserve="true" />
import { callIn, type CallParameters } from '#compiler/engine/call.ts';
import { sessionObservers } from '#compiler/engine/observed.ts';
import { openUnit, type OpenUnit, type SessionOptions } from '#compiler/engine/unit-session.ts';
import { formOf, kindOf } from '#grammar/storage-uri/schemes.ts';
import type { CommandMap } from '#schemas/generated/command-map.ts';
import type { Json } from '#schemas/types/json.ts';

/** Parameters of a command `FA_fs_…` beside those that stand in order, and beside what the filesystem knows. */
type Rest<Name extends keyof CommandMap, Keys extends PropertyKey> = Partial<
  Omit<CallParameters<Name>, Keys | 'url' | 'storage_options'>
>;
type Entries = CommandMap['FA_fs_list_dir']['result'];

/**
 * A filesystem at an address. Paths are relative to the address, with `/`; the empty path is the address itself. Every
 * method calls a command `FA_fs_…`, rejects with its failure (`FilesystemException`), and signs in anew where the
 * filesystem has settings of its own.
 */
export class Filesystem implements AsyncDisposable {
  /** Beginning of the address of every path. */
  readonly address: string;
  readonly #storage: Readonly<Record<string, Json>>;
  readonly #unit: OpenUnit;

  /** @internal */
  constructor(address: string, storage_options: Readonly<Record<string, Json>>, unit: OpenUnit) {
    this.address = address;
    this.#storage = storage_options;
    this.#unit = unit;
  }

  exists(path: string): Promise<boolean> {
    return callIn(this.#unit, 'FA_fs_exists', this.#at(path));
  }

  /** Entries of a folder; `size` is null for folders. */
  list_dir(path = ''): Promise<Entries> {
    return callIn(this.#unit, 'FA_fs_list_dir', this.#at(path));
  }

  /** Sends one file; missing folders over there are made. */
  upload_file(local_path: string, path: string, rest: Rest<'FA_fs_upload_file', 'local_path'> = {}): Promise<null> {
    return this.#done('FA_fs_upload_file', { ...rest, local_path, ...this.#at(path) });
  }

  /** Sends a folder with all that is in it; yields the addresses that were written. */
  async upload_dir(
    dir_path: string,
    path: string,
    rest: Rest<'FA_fs_upload_dir', 'dir_path'> = {},
  ): Promise<CommandMap['FA_fs_upload_dir']['result']> {
    return await callIn(this.#unit, 'FA_fs_upload_dir', { ...rest, dir_path, ...this.#at(path) });
  }

  /** Fetches one file, which appears when all of it has come. */
  download_file(
    path: string,
    target_path: string,
    rest: Rest<'FA_fs_download_file', 'target_path'> = {},
  ): Promise<null> {
    return this.#done('FA_fs_download_file', { ...rest, target_path, ...this.#at(path) });
  }

  /** A folder with content goes only with `recursive`. */
  delete_path(path: string, rest: Rest<'FA_fs_delete_path', never> = {}): Promise<null> {
    return this.#done('FA_fs_delete_path', { ...rest, ...this.#at(path) });
  }

  create_dir(path: string, rest: Rest<'FA_fs_create_dir', never> = {}): Promise<null> {
    return this.#done('FA_fs_create_dir', { ...rest, ...this.#at(path) });
  }

  /** Ends what was opened; what stood in memory is gone. */
  close(): Promise<void> {
    return this.#unit.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #done<Name extends keyof CommandMap>(name: Name, params: CallParameters<Name>): Promise<null> {
    await callIn(this.#unit, name, params);
    return null;
  }

  #at(path: string): { readonly url: string; readonly storage_options: Readonly<Record<string, Json>> } {
    return { url: joined(this.address, path), storage_options: this.#storage };
  }
}

/**
 * The filesystem of an address (`sftp://host/folder`, `memory:/`, a folder of this machine) or of a bare scheme
 * (`memory`, `sftp`, `s3`). `storage_options` are settings of its backend, such as a login. Looks at the address once,
 * so that one that cannot be read, or a server that does not answer, rejects here; of a bare scheme of buckets and of
 * the web there is nothing to look at.
 */
export async function get_fs(
  url_or_protocol: string,
  storage_options: Readonly<Record<string, Json>> = {},
  options: SessionOptions = {},
): Promise<Filesystem> {
  const address = addressOf(url_or_protocol);
  const unit = await openUnit({ ...options, unit: { source: 'library' }, observers: sessionObservers() });
  const filesystem = new Filesystem(address, storage_options, unit);
  try {
    if (!address.endsWith('://')) await filesystem.exists('');
    return filesystem;
  } catch (error) {
    await filesystem.close();
    throw error;
  }
}

/** The address behind a bare scheme: its top, or what a bucket or a host follows. */
function addressOf(given: string): string {
  const scheme = given.replace(/:(?:\/\/)?$/, '');
  switch (formOf(scheme)) {
    case 'container':
    case 'web':
      return `${scheme}://`;
    case 'path':
    case 'server':
      return kindOf(scheme) === 'local' ? `${scheme}:` : `${scheme}:/`;
    case undefined:
      return given;
  }
}

function joined(address: string, path: string): string {
  if (address.endsWith(':')) return `${address}${path || '.'}`;
  if (path === '') return address;
  return `${address}${address.endsWith('/') ? '' : '/'}${path.replace(/^\/+/, '')}`;
}
