import type { CommandInfo, Parameter } from '#schemas/types/command.ts';

import { typeText } from './type-text.ts';

/** The command reference as one Markdown page: domains, families, commands in reference order. */
export function referenceText(infos: readonly CommandInfo[]): string {
  const implemented = infos.filter((info) => info.implemented).length;
  const lines = [
    '# Commands',
    '',
    `${infos.length} commands, of which this version runs ${implemented}; the others are planned: calls to them are checked.`,
  ];
  for (const [family, members] of Map.groupBy(infos, (info) => `${info.domain}/${info.group}/${info.family}`)) {
    lines.push('', `## ${family}`, ...members.flatMap(commandLines));
  }
  return `${lines.join('\n')}\n`;
}

function commandLines(info: CommandInfo): string[] {
  const lines = ['', `### ${info.name}`, '', escape(info.summary)];
  if (!info.implemented) lines.push('', '*Planned.*');
  if (info.replaced_by !== undefined) lines.push('', `An old name of \`${info.replaced_by}\`.`);
  if (info.aliases) lines.push('', `Also: ${info.aliases.map((alias) => `\`${alias}\``).join(', ')}.`);
  if (info.params.length > 0) {
    lines.push('', '| parameter | type | default | meaning |', '|---|---|---|---|', ...info.params.map(row));
  }
  const facts = [`Result: ${typeText(info.returns)}`, `effects: ${info.effects.join(', ')}`, `repeat: ${info.repeat}`];
  if (info.gate !== undefined) facts.push(`gate: ${info.gate}`);
  lines.push('', `${facts.join('; ')}.`);
  if (info.notes.length > 0) lines.push('', ...info.notes.map((note) => `- ${escape(note)}`));
  return lines;
}

function row(parameter: Parameter): string {
  const value = parameter.required
    ? 'required'
    : parameter.default === undefined
      ? ''
      : `\`${JSON.stringify(parameter.default)}\``;
  const only = parameter.keyword_only ? ' By name only.' : '';
  const aliases = parameter.aliases ? ` Also: ${parameter.aliases.join(', ')}.` : '';
  return `| \`${parameter.name}\` | ${cell(typeText(parameter.schema))} | ${cell(value)} | ${cell(escape(parameter.about))}${only}${aliases} |`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function escape(text: string): string {
  return text.replaceAll('<', '&lt;');
}
