import type { Base } from '#runtime/kernel/ports.ts';

/** The debugging protocol of the current page, as both engines carry it. Fails where the browser does not speak it. */
export interface Protocol {
  protocol(scope: Pick<Base, 'signal'>, method: string, params: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/** Requests of the page go past service workers, or through them again. */
export async function bypassWorkers(page: Protocol, scope: Pick<Base, 'signal'>, bypass: boolean): Promise<void> {
  // Without the domain the browser takes the setting and ignores it.
  await page.protocol(scope, 'Network.enable', {});
  await page.protocol(scope, 'Network.setBypassServiceWorker', { bypass });
}
