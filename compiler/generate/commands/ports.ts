import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { JsonObject } from '#schemas/types/json.ts';

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
  /** Files of externals that come with the command line, unmodified, by package. */
  readonly shipped: Readonly<Record<string, readonly string[]>>;
  /** Ports of which one does the work, by scheme of an address; `''`: of a path. */
  readonly choose: Readonly<Record<string, string>>;
  /** KiB that it adds to a minified program; 0: not said. */
  readonly kib: number;
  /** Slugs of what it may throw itself: not what ports behind it throw. */
  readonly failures: readonly string[];
  /** Bounds of the configuration that it reads, by name. */
  readonly limits: Readonly<Record<string, LimitSchema>>;
  /** Sections of the configuration that are its own, by name. */
  readonly settings: Readonly<Record<string, JsonObject>>;
}

/** The schema of one bound: a number with a default and words. */
export type LimitSchema = JsonObject & { readonly default: number; readonly description: string };

/** Ports that the kernel and the host give: what `runtime/kernel/ports.ts` declares in `Ports`. */
export function kernelPorts(root: string): readonly string[] {
  const text = readFileSync(join(root, 'runtime/kernel/ports.ts'), 'utf8');
  const body = /^export interface Ports \{\n([\s\S]*?)^\}/m.exec(text)?.[1] ?? '';
  return [...body.matchAll(/^ {2}readonly (\w+):/gm)].map(([, name = '']) => name);
}

/** Every `port.yaml` of the provider folders, in order of port. `slugs`: of all failures that there are. */
export function readPorts(root: string, slugs: ReadonlySet<string>, mistakes: Mistakes): readonly Port[] {
  const files = ['runtime', 'stdlib', 'compiler'].flatMap((folder) =>
    findFiles(root, folder, (name) => name === 'port.yaml'),
  );
  const ports = files.flatMap((file) => {
    const content = readYaml(root, file, mistakes);
    if (content === undefined || !holdsTo(root, 'port.schema.json', content, file, mistakes)) return [];
    const entries = (Array.isArray(content) ? content : [content]) as unknown as readonly (Pick<
      Port,
      'port' | 'module'
    > &
      Partial<Port>)[];
    return entries.map(
      ({
        port,
        module,
        needs = [],
        externals = [],
        shipped = {},
        failures = [],
        choose = {},
        kib = 0,
        limits = {},
        settings = {},
      }) => ({
        port,
        module: `${dirname(file)}/${module.replace(/^\.\//, '')}`,
        needs,
        externals,
        shipped,
        failures,
        choose,
        kib,
        limits,
        settings,
        file,
      }),
    );
  });
  checkPorts(ports, kernelPorts(root), mistakes);
  for (const { port, failures, file } of ports)
    for (const slug of failures)
      if (!slugs.has(slug))
        mistakes.add(file, port, `may throw "${slug}", which is no failure of the message catalogue`);
  return ports.map(({ file: _, ...port }) => port).sort((a, b) => (a.port < b.port ? -1 : 1));
}

function checkPorts(ports: readonly (Port & { file: string })[], given: readonly string[], mistakes: Mistakes): void {
  const known = new Map<string, string>(given.map((name) => [name, 'the kernel']));
  for (const { port, file } of ports) {
    const earlier = known.get(port);
    if (earlier !== undefined) mistakes.add(file, port, `${earlier} gives this port already`);
    known.set(port, file);
  }
  const owners = new Map<string, string>();
  for (const { port, limits, settings, file } of ports) {
    for (const name of [...Object.keys(limits).map((limit) => `limits.${limit}`), ...Object.keys(settings)]) {
      const owner = owners.get(name);
      if (owner !== undefined) mistakes.add(file, port, `${owner} declares "${name}" already`);
      owners.set(name, file);
    }
  }
  for (const { port, needs, file } of ports) {
    for (const need of needs) if (!known.has(need)) mistakes.add(file, port, `needs "${need}", which nothing gives`);
  }
  checkChoices(ports, mistakes);
}

function checkChoices(ports: readonly (Port & { file: string })[], mistakes: Mistakes): void {
  const byName = new Map(ports.map((port) => [port.port, port]));
  for (const { port, needs, choose, file } of ports) {
    for (const name of new Set(Object.values(choose))) {
      const chosen = byName.get(name);
      if (!chosen) mistakes.add(file, port, `chooses "${name}", which no folder provides`);
      else if (chosen.kib === 0) mistakes.add(chosen.file, name, `"kib" is missing: "${port}" may choose it`);
      if (Object.keys(chosen?.choose ?? {}).length > 0)
        mistakes.add(file, port, `chooses "${name}", which chooses itself`);
      if (needs.includes(name)) mistakes.add(file, port, `needs "${name}", which it chooses`);
    }
  }
}
