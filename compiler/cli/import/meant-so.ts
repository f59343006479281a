import { lint } from '#compiler/api.ts';

import type { Workspace } from '../workspace.ts';

/**
 * Strict lint rules that a file breaks because the imported requests do, by the index of the step: an author meant them
 * so. Environment keys that are not set yet are none of them.
 */
export async function meantSo(
  path: string,
  text: string,
  { compileOptions, host }: Workspace,
): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  const source = { path, content: new TextEncoder().encode(text) };
  const { diagnostics } = await lint([source], { ...compileOptions, lint: { preset: 'strict' } }, host);
  const found = new Map<number, Set<string>>();
  for (const { severity, code, slug, primary } of diagnostics) {
    const [key, index] = primary.route;
    if (severity === 'error' || !code.startsWith('SVC3') || key !== 'actions' || typeof index !== 'number') continue;
    const rules = found.get(index) ?? new Set();
    found.set(index, rules.add(slug));
  }
  return found;
}
