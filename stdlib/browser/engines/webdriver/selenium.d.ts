/** The part of the package that its type package does not describe. */
declare module 'selenium-webdriver/lib/http.js' {
  import type { Command } from 'selenium-webdriver/lib/command.js';

  export interface Request {
    readonly method: string;
    readonly path: string;
    readonly data?: unknown;
    readonly headers: ReadonlyMap<string, string>;
  }
  export class Response {
    constructor(status: number, headers: Readonly<Record<string, string>>, body: string);
  }
  export interface Client {
    send(request: Request): Promise<Response>;
  }
  export class Executor {
    constructor(client: Client);
    defineCommand(name: string, method: string, path: string): void;
    execute(command: Command): Promise<unknown>;
  }
}
