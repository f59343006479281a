import { sessionFactsDiffer } from '#schemas/generated/failures.ts';

import type { Scope, WebDriverSession } from '../../engines/webdriver/port.ts';
import { compareFacts, doubtIn } from '../compare-facts.ts';

type Read = (session: WebDriverSession, scope: Scope) => Promise<unknown>;

/** A method that the type package of the library lacks. */
interface WithAuthenticator {
  virtualAuthenticatorId(): string | null;
}

/** Facts that can be asked of a session; the declaration lets no other names through. */
const facts: Readonly<Record<string, Read>> = {
  name: (session) => Promise.resolve(session.browser),
  title: (session, scope) => session.run(scope, (driver) => driver.getTitle()),
  current_url: (session, scope) => session.run(scope, (driver) => driver.getCurrentUrl()),
  page_source: (session, scope) => session.run(scope, (driver) => driver.getPageSource()),
  current_window_handle: (session, scope) => session.run(scope, (driver) => driver.getWindowHandle()),
  window_handles: (session, scope) => session.run(scope, (driver) => driver.getAllWindowHandles()),
  capabilities: (session) => Promise.resolve(session.capabilities),
  timeouts: (session) => Promise.resolve(session.timeouts),
  virtual_authenticator_id: (session, scope) =>
    session.run(scope, (driver) => Promise.resolve((driver as unknown as WithAuthenticator).virtualAuthenticatorId())),
};

/** Facts that no page changes. */
const fixed: ReadonlySet<string> = new Set(['name', 'capabilities', 'timeouts', 'virtual_authenticator_id']);

/** Waits until all facts are as expected, else fails with every one that is not. */
export async function checkSession(
  session: WebDriverSession,
  scope: Scope,
  expected: Readonly<Record<string, unknown>>,
): Promise<void> {
  const settled = await session.settled(scope, async () =>
    doubtIn(await compareFacts(expected, async (name) => facts[name]?.(session, scope)), fixed),
  );
  if (settled) throw sessionFactsDiffer({ seconds: settled.seconds, ...settled.wrong });
}
