import { resolve } from 'node:path';

import type { Ports } from '#runtime/kernel/ports.ts';
import { command } from '#stdlib/command.ts';

const TITLE = 'Command reference';

export const WR_build_command_reference = command('WR_build_command_reference', ({ title }, ctx) =>
  reference(title, ctx.compiler),
);

export const WR_export_command_reference = command('WR_export_command_reference', async ({ path, title }, ctx) => {
  await ctx.files.write(path, await reference(title || TITLE, ctx.compiler), { parents: true, durable: ctx.durable });
  return resolve(ctx.folders.cwd, path);
});

export const WR_list_commands = command('WR_list_commands', async (_, ctx) =>
  (await ctx.compiler.commands()).map(({ name }) => name).filter((name) => name.startsWith('WR_')),
);

async function reference(title: string, compiler: Ports['compiler']): Promise<string> {
  const commands = await compiler.commands();
  const rows = commands.map(({ name, signature, summary, implemented }) => {
    const about = implemented ? summary : `${summary} (planned)`;
    return `| \`${name}\` | \`${inCell(signature)}\` | ${inCell(about)} |`;
  });
  const head = [
    `# ${title}`,
    '',
    `${commands.length} commands`,
    '',
    '| Command | Signature | Summary |',
    '|---|---|---|',
  ];
  return `${[...head, ...rows].join('\n')}\n`;
}

function inCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
