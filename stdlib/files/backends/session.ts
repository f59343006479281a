import * as fail from '#schemas/generated/failures.ts';
import type { PortContext } from '#runtime/kernel/ports.ts';

import type { Backend, CallOptions } from './backend.ts';

/**
 * Session of a port for one kind of storage: the connections of the unit. `profile` names one of several; the one
 * without a name is meant where it is left out.
 */
export interface StorageSession<Login, Kind extends Backend = Backend> {
  /** Closes the connection before, then opens one, or gets ready to at the first use. */
  connect(login: Login, options: CallOptions, profile?: string | null): Promise<void>;
  /** The open connection. Fails with BackendNotReadyException where there is none. */
  current(options: CallOptions, profile?: string | null): Promise<Kind>;
  /** Names of the connections that are open; null: that without one, which comes first. */
  profiles(): readonly (string | null)[];
  /** One of its own, for whoever asks; to be closed by them. */
  open(login: Login, options: CallOptions): Promise<Kind>;
  /** False where nothing was open. */
  close(profile?: string | null): Promise<boolean>;
}

export interface SessionKind<Login, Kind extends Backend> {
  /** Name as in names of commands: `sftp`. */
  readonly name: string;
  open(login: Login, options: CallOptions): Promise<Kind>;
}

interface Held<Login, Kind> {
  readonly login: Login;
  /** Undefined: made by whoever asks next. */
  opening: Promise<Kind> | undefined;
}

/**
 * Keeps the logins of a unit and the connections that were made with them. Each row of a dataset begins with the logins
 * of the end of the setup, and with connections of its own where a row has changed that.
 */
export function storageSession<Login, Kind extends Backend>(
  context: PortContext,
  kind: SessionKind<Login, Kind>,
): StorageSession<Login, Kind> {
  const all = new Map<string | null, Held<Login, Kind>>();
  const close = async (profile: string | null = null): Promise<boolean> => {
    const held = all.get(profile);
    all.delete(profile);
    await (await held?.opening?.catch(() => undefined))?.close();
    return held !== undefined;
  };
  context.release(async () => void (await Promise.all([...all.keys()].map(close))));
  context.eachRow(() => {
    const kept = new Map(all);
    return async () => {
      for (const [profile, held] of [...all]) if (kept.get(profile) !== held) await close(profile);
      for (const [profile, held] of kept) {
        if (all.has(profile)) continue;
        held.opening = undefined;
        all.set(profile, held);
      }
    };
  });
  return {
    close,
    profiles: () => [...all.keys()].toSorted((one, other) => Number(one !== null) - Number(other !== null)),
    open: (value, options) => kind.open(value, options),
    connect: async (login, options, profile = null) => {
      await close(profile);
      const backend = await kind.open(login, options);
      all.set(profile, { login, opening: Promise.resolve(backend) });
    },
    current: async (options, profile = null) => {
      const held = all.get(profile);
      if (held === undefined) throw notReady(kind.name, profile);
      held.opening ??= kind.open(held.login, options);
      const mine = held.opening;
      try {
        return await mine;
      } catch (error) {
        // The next one tries anew.
        if (held.opening === mine) held.opening = undefined;
        throw error;
      }
    },
  };
}

function notReady(name: string, profile: string | null): Error {
  const backend = profile === null ? name : `${name} with the profile "${profile}"`;
  return fail.storageNotReady({ backend, command: `FA_${name}_later_init` });
}
