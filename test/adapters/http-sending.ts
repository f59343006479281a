import type { HttpAnswer, HttpRequest } from '#runtime/adapters/http/port.ts';
import { Failure } from '#schemas/types/failure.ts';

import type { OpenClient } from './port-context.ts';

export type Sent = Partial<Omit<HttpRequest, 'url'>>;

/** Sends a request, a GET that has five seconds where nothing else is said. */
export async function send(client: OpenClient, url: string, request: Sent = {}): Promise<HttpAnswer> {
  return await client.http.send({
    method: 'GET',
    headers: {},
    timeout_ms: 5000,
    signal: new AbortController().signal,
    ...request,
    url: new URL(url),
  });
}

/** The failure that sending ends with. */
export async function failure(sending: Promise<unknown>): Promise<Failure> {
  const error: unknown = await sending.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Failure)) throw new Error(`expected a Failure, not ${String(error)}`, { cause: error });
  return error;
}

/** Body of an answer, as text. */
export function text(answer: HttpAnswer): string {
  return new TextDecoder().decode(answer.body);
}
