import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

import type { Ports, Provider } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Processes } from '#schemas/types/host.ts';
import type { LoadPlan, LoadResult } from '#schemas/types/load.ts';

import type { LoadOptions, LoadPort, LoadRun } from './port.ts';

/** Bytes of a result: endpoints, seconds and buckets of hours. */
const MOST = 64 * 1024 * 1024;
const SHOWN = 2000;

export const provider: Provider<'load'> = {
  open: async ({ host, port }): Promise<LoadPort> => ({
    run: async (plan, options) => {
      const checked = await checkedPlan(plan, await port('outbound'), options.signal);
      return await run(JSON.stringify(checked), options, host.processes);
    },
    merge: async (results) => (await import('./engine/merge.ts')).mergeLoads(results),
  }),
};

/** Where the host keeps runs out of private networks, every host is looked up and checked here, and the engine connects to what was checked. */
async function checkedPlan(plan: LoadPlan, outbound: Ports['outbound'], signal: AbortSignal): Promise<LoadPlan> {
  if (!outbound.isStrict) return plan;
  const addresses: Record<string, readonly string[]> = {};
  for (const origin of new Set(plan.tasks.map(({ url }) => new URL(url).origin))) {
    const checked = await outbound.checkUrl(origin, { signal });
    addresses[checked.url.hostname.replace(/^\[|\]$/g, '')] = checked.addresses;
  }
  return { ...plan, addresses };
}

async function run(input: string, options: LoadOptions, processes: Processes): Promise<LoadRun> {
  const { flags, file } = engine();
  const ended = await processes
    .run(process.execPath, [...flags, file], { input, ...options, limit: MOST })
    .catch((cause: unknown) => {
      options.signal.throwIfAborted();
      throw fail.loadEngineFailed({ reason: cause instanceof Error ? cause.message : String(cause), cause });
    });
  options.signal.throwIfAborted();
  return {
    result: readResult(new TextDecoder().decode(ended.stdout)),
    code: ended.timed_out ? -1 : (ended.code ?? 1),
    output: new TextDecoder().decode(ended.stderr).slice(-SHOWN),
  };
}

/** The engine's module: beside this one in the sources, else that of the installed package. It is never part of a program. */
function engine(): { readonly flags: readonly string[]; readonly file: string } {
  if (import.meta.url.endsWith('/load/provider.ts'))
    return {
      flags: ['--conditions=source', '--disable-warning=ExperimentalWarning'],
      file: fileURLToPath(new URL('./engine/main.ts', import.meta.url)),
    };
  try {
    return { flags: [], file: createRequire(import.meta.url).resolve('svc/load-engine') };
  } catch (cause) {
    throw fail.loadEngineMissing({ cause });
  }
}

function readResult(text: string): LoadResult | undefined {
  try {
    return JSON.parse(text) as LoadResult;
  } catch {
    return undefined;
  }
}
