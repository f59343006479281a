import type { Connection } from 'mysql2/promise';

/** The library's connection, with the parts that its types leave out. */
export interface Wired {
  readonly stream: { destroy(): unknown };
  execute(options: object): {
    readonly queryTimeout: NodeJS.Timeout | null;
    on(event: string, listener: (value: never) => void): unknown;
  };
  once(event: 'error', listener: (error: Error) => void): unknown;
}

/** The connection under the one of promises: only its queries tell rows one by one. */
export function wiredOf(client: Connection): Wired {
  return (client as unknown as { readonly connection: Wired }).connection;
}

/**
 * Ends a connection at once, with an error for the statement under way. The library's own `destroy` says that no more
 * is sent and waits for the server, which may be busy with a statement for as long as that takes.
 */
export function cutOff({ stream }: Pick<Wired, 'stream'>): void {
  stream.destroy();
}
