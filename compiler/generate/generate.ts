import { writeChangelog } from './changelog.ts';
import { writeCommands } from './commands/write.ts';
import { writeMessages } from './messages/write.ts';
import { Mistakes } from './mistakes.ts';
import { Outputs } from './outputs.ts';
import { writeVerbs } from './scans/cli.ts';
import { writeScans } from './scans/modules.ts';
import { writePageLocators } from './scans/page-locators.ts';
import { writeSchemas } from './schemas/aggregates.ts';
import { writeConfiguration } from './schemas/configuration.ts';

export interface Generated {
  readonly outputs: Outputs;
  readonly mistakes: Mistakes;
}

/** Makes everything below `schemas/generated`, and `CHANGELOG.md`, from the declarations under `root`, in memory. */
export async function generate(root: string): Promise<Generated> {
  const mistakes = new Mistakes();
  const outputs = new Outputs(root);
  const messages = writeMessages(root, outputs, mistakes);
  const { families, ports, canRun } = await writeCommands(root, outputs, mistakes, messages);
  writeSchemas(root, families, canRun, outputs);
  await writeConfiguration(root, ports, outputs, mistakes);
  writeScans(root, outputs, mistakes);
  await writePageLocators(root, outputs);
  writeVerbs(root, outputs, mistakes);
  writeChangelog(root, outputs, mistakes);
  return { outputs, mistakes };
}
