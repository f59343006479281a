import { basename, extname } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';
import { command } from '#stdlib/command.ts';

import { readMeta } from '../action-file.ts';

import { dependentsOf, inOrder, type Graph } from './order.ts';

export const WR_skip_dependents_of_failed = command('WR_skip_dependents_of_failed', ({ graph, failed }) =>
  dependentsOf(graphOf(graph), failed),
);

export const WR_topological_order = command('WR_topological_order', ({ graph }) => inOrder(graphOf(graph)));

export const WR_read_depends_on = command('WR_read_depends_on', ({ path }, ctx) => dependsOn(ctx.files, path));

export const WR_build_dependency_graph = command('WR_build_dependency_graph', async ({ paths, strict }, ctx) => {
  const byName = new Map<string, string>();
  for (const path of new Set(paths)) {
    const other = byName.get(nameOf(path));
    if (other !== undefined) throw fail.fileNameShared({ path, other, name: nameOf(path) });
    byName.set(nameOf(path), path);
  }
  const graph = new Map<string, string[]>();
  for (const path of byName.values()) {
    const names = (await dependsOn(ctx.files, path)).map(nameOf);
    const unknown = names.find((name) => !byName.has(name));
    if (strict && unknown !== undefined) throw fail.dependencyUnknown({ path, name: unknown });
    const known = names.flatMap((name) => byName.get(name) ?? []).filter((other) => other !== path);
    graph.set(path, [...new Set(known)]);
  }
  return Object.fromEntries(graph);
});

/** Names of other files, as `meta.depends_on` lists them. */
async function dependsOn(files: Files, path: string): Promise<string[]> {
  const { depends_on: names } = await readMeta(files, path);
  if (names === undefined) return [];
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) throw fail.dependsOnUnfit({ path });
  return names;
}

/** Name that dependencies go by: without folder and last ending. */
function nameOf(path: string): string {
  return basename(path, extname(path));
}

function graphOf(graph: Readonly<Record<string, readonly string[]>>): Graph {
  return new Map(Object.entries(graph));
}
