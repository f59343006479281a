import { dirname } from 'node:path';

import { isObject } from '#schemas/types/json.ts';

import { findFiles } from '../find-files.ts';
import { holdsTo } from '../meta-schema.ts';
import type { Mistakes } from '../mistakes.ts';
import { readYaml } from '../read-yaml.ts';

/** A port that a provider folder adds (`port.yaml`). */
export interface Port {
  readonly port: string;
  /** File from the root that exports `provider`. */
  readonly module: string;
  readonly needs: readonly string[];
  readonly externals: readonly string[];
}

/** The kernel and the host give these; `runtime/kernel/ports.ts` declares them. */
export const kernelPorts = ['files', 'clock', 'random', 'processes', 'digests', 'regex', 'variables', 'environment', 'records', 'executor', 'references', 'gates'] as const;

/** Every `port.yaml` of the provider folders, in order of port. */
export function readPorts(root: string, mistakes: Mistakes): readonly Port[] {
  const files = ['runtime', 'stdlib', 'compiler'].flatMap((folder) => findFiles(root, folder, (name) => name === 'port.yaml'));
  const ports = files.flatMap((file) => {
    const content = readYaml(root, file, mistakes);
    if (content === undefined || !holdsTo(root, 'port.schema.json', content, file, mistakes)) return [];
    return (Array.isArray(content) ? content : [content]).filter(isObject).map((entry) => ({
      port: String(entry['port']),
      module: `${dirname(file)}/${String(entry['module']).replace(/^\.\//, '')}`,
      needs: (entry['needs'] ?? []) as readonly string[],
      externals: (entry['externals'] ?? []) as readonly string[],
      file,
    }));
  });
  checkPorts(ports, mistakes);
  return ports.map(({ file: _, ...port }) => port).sort((a, b) => (a.port < b.port ? -1 : 1));
}

function checkPorts(ports: readonly (Port & { file: string })[], mistakes: Mistakes): void {
  const known = new Map<string, string>(kernelPorts.map((name) => [name, 'the kernel']));
  for (const { port, file } of ports) {
    const earlier = known.get(port);
    if (earlier !== undefined) mistakes.add(file, port, `${earlier} gives this port already`);
    known.set(port, file);
  }
  for (const { port, needs, file } of ports) {
    for (const need of needs) if (!known.has(need)) mistakes.add(file, port, `needs "${need}", which nothing gives`);
  }
}
