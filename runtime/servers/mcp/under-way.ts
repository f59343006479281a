import { isObject, type Json, type JsonObject } from '#schemas/types/json.ts';

/** Header that names the session of a client. */
export const SESSION = 'mcp-session-id';

/** The message of JSON-RPC in a body; undefined for a batch, and for what is none. */
export function messageIn(body: Uint8Array): JsonObject | undefined {
  try {
    const value = JSON.parse(new TextDecoder().decode(body)) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Requests under way over HTTP. Ids of requests are a client's own, so what it cancels is found by them and by the
 * session that it was given as it came. Nothing is kept of a session but these.
 */
export class UnderWay {
  readonly #all = new Map<string, AbortController>();

  /** Ends the request that a message cancels; one that is a request can be ended until what this yields is called. */
  take(message: JsonObject | undefined, session: string | undefined, controller: AbortController): () => void {
    if (message === undefined || session === undefined) return () => undefined;
    const { method, id, params } = message;
    if (method === 'notifications/cancelled' && isObject(params))
      this.#all.get(keyOf(session, params['requestId']))?.abort(new Error('the call was cancelled'));
    if (id === undefined) return () => undefined;
    const key = keyOf(session, id);
    this.#all.set(key, controller);
    return () => {
      if (this.#all.get(key) === controller) this.#all.delete(key);
    };
  }
}

/** The ids 1 and "1" are different ones. */
function keyOf(session: string, id: Json | undefined): string {
  return JSON.stringify([session, id ?? null]);
}
