import { resolve } from 'node:path';

import { provider as cookies } from '#runtime/adapters/cookies/provider.ts';
import { provider as http } from '#runtime/adapters/http/provider.ts';
import type { HttpPort } from '#runtime/adapters/http/port.ts';
import { provider as outbound } from '#runtime/adapters/outbound/provider.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import type { Host } from '#schemas/types/host.ts';
import type { PortContext, PortName, Ports, Settings } from '#runtime/kernel/ports.ts';

/** An HTTP client as a unit gets it, without a kernel around it. */
export interface OpenClient extends AsyncDisposable {
  readonly http: HttpPort;
  readonly masked: readonly string[];
}

export async function openClient(
  options: {
    readonly limits?: Settings['limits'];
    readonly env?: Record<string, string>;
    readonly lookup?: Host['lookup'];
    readonly private?: boolean;
  } = {},
): Promise<OpenClient> {
  const closing: (() => void | Promise<void>)[] = [];
  const masked: string[] = [];
  const host = { ...nodeHost(), env: options.env ?? {}, ...(options.lookup ? { lookup: options.lookup } : {}) };
  const cwd = resolve('.');
  const context: PortContext = {
    host,
    folders: { cwd, root: cwd, here: cwd },
    settings: { gates: {}, ...(options.limits ? { limits: options.limits } : {}) },
    release: (close) => {
      closing.unshift(close);
    },
    mask: (secret) => {
      masked.push(secret);
    },
    masked: (value) => value,
    isOpen: () => options.private ?? true,
    isDenied: () => false,
    keep: () => {},
    observe: () => () => {},
    hookSteps: () => {},
    showNow: () => Promise.resolve([]),
    eachRow: () => {},
    notice: () => {},
    say: () => {},
    ofRun: (_key, make) => make(),
    port: async <Name extends PortName>(name: Name): Promise<Ports[Name]> => {
      if (name === 'cookies') return (await cookies.open(context)) as Ports[Name];
      if (name === 'outbound') return (await outbound.open(context)) as Ports[Name];
      throw new Error(`no port ${name}`);
    },
  };
  return {
    http: await http.open(context),
    masked,
    [Symbol.asyncDispose]: async () => {
      for (const close of closing) await close();
    },
  };
}
