import { dirname, resolve } from 'node:path';

import type { PortContext } from '#runtime/kernel/ports.ts';
import { LEASES } from '#schemas/generated/choices.ts';
import * as fail from '#schemas/generated/failures.ts';
import { chosenBy, schemeOf } from '#schemas/types/scheme.ts';
import type { SqlConnectOptions } from '#schemas/types/sql.ts';

import type { ProcessIdentity } from '../file-locks/process-identity.ts';
import { mariadb, postgres } from './dialects.ts';
import { ServerStore } from './server-store.ts';
import { SqliteStore } from './sqlite-store.ts';
import type { LeaseStore } from './store.ts';

/** Time limit (ms) for connecting to a server, and for each statement there. */
const SERVER_MS = 10_000;

export interface OpenOptions {
  readonly own: ProcessIdentity;
  readonly signal: AbortSignal;
  /** False: where nothing is there, nothing is made. */
  readonly create: boolean;
}

/** Opens what a place names; undefined where there is nothing and nothing is to be made. */
export async function openStore(
  context: Pick<PortContext, 'host' | 'folders' | 'port'>,
  place: string,
  options: OpenOptions,
): Promise<LeaseStore | undefined> {
  const chosen = chosenBy(LEASES, place);
  switch (chosen) {
    case 'sqlite':
      return openFile(context, resolve(context.folders.cwd, place), options);
    case 'postgres': {
      const port = await context.port(chosen);
      return new ServerStore({
        dialect: postgres,
        claimValues: (name, { owner, ttl, process }) => [name, owner, ttl, JSON.stringify(process)],
        connect: () => port.connect(place, connecting(options)),
      });
    }
    case 'mysql': {
      const port = await context.port(chosen);
      return new ServerStore({
        dialect: mariadb,
        claimValues: (name, { owner, ttl, process }) => [owner, ttl, JSON.stringify(process), name],
        connect: () => port.connect(place, connecting(options)),
      });
    }
    case undefined:
      throw fail.lockPlaceUnknown({ place: `${schemeOf(place)}://…` });
    default:
      return chosen satisfies never;
  }
}

/**
 * Options of a connection; without the signal once that is aborted, since a cancelled step still has to give
 * back its leases.
 */
function connecting({ signal }: OpenOptions): SqlConnectOptions {
  return { timeout_ms: SERVER_MS, ...(!signal.aborted && { signal }) };
}

/** Key by which places are told apart. */
export function placeKey(cwd: string, place: string): string {
  return schemeOf(place) === '' ? resolve(cwd, place) : place;
}

async function openFile(
  { host, port }: Pick<PortContext, 'host' | 'port'>,
  path: string,
  { own, create }: OpenOptions,
): Promise<LeaseStore | undefined> {
  if (create) await host.files.makeDirectory(dirname(path), { recursive: true });
  else if (!(await host.files.find(path))) return undefined;
  return SqliteStore.open(await port('sqlite'), { path, clock: host.clock, own }, { create });
}
