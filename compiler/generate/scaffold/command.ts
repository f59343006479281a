import { Mistakes } from '../mistakes.ts';
import { findImplementations } from '../commands/implementations.ts';
import { loadFamilies } from '../commands/load.ts';

import type { Scaffold } from './scaffold.ts';
import { readIfThere, WrongUse } from './scaffold.ts';

const prefixOf: Readonly<Record<string, string>> = { browser: 'WR_', api: 'AT_', files: 'FA_' };

/**
 * A command of a family: its declaration, unless it is planned already, and a function that runs. Its output passes
 * every check as it stands; its author changes it from there.
 */
export function scaffoldCommand(root: string, family: string, name: string): Scaffold {
  const [domain = '', , folder = ''] =
    /^(browser|api|files)\/([a-z0-9-]+)\/([a-z0-9-]+)$/.exec(family)?.[0].split('/') ?? [];
  const prefix = prefixOf[domain];
  if (prefix === undefined)
    throw new WrongUse(
      `"${family}" is no family: write <browser|api|files>/<group>/<family>, such as files/local/files`,
    );
  if (!new RegExp(`^${prefix}[a-z][a-z0-9_]*$`).test(name))
    throw new WrongUse(`"${name}" is no name of a command of ${domain}: ${prefix} and small words with "_"`);
  const mistakes = new Mistakes();
  const families = loadFamilies(root, mistakes);
  const declared = families.find(({ commands }) => commands.some((command) => command.name === name));
  if (declared && declared.folder !== `stdlib/${family}`)
    throw new WrongUse(`${name} is declared in ${declared.file} already`);
  if (findImplementations(root, families, mistakes).has(name)) throw new WrongUse(`${name} is there already`);
  const declaration = `stdlib/${family}/commands.yaml`;
  const source = `stdlib/${family}/${folder}.ts`;
  const parameters = Object.keys(declared?.commands.find((command) => command.name === name)?.params ?? {});
  return {
    files: [
      ...(declared
        ? []
        : [
            [
              declaration,
              `${readIfThere(root, declaration)?.trimEnd() ?? 'complete: false\ncommands:'}\n\n${declarationText(name)}`.replace(
                'commands:\n\n',
                'commands:\n',
              ),
            ] as const,
          ]),
      [source, functionText(name, readIfThere(root, source), declared !== undefined)],
    ],
    next: [
      declared
        ? `${declaration}: turn catalogue_notes into notes, add examples (one run, one rejects)`
        : `${declaration}: say what it does, its parameters, effects and needs`,
      `${source}: write the function of ${declared ? `{ ${parameters.join(', ')} }` : '{ text }'}; what it needs is on its second parameter`,
      `npm run generate && npm test -- commands/examples -t ${name}`,
    ],
  };
}

function declarationText(name: string): string {
  return `- name: ${name}
  summary: Yield the text.
  in_spec: false
  effects: [pure]
  needs: []
  repeat: pure
  params:
    text: { schema: { type: string, minLength: 1 }, about: Text to yield. }
  required: [text]
  returns: { type: string }
  examples:
  - run: [${name}, { text: hello }]
    expect: result == "hello"
  - rejects: [${name}, {}]
    with: SVC60001
`;
}

/** A planned command's function ends with a bug until it is written: it never pretends. */
function functionText(name: string, present: string | undefined, planned: boolean): string {
  const head = present ?? "import { command } from '#stdlib/command.ts';\n";
  const body = planned ? `(_params) => {\n  throw new Error('${name} has no function yet');\n}` : '({ text }) => text';
  return `${head.trimEnd()}\n\nexport const ${name} = command('${name}', ${body});\n`;
}
