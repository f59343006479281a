import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';

import type { Client, Request } from 'selenium-webdriver/lib/http.js';
import { Response } from 'selenium-webdriver/lib/http.js';

import { browserNotAnswering } from '#schemas/generated/failures.ts';

/** An answer of a driver is JSON: a picture of a large window is a few megabytes of it. */
const answerLimit = 256 * 1024 * 1024;

/**
 * Carries WebDriver commands over HTTP. Unlike the library's own client it never waits for ever: a driver that dies in
 * the middle of an answer, or gives none within `limitMs`, is an error.
 */
export class DriverClient implements Client {
  readonly #address: URL;
  readonly #agent: HttpAgent | HttpsAgent;
  readonly #authorization: string | undefined;
  readonly #limitMs: () => number;

  constructor(address: string, limitMs: () => number, lookup?: LookupFunction) {
    this.#address = new URL(address);
    const options = { keepAlive: true, ...(lookup && { lookup }) };
    this.#agent = this.#address.protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options);
    this.#authorization = authorizationOf(this.#address);
    this.#limitMs = limitMs;
  }

  async send(request: Request): Promise<Response> {
    const body = request.method === 'POST' ? JSON.stringify(request.data ?? {}) : undefined;
    const base = this.#address.pathname.replace(/\/$/, '');
    const answer = await this.#exchange(new URL(base + request.path, this.#address.origin), request, body);
    return new Response(answer.status, answer.headers, answer.body);
  }

  /** Ends what is still under way. */
  close(): void {
    this.#agent.destroy();
  }

  #exchange(url: URL, { method, headers }: Request, body: string | undefined): Promise<Answer> {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const limit = this.#limitMs();
    return new Promise((resolve, reject) => {
      const outgoing = send(
        url,
        {
          method,
          agent: this.#agent,
          headers: {
            ...Object.fromEntries(headers),
            ...(this.#authorization === undefined ? {} : { authorization: this.#authorization }),
            ...(body === undefined
              ? {}
              : { 'content-type': 'application/json;charset=UTF-8', 'content-length': Buffer.byteLength(body) }),
          },
        },
        (incoming) => {
          void readAnswer(incoming)
            .then(resolve, reject)
            .finally(() => clearTimeout(timer));
        },
      );
      const timer = setTimeout(() => {
        reject(browserNotAnswering({ seconds: Math.round(limit / 1000) }));
        outgoing.destroy();
      }, limit);
      outgoing.on('error', (error) => {
        clearTimeout(timer);
        reject(error);
      });
      outgoing.end(body);
    });
  }
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

async function readAnswer(incoming: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > answerLimit) throw new Error(`the driver answered with more than ${answerLimit} bytes`);
    chunks.push(chunk);
  }
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers))
    headers[name] = Array.isArray(value) ? value.join(', ') : (value ?? '');
  return { status: incoming.statusCode ?? 0, headers, body: Buffer.concat(chunks).toString('utf8') };
}

/** User and key in the address of a hub are sent as basic authentication. */
function authorizationOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  return `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`;
}
