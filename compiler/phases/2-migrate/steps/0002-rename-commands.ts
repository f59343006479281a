import * as d from '#schemas/generated/diagnostics.ts';
import type { TreeOperation } from '#schemas/types/fix.ts';

import type { MigrationStep } from '../migration-step.ts';

/** Old spellings of commands become their current names. */
const step: MigrationStep = {
  action({ name, command, isDeclared, nameRoute, namePart, at }, change) {
    if (name === command || !isDeclared) return;
    const operation: TreeOperation =
      namePart === 'key'
        ? { kind: 'rename-key', route: nameRoute, key: command }
        : { kind: 'replace', route: nameRoute, value: command };
    change({
      subject: name,
      operations: [operation],
      tell: (count, fix) =>
        d.oldCommandName({
          at: at(nameRoute, namePart),
          old: name,
          command,
          count: count > 1 ? count : undefined,
          fixes: fix(`rename it to "${command}"`),
        }),
    });
  },
};
export default step;
