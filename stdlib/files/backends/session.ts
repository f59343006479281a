import * as fail from '#schemas/generated/failures.ts';
import type { PortContext } from '#runtime/kernel/ports.ts';

import type { Backend, CallOptions } from './backend.ts';

/** Session of a port for one kind of storage: the one connection of the unit. */
export interface StorageSession<Login, Kind extends Backend = Backend> {
  /** Closes the connection before, then opens one, or gets ready to at the first use. */
  connect(login: Login, options: CallOptions): Promise<void>;
  /** The open connection. Fails with BackendNotReadyException where there is none. */
  current(options: CallOptions): Promise<Kind>;
  /** One of its own, for whoever asks; to be closed by them. */
  open(login: Login, options: CallOptions): Promise<Kind>;
  /** False where nothing was open. */
  close(): Promise<boolean>;
}

export interface SessionKind<Login, Kind extends Backend> {
  /** Name as in names of commands: `sftp`. */
  readonly name: string;
  open(login: Login, options: CallOptions): Promise<Kind>;
}

/**
 * Keeps the login of a unit and the connection that was made with it. Each row of a dataset begins with the login of
 * the end of the setup, and with a connection of its own where a row has changed that.
 */
export function storageSession<Login, Kind extends Backend>(
  context: PortContext,
  kind: SessionKind<Login, Kind>,
): StorageSession<Login, Kind> {
  let login: { readonly value: Login } | undefined;
  let opening: Promise<Kind> | undefined;
  const close = async (): Promise<boolean> => {
    const open = opening;
    opening = undefined;
    const wasThere = login !== undefined;
    login = undefined;
    await (await open?.catch(() => undefined))?.close();
    return wasThere;
  };
  context.release(async () => void (await close()));
  context.eachRow(() => {
    const kept = login;
    return async () => {
      if (login === kept) return;
      await close();
      login = kept;
    };
  });
  return {
    close,
    open: (value, options) => kind.open(value, options),
    connect: async (value, options) => {
      await close();
      const backend = await kind.open(value, options);
      login = { value };
      opening = Promise.resolve(backend);
    },
    current: async (options) => {
      if (login === undefined)
        throw fail.storageNotReady({ backend: kind.name, command: `FA_${kind.name}_later_init` });
      const { value } = login;
      opening ??= kind.open(value, options);
      const mine = opening;
      try {
        return await mine;
      } catch (error) {
        // The next one tries anew.
        if (opening === mine) opening = undefined;
        throw error;
      }
    },
  };
}
