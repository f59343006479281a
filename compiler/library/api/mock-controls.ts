import type { Json } from '#schemas/types/json.ts';
import type { Faults, ReceivedRequest } from '#stdlib/api/mock/http/port.ts';

import type { HttpMockServer } from './mocks.ts';

/**
 * Sets delay and failures of an HTTP mock; what is not given stays. Rejects with RangeError for a share of failures
 * that is none.
 */
export async function fault_injector_configure(mock: HttpMockServer, faults: Partial<Faults>): Promise<void> {
  (await mock.controls()).configureFaults(faults);
}

/** A value of the state that all handlers of an HTTP mock share; `default` where it has none. */
export async function mock_state_get(
  mock: HttpMockServer,
  key: string,
  { default: fallback = null }: { readonly default?: Json } = {},
): Promise<Json> {
  return (await mock.controls()).state.get(key, fallback);
}

/** Puts a value into that state. */
export async function mock_state_set(mock: HttpMockServer, key: string, value: Json): Promise<void> {
  (await mock.controls()).state.set(key, value);
}

/** Removes a value of that state; one that is not there is no error. */
export async function mock_state_delete(mock: HttpMockServer, key: string): Promise<void> {
  (await mock.controls()).state.delete(key);
}

/** Empties that state. */
export async function mock_state_clear(mock: HttpMockServer): Promise<void> {
  (await mock.controls()).state.clear();
}

/** A copy of that state. */
export async function mock_state_snapshot(mock: HttpMockServer): Promise<Readonly<Record<string, Json>>> {
  return (await mock.controls()).state.snapshot();
}

/** Webhooks that an HTTP mock received, oldest first: the newest 100. */
export async function webhook_all(mock: HttpMockServer): Promise<readonly ReceivedRequest[]> {
  return (await mock.controls()).webhooks.all();
}

/** The newest webhook, which stays in the list; null: none came. */
export async function webhook_latest(mock: HttpMockServer): Promise<ReceivedRequest | null> {
  return (await mock.controls()).webhooks.latest();
}

/** Forgets the webhooks of all routes. */
export async function webhook_clear(mock: HttpMockServer): Promise<void> {
  (await mock.controls()).webhooks.clear();
}
