import type { WayOut } from '../browsers/only-way-out.ts';

/**
 * Opens a page. Where that fails because the proxy refused a connection, the proxy says why: a browser only says that
 * it failed.
 */
export async function saidByProxy(proxy: WayOut | undefined, open: () => Promise<void>): Promise<void> {
  proxy?.takeRefusal();
  try {
    await open();
  } catch (error) {
    throw proxy?.takeRefusal() ?? error;
  }
}
