import type { Mistakes } from '../mistakes.ts';

import type { Family } from './declaration.ts';
import type { Port } from './ports.ts';

/**
 * Finds parameters that choose a provider where there is nothing to choose from, and ports that no parameter chooses
 * for.
 */
export function checkChosen(families: readonly Family[], ports: readonly Port[], mistakes: Mistakes): void {
  const choosing = new Set(ports.flatMap(({ port, choose }) => (Object.keys(choose).length > 0 ? [port] : [])));
  for (const { file, commands } of families) {
    for (const { name, needs, params } of commands) {
      const chosen = new Set(Object.values(params).flatMap(({ chooses }) => chooses ?? []));
      for (const port of chosen) {
        if (!needs.includes(port)) mistakes.add(file, name, `a parameter chooses "${port}", which it does not need`);
        else if (!choosing.has(port))
          mistakes.add(file, name, `a parameter chooses "${port}", which has nothing to choose from`);
      }
      for (const need of needs)
        if (choosing.has(need) && !chosen.has(need))
          mistakes.add(file, name, `needs "${need}", and no parameter says which provider (\`chooses: ${need}\`)`);
    }
  }
}
