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
    const found = (await dependsOn(ctx.files, path)).map((name) => ({ name, other: meant(name, byName) }));
    const unknown = found.find(({ other }) => other === undefined);
    if (strict && unknown) throw fail.dependencyUnknown({ path, name: unknown.name });
    const known = found.flatMap(({ other }) => (other === undefined || other === path ? [] : [other]));
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

/** The file that a dependency means: `login.v2` has no ending to leave out, `sub/login.v2.json` has one. */
function meant(dependency: string, byName: ReadonlyMap<string, string>): string | undefined {
  const name = basename(dependency);
  return byName.get(name) ?? byName.get(name.replace(/\.(?:json|ya?ml)$/i, ''));
}

function graphOf(graph: Readonly<Record<string, readonly string[]>>): Graph {
  return new Map(Object.entries(graph));
}
