import { findFiles } from '../find-files.ts';
import { functionName } from '../messages/constructors.ts';

import type { Scaffold } from './scaffold.ts';
import { nextCode, readIfThere, WrongUse } from './scaffold.ts';

const messageFile = 'schemas/messages/2-migrate.md';
const folder = 'compiler/phases/2-migrate/steps';

/**
 * The next numbered migration step with its message and a pair of files: it renames one key, until its author writes
 * another change.
 */
export function scaffoldMigration(root: string, what: string): Scaffold {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)+$/.test(what))
    throw new WrongUse(`"${what}" does not say what it does: write a verb and a thing, such as rename-mock-args`);
  const numbers = findFiles(root, folder, (name) => name.endsWith('.ts')).map((file) =>
    Number(/(\d{4})-[^/]*$/.exec(file)?.[1] ?? 0),
  );
  const name = `${String(Math.max(0, ...numbers) + 1).padStart(4, '0')}-${what}`;
  const messages = readIfThere(root, messageFile) ?? '# Migrate: old forms\n';
  if (new RegExp(`^## SVC\\d{5} ${what}$`, 'm').test(messages))
    throw new WrongUse(`there is a message "${what}" already`);
  return {
    files: [
      [`${folder}/${name}.ts`, stepText(what)],
      [messageFile, `${messages.trimEnd()}\n\n${messageText(nextCode(messages, 'SVC20001'), what)}`],
      [
        `test/migrate/${name}/input.yaml`,
        'old_key: 1 # kept\nactions:\n  - [AT_set_variable, { name: a, value: 1 }]\n',
      ],
      [
        `test/migrate/${name}/output.yaml`,
        'new_key: 1 # kept\nactions:\n  - [AT_set_variable, { name: a, value: 1 }]\n',
      ],
    ],
    next: [
      `${folder}/${name}.ts: yield operations for the old form; never change the tree`,
      `test/migrate/${name}: the old form, and what it must become`,
      `${messageFile}: say what is old and since when`,
      'npm run generate && UPDATE=1 npm test -- migrate contracts/codes, then read the golden',
    ],
  };
}

function stepText(what: string): string {
  return `import * as d from '#schemas/generated/diagnostics.ts';

import type { MigrationStep } from '../migration-step.ts';

/** The key \`old_key\` becomes \`new_key\`. */
const step: MigrationStep = {
  body({ value, route, nested, at }, change) {
    if (nested || !Object.hasOwn(value, 'old_key') || Object.hasOwn(value, 'new_key')) return;
    const place = [...route, 'old_key'];
    change({
      subject: 'old_key',
      operations: [{ kind: 'rename-key', route: place, key: 'new_key' }],
      tell: (_count, fix) => d.${functionName(what)}({ at: at(place, 'key'), fixes: fix('rename it to "new_key"') }),
    });
  },
};
export default step;
`;
}

function messageText(code: string, what: string): string {
  return `## ${code} ${what}
severity: warning
tags: deprecated
> "old_key" is called "new_key" now.
help: \`svc migrate --write\` renames it.

What the old form was, and why it changed.

### Bad
${'```'}yaml
old_key: 1
actions:
- [AT_set_variable, { name: a, value: 1 }]
${'```'}
### Good
${'```'}yaml
new_key: 1
actions:
- [AT_set_variable, { name: a, value: 1 }]
${'```'}
`;
}
