import * as d from '#schemas/generated/diagnostics.ts';

import type { MigrationStep } from '../migration-step.ts';

/** Other accepted names of parameters become the declared ones. */
const step: MigrationStep = {
  action({ info, keywords, command, at }, change) {
    if (info === undefined || keywords === undefined) return;
    for (const { name, aliases } of info.params) {
      // Where two names of one parameter are given, neither is clearly meant: the check speaks of it.
      const given = [name, ...(aliases ?? [])].filter((each) => Object.hasOwn(keywords.value, each));
      const [alias, second] = given;
      if (alias === undefined || alias === name || second !== undefined) continue;
      const route = [...keywords.route, alias];
      change({
        subject: `${command} ${alias}`,
        operations: [{ kind: 'rename-key', route, key: name }],
        tell: (count, fix) =>
          d.oldParameterName({
            at: at(route, 'key'),
            alias,
            parameter: name,
            command,
            count: count > 1 ? count : undefined,
            fixes: fix(`rename it to "${name}"`),
          }),
      });
    }
  },
};
export default step;
