import type { MigrationStep } from '../migration-step.ts';

/** Other names of commands that are as good as their own stay in the file; the phases behind see the command's own. */
const step: MigrationStep = {
  action({ command, isAlias, name, nameRoute, namePart }, change) {
    if (!isAlias) return;
    change({
      subject: name,
      operations: [
        namePart === 'key'
          ? { kind: 'rename-key', route: nameRoute, key: command }
          : { kind: 'replace', route: nameRoute, value: command },
      ],
    });
  },
};
export default step;
