import type { Ports, Provider } from '#runtime/kernel/ports.ts';
import type { LoadPlan } from '#schemas/types/load.ts';

import type { LoadPort } from './port.ts';
import { runEngine } from './run-engine.ts';

export const provider: Provider<'load'> = {
  open: async ({ host, port, say }): Promise<LoadPort> => ({
    run: async (plan, options) => {
      const checked = await checkedPlan(plan, await port('outbound'), options.signal);
      return await runEngine(JSON.stringify(checked), { ...options, told: (line) => say('stderr', [line]) }, host);
    },
    merge: async (results) => (await import('./engine/merge.ts')).mergeLoads(results),
  }),
};

/**
 * The plan with addresses, where the host keeps runs out of private networks: every host is looked up and
 * checked here, and the engine connects to the checked addresses.
 */
async function checkedPlan(plan: LoadPlan, outbound: Ports['outbound'], signal: AbortSignal): Promise<LoadPlan> {
  if (!outbound.isStrict) return plan;
  const addresses: Record<string, readonly string[]> = {};
  for (const origin of new Set(plan.tasks.map(({ url }) => new URL(url).origin))) {
    const checked = await outbound.checkUrl(origin, { signal });
    addresses[checked.url.hostname.replace(/^\[|\]$/g, '')] = checked.addresses;
  }
  return { ...plan, addresses };
}
