import type { Family } from './declaration.ts';
import { familyKey } from './declaration.ts';

/** `command-map.ts`: what `command(name, fn)` is typed by. */
export function commandMap(families: readonly Family[]): string {
  const alias = (family: Family): string => `${family.domain}_${family.name.replaceAll('-', '_')}`;
  const imports = families.map(
    (family) => `import type { Commands as ${alias(family)} } from './${familyKey(family)}.d.ts';`,
  );
  const entries = families.flatMap((family) =>
    family.commands.map(
      ({ name, needs, required = [] }) =>
        `  ${name}: ${alias(family)}['${name}'] & { needs: ${union(needs)}; required: ${union(required)} };`,
    ),
  );
  return `// Generated from stdlib by \`npm run generate\`. Do not edit.
${imports.join('\n')}

/**
 * Every declared command: its parameters with defaults filled, its result, the ports that its function gets, and the
 * parameters that have to be given.
 */
export interface CommandMap {
${entries.join('\n')}
}
`;
}

function union(names: readonly string[]): string {
  return names.length === 0 ? 'never' : names.map((name) => `'${name}'`).join(' | ');
}
