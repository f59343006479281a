import { functionName } from '../messages/constructors.ts';

import type { Scaffold } from './scaffold.ts';
import { nextCode, readIfThere, WrongUse } from './scaffold.ts';

const messageFile = 'schemas/messages/3-lint.md';

/** A lint rule with its message and two cases: it forbids one command, until its author gives it a better law. */
export function scaffoldRule(root: string, name: string): Scaffold {
  if (!/^(no|use|valid)-[a-z0-9]+(-[a-z0-9]+)*$/.test(name))
    throw new WrongUse(
      `"${name}" is no name of a rule: no-<thing> forbids, use-<thing> requires, valid-<thing> checks form`,
    );
  const file = `compiler/phases/lint/rules/${name}.ts`;
  const messages = readIfThere(root, messageFile) ?? '# Lint: what is allowed but likely a mistake\n';
  if (readIfThere(root, file) !== undefined || new RegExp(`^## SVC\\d{5} ${name}$`, 'm').test(messages))
    throw new WrongUse(`there is a rule "${name}" already`);
  return {
    files: [
      [file, ruleText(name)],
      [messageFile, `${messages.trimEnd()}\n\n${messageText(nextCode(messages, 'SVC30101'), name)}`],
      [`test/rules/${name}/invalid-plain.yaml`, '- [AT_clear_variables]\n'],
      [
        `test/rules/${name}/valid-plain.yaml`,
        '- [AT_set_variable, { name: a, value: 1 }]\n- [AT_get_variable, { name: a }]\n',
      ],
    ],
    next: [
      `${messageFile}: say what is wrong, why, and what to do; both examples are executed`,
      `${file}: write the rule`,
      'npm run generate && UPDATE=1 npm test -- rules contracts/codes, then read the goldens',
    ],
  };
}

function ruleText(name: string): string {
  return `import * as d from '#schemas/generated/diagnostics.ts';

import type { Rule } from '../rule.ts';

const FORBIDDEN = 'AT_clear_variables';

/** Nobody calls ${'`'}AT_clear_variables${'`'}. */
export default {
  name: '${name}',
  preset: 'strict',
  resolved({ calls, report }) {
    for (const call of calls) {
      if (call.node.command === FORBIDDEN) report(d.${functionName(name)}({ at: call.commandAt(), command: call.node.command }));
    }
  },
} satisfies Rule;
`;
}

function messageText(code: string, name: string): string {
  return `## ${code} ${name}
severity: warning
> "%command%" is called.
help: Leave the step out.

Why this is likely a mistake, and what to do instead.

### Bad
${'```'}yaml
- [AT_clear_variables]
${'```'}
### Good
${'```'}yaml
- [AT_set_variable, { name: a, value: 1 }]
- [AT_get_variable, { name: a }]
${'```'}
`;
}
