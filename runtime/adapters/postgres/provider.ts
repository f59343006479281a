import type { Socket } from 'node:net';

import type { Client } from 'pg';

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

export const provider: Provider<'postgres'> = {
  open: ({ mask, release, port }) => {
    const open = new Set<Connection>();
    release(async () => {
      await Promise.all([...open].map((connection) => connection.close()));
    });
    return {
      connect: async (address, options) => {
        const { place, password } = shown(address);
        if (password !== '') mask(password);
        const connection = new Connection(
          await connected({ address, place, socket: (await port('outbound')).socket() }, options),
          place,
          () => open.delete(connection),
        );
        open.add(connection);
        return connection;
      },
    };
  },
};

async function connected(
  { address, place, socket }: { readonly address: string; readonly place: string; readonly socket: Socket },
  { timeout_ms, signal }: SqlConnectOptions,
): Promise<Client> {
  signal?.throwIfAborted();
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: timeout_ms,
    query_timeout: timeout_ms,
    statement_timeout: timeout_ms,
    keepAlive: true,
    application_name: 'svc',
    stream: () => socket,
  });
  // A server that goes away between two statements shows at the next one.
  client.on('error', () => undefined);
  // The library would wait for its time limit.
  const stop = (): void => void socket.destroy(new Error('the connection was given up'));
  signal?.addEventListener('abort', stop, { once: true });
  try {
    await client.connect();
    signal?.throwIfAborted();
    return client;
  } catch (error) {
    stop();
    signal?.throwIfAborted();
    throw refused(error, place);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

class Connection implements SqlConnection {
  readonly #client: Client;
  readonly #place: string;
  readonly #closed: () => void;
  #closing: Promise<void> | undefined;

  constructor(client: Client, place: string, closed: () => void) {
    this.#client = client;
    this.#place = place;
    this.#closed = closed;
  }

  async query(sql: string, values: readonly SqlValue[] = []): Promise<SqlAnswer> {
    try {
      const { rows, rowCount } = await this.#client.query<Record<string, unknown>>(sql, [...values]);
      return { rows, changes: rowCount ?? 0 };
    } catch (error) {
      throw refused(error, this.#place);
    }
  }

  async table(sql: string, values: readonly SqlValue[], options: SqlTableOptions): Promise<SqlTable> {
    try {
      return await readTable(this.#client, sql, values, options);
    } catch (error) {
      throw error instanceof TooManyRows ? error : refused(error, this.#place);
    }
  }

  close(): Promise<void> {
    this.#closed();
    return (this.#closing ??= this.#client.end().catch(() => undefined));
  }
}

/** A code of five characters is the server's own; anything else is about the way to it. */
function refused(error: unknown, place: string): Failure {
  if (error instanceof Failure) return error;
  const reason = error instanceof Error ? error.message || error.name : String(error);
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const facts = { place, reason, cause: error };
  return /^[0-9A-Z]{5}$/.test(code) && !code.startsWith('57') && !code.startsWith('08')
    ? fail.databaseRefused(facts)
    : fail.databaseOutOfReach(facts);
}

/** An address as people may see it, and the password in it. */
function shown(address: string): { readonly place: string; readonly password: string } {
  const url = URL.parse(address);
  if (!url) throw fail.databaseAddressForm({ form: 'postgresql://user:password@host:port/database' });
  const user = url.username === '' ? '' : `${url.username}${url.password === '' ? '' : ':***'}@`;
  return {
    place: `${url.protocol}//${user}${url.host}${url.pathname}`,
    password: percentDecoded(url.password) || (url.searchParams.get('password') ?? ''),
  };
}
