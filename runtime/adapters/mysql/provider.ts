import type { ConnectionOptions } from 'mysql2';
import type { Connection as Client } from 'mysql2/promise';

import { percentDecoded } from '#grammar/source/percent-decoded.ts';
import type { Provider } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';
import type {
  SqlAnswer,
  SqlConnection,
  SqlConnectOptions,
  SqlTable,
  SqlTableOptions,
  SqlValue,
} from '#schemas/types/sql.ts';

import { TooManyRows } from '#schemas/types/sql.ts';

import { readTable } from './read-table.ts';
import { cutOff, wiredOf } from './wired.ts';

export const provider: Provider<'mysql'> = {
  open: ({ mask, release, port }) => {
    const open = new Set<Connection>();
    release(async () => {
      await Promise.all([...open].map((connection) => connection.close()));
    });
    return {
      connect: async (address, options) => {
        const { place, client } = readAddress(address);
        if (client.password) mask(client.password);
        const outbound = await port('outbound');
        const { host = '', port: number = 3306 } = client;
        // The library's own way is the one it was tested with.
        const way = outbound.isStrict ? { stream: () => outbound.socket().connect(number, host) } : {};
        const connection = new Connection(
          await connected({ ...client, ...way }, place, options),
          { place, timeout: options.timeout_ms },
          () => open.delete(connection),
        );
        open.add(connection);
        return connection;
      },
    };
  },
};

async function connected(
  options: ConnectionOptions,
  place: string,
  { timeout_ms, signal }: SqlConnectOptions,
): Promise<Client> {
  signal?.throwIfAborted();
  const client = (await loaded()).createConnection({
    ...options,
    connectTimeout: timeout_ms,
    timezone: 'Z',
    dateStrings: true,
    supportBigNumbers: true,
    enableKeepAlive: true,
  });
  // A server that goes away between two statements shows at the next one.
  client.on('error', () => undefined);
  // The library would wait for its time limit.
  let stop = (): void => undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      stop = () => reject(signal?.reason);
      client.connect((error) => (error ? reject(error) : resolve()));
      signal?.addEventListener('abort', stop, { once: true });
    });
    await client.promise().query("SET time_zone = '+00:00'");
    return client.promise();
  } catch (error) {
    cutOff(wiredOf(client.promise()));
    signal?.throwIfAborted();
    throw refused(error, place);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** A package of the older kind: in a program what it exports stands under `default` alone. */
async function loaded(): Promise<typeof import('mysql2')> {
  const module: typeof import('mysql2') & { readonly default?: typeof import('mysql2') } = await import('mysql2');
  return module.default ?? module;
}

class Connection implements SqlConnection {
  readonly #client: Client;
  readonly #place: string;
  readonly #timeout: number;
  readonly #closed: () => void;
  #closing: Promise<void> | undefined;
  /** A statement is under way: a polite end would wait for it. */
  #isBusy = false;

  constructor(
    client: Client,
    { place, timeout }: { readonly place: string; readonly timeout: number },
    closed: () => void,
  ) {
    this.#client = client;
    this.#place = place;
    this.#timeout = timeout;
    this.#closed = closed;
  }

  async query(sql: string, values: readonly SqlValue[] = []): Promise<SqlAnswer> {
    try {
      // Prepared, so that no value is ever part of the statement, whatever the server's mode.
      const [answer] = await this.#client.execute({ sql, values: values.map(sendable), timeout: this.#timeout });
      if (Array.isArray(answer)) return { rows: answer as readonly Record<string, unknown>[], changes: 0 };
      return { rows: [], changes: answer.affectedRows };
    } catch (error) {
      throw refused(error, this.#place);
    }
  }

  async table(sql: string, values: readonly SqlValue[], options: SqlTableOptions): Promise<SqlTable> {
    this.#isBusy = true;
    try {
      return await readTable(this.#client, { sql, values: values.map(sendable), timeout: this.#timeout }, options);
    } catch (error) {
      throw error instanceof TooManyRows ? error : refused(error, this.#place);
    } finally {
      this.#isBusy = false;
    }
  }

  close(): Promise<void> {
    this.#closed();
    return (this.#closing ??= this.#isBusy
      ? Promise.resolve(cutOff(wiredOf(this.#client)))
      : this.#client.end().catch(() => cutOff(wiredOf(this.#client))));
  }
}

function sendable(value: SqlValue): string | number | boolean | Buffer | null {
  if (typeof value === 'bigint') return value.toString();
  return value instanceof Uint8Array ? Buffer.from(value) : value;
}

/** Errors with an SQL state are the server's own; others are about the way to it. */
function refused(error: unknown, place: string): Failure {
  if (error instanceof Failure) return error;
  const reason = error instanceof Error ? error.message || error.name : String(error);
  const facts = { place, reason, cause: error };
  const state =
    error instanceof Error && 'sqlState' in error && typeof error.sqlState === 'string' ? error.sqlState : '';
  return state === '' || state.startsWith('08') ? fail.databaseOutOfReach(facts) : fail.databaseRefused(facts);
}

function readAddress(address: string): { readonly place: string; readonly client: ConnectionOptions } {
  const url = URL.parse(address);
  if (!url || url.hostname === '')
    throw fail.databaseAddressForm({ form: 'mariadb://user:password@host:port/database' });
  const user = percentDecoded(url.username);
  const password = percentDecoded(url.password);
  const hidden = user === '' ? '' : `${url.username}${password === '' ? '' : ':***'}@`;
  return {
    place: `${url.protocol}//${hidden}${url.host}${url.pathname}`,
    client: {
      host: percentDecoded(url.hostname).replace(/^\[(.*)\]$/, '$1'),
      port: url.port === '' ? 3306 : Number(url.port),
      user,
      password,
      database: percentDecoded(url.pathname.slice(1)),
      ...(url.searchParams.get('ssl') === 'true' && { ssl: {} }),
    },
  };
}
