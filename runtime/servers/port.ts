import type { JsonObject } from '#schemas/types/json.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly actionServer: ActionServers;
  }
}

export type ServerKind = 'tcp' | 'http' | 'metrics' | 'dashboard';

/** The servers that a unit has started: they live until they are stopped, at the latest to the end of the unit. */
export interface ActionServers {
  start(kind: ServerKind, options: StartOptions): Promise<StartedServer>;
  /** Stops the servers of a kind, all or the one at a port; yields how many. */
  stop(kind: ServerKind, port: number | null): Promise<number>;
  /** Servers in the order in which they were started. */
  list(): readonly ListedServer[];
  /** Commands as tools of an MCP host, by name: all that do not start programs or servers, or those that are named. */
  tools(allowed: readonly string[] | null): Promise<readonly Tool[]>;
}

export interface StartOptions {
  readonly host: string;
  readonly port: number;
  readonly allow_non_loopback: boolean;
  readonly shared_secret?: string | null;
  readonly allowed_actions?: readonly string[] | null;
  readonly denied_actions?: readonly string[];
  /** Callers reach files outside of the project too. */
  readonly allow_outside?: boolean;
  /** Callers read the environment of this process, and secret files. */
  readonly allow_environment?: boolean;
}

export interface StartedServer {
  /** The kind of server in words. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly auth: boolean;
}

export interface ListedServer {
  readonly kind: ServerKind;
  readonly host: string;
  readonly port: number;
  readonly auth: boolean;
  /** ISO 8601, UTC. */
  readonly started_at: string;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}
