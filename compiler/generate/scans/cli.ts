import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import type { Verb } from '#schemas/types/cli.ts';
import { verbGroups } from '#schemas/types/cli.ts';

import { findFiles } from '../find-files.ts';
import { holdsTo } from '../meta-schema.ts';
import type { Mistakes } from '../mistakes.ts';
import type { Outputs } from '../outputs.ts';
import { readYaml } from '../read-yaml.ts';

/** `cli.ts`: the verbs as data, in the order of help, and how to load what each runs. */
export function writeVerbs(root: string, outputs: Outputs, mistakes: Mistakes): void {
  const verbs = findFiles(root, 'compiler/cli', (name) => name === 'verb.yaml').flatMap((file) => {
    const verb = readYaml(root, file, mistakes);
    if (verb === undefined || !holdsTo(root, 'cli-command.schema.json', verb, file, mistakes)) return [];
    checkVerb(verb as unknown as Verb, file, mistakes);
    return [verb as unknown as Verb];
  });
  verbs.sort((a, b) => verbGroups.indexOf(a.group) - verbGroups.indexOf(b.group) || (a.name < b.name ? -1 : 1));
  const rows = verbs
    .filter(({ name }) => existsSync(join(root, `compiler/cli/${name}/run.ts`)))
    .map(({ name }) => `  '${name}': () => import('#compiler/cli/${name}/run.ts'),`);
  outputs.add(
    'cli.ts',
    `// Generated from compiler/cli by \`npm run generate\`. Do not edit.
import type { Verb, VerbModule } from '../types/cli.ts';

/** Verbs in the order of help: by group, then by name. */
export const verbs: readonly Verb[] = ${JSON.stringify(verbs, null, 1)};

/** Loaders of the verbs. */
export const load: Readonly<Record<string, () => Promise<VerbModule>>> = {
${rows.join('\n')}
};
`,
    'built',
  );
}

function checkVerb(verb: Verb, file: string, mistakes: Mistakes): void {
  if (basename(dirname(file)) !== verb.name)
    mistakes.add(file, '', `the folder of the verb "${verb.name}" is called ${basename(dirname(file))}`);
  const seen = new Set<string>();
  for (const { name, short } of verb.options) {
    for (const spelling of [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]) {
      if (seen.has(spelling)) mistakes.add(file, name, `"${spelling}" stands for two options`);
      seen.add(spelling);
    }
  }
  const early = verb.arguments.findIndex((argument) => argument.variadic);
  if (early >= 0 && early < verb.arguments.length - 1)
    mistakes.add(file, verb.arguments[early]?.name ?? '', 'is variadic and not the last argument');
}
