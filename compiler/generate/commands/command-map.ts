import type { Family } from './declaration.ts';
import { familyKey } from './declaration.ts';

/** `command-map.ts`: what `command(name, fn)` is typed by. */
export function commandMap(families: readonly Family[]): string {
  const alias = (family: Family): string => `${family.domain}_${family.name.replaceAll('-', '_')}`;
  const imports = families.map((family) => `import type { Commands as ${alias(family)} } from './${familyKey(family)}.d.ts';`);
  const entries = families.flatMap((family) => family.commands.map(({ name, needs }) =>
    `  ${name}: ${alias(family)}['${name}'] & { needs: ${needs.length === 0 ? 'never' : needs.map((need) => `'${need}'`).join(' | ')} };`));
  return `// Generated from stdlib by \`npm run generate\`. Do not edit.
${imports.join('\n')}

/** Every declared command: its parameters with defaults filled, its result, and the ports that its function gets. */
export interface CommandMap {
${entries.join('\n')}
}
`;
}
