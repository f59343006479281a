import * as d from '#schemas/generated/diagnostics.ts';
import type { TreeOperation } from '#schemas/types/fix.ts';

import type { MigrationStep } from '../migration-step.ts';

/** Names that commands carry in the public projects become those of the language. */
const step: MigrationStep = {
  action({ name, command, isDeclared, isAlias, nameRoute, namePart, at }, change) {
    if (name === command || isDeclared || isAlias) return;
    const operation: TreeOperation =
      namePart === 'key'
        ? { kind: 'rename-key', route: nameRoute, key: command }
        : { kind: 'replace', route: nameRoute, value: command };
    change({
      subject: name,
      operations: [operation],
      tell: (count, fix) =>
        d.foreignCommandName({
          at: at(nameRoute, namePart),
          foreign: name,
          command,
          count: count > 1 ? count : undefined,
          fixes: fix(`rename it to "${command}"`),
        }),
    });
  },
};
export default step;
