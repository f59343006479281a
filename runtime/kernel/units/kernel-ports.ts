import * as fail from '#schemas/generated/failures.ts';
import type { Host } from '#schemas/types/host.ts';

import type { UnitView } from '../contract.ts';
import type { Digests, PortName } from '../ports.ts';

/** The ports that the kernel and the host give to every unit; undefined for those of providers. */
export function kernelPort(name: PortName, unit: UnitView): unknown {
  const { host } = unit.run;
  switch (name) {
    case 'files':
    case 'clock':
    case 'random':
    case 'processes':
      return host[name];
    case 'digests':
      return import.meta.withoutDigests ? undefined : makeDigests(host);
    case 'regex':
      return unit.run.values.regex(host);
    case 'environment':
      return unit.environment;
    case 'records':
      return { all: () => unit.run.kept ?? [] };
    case 'gates':
      return unit.guard;
    default:
      return undefined;
  }
}

function makeDigests(host: Host): Digests {
  return {
    open: (algorithm, length) => {
      const digest = host.digest(algorithm, length);
      if (!digest) throw fail.digestUnknown({ name: algorithm, names: host.digests.join(', ') });
      return digest;
    },
    get names() {
      return host.digests;
    },
  };
}
