import { styleText } from 'node:util';

import { typeText } from '#compiler/type-text.ts';
import type { CommandInfo, Parameter } from '#schemas/types/command.ts';

/** Commands by family, one a line; planned ones are marked. */
export function listText(infos: readonly CommandInfo[], colour: boolean): string {
  if (infos.length === 0) return 'No command matches.\n';
  const width = Math.max(...infos.map((info) => info.name.length)) + 2;
  const lines: string[] = [];
  for (const [family, members] of Map.groupBy(infos, (info) => `${info.domain}/${info.group}/${info.family}`)) {
    lines.push(
      bold(family, colour),
      ...members.map((info) => `  ${info.name.padEnd(width)}${info.implemented ? '' : '(planned) '}${info.summary}`),
      '',
    );
  }
  const implemented = infos.filter((info) => info.implemented).length;
  return `${lines.join('\n')}\n${infos.length} commands, ${implemented} of them run in this version\n`;
}

/** One command at length. */
export function showText(info: CommandInfo, colour: boolean): string {
  const lines = [bold(info.name, colour), info.summary, ''];
  if (!info.implemented) lines.push('Planned: this version checks calls to it, but cannot run it.', '');
  if (info.replaced_by !== undefined)
    lines.push(`An old name of ${info.replaced_by}; \`svc migrate\` rewrites it.`, '');
  if (info.params.length > 0)
    lines.push(bold('Parameters, in order', colour), ...info.params.flatMap(parameterLines), '');
  lines.push(bold('Result', colour), `  ${typeText(info.returns)}`, '');
  lines.push(
    `${bold('Family', colour)}   ${info.domain}/${info.group}/${info.family}`,
    `${bold('Effects', colour)}  ${info.effects.join(', ')}`,
  );
  if (info.gate !== undefined) lines.push(`${bold('Gate', colour)}     ${info.gate}`);
  lines.push(`${bold('Repeat', colour)}   ${info.repeat}`);
  if (info.notes.length > 0) lines.push('', bold('Notes', colour), ...info.notes.map((note) => `  - ${note}`));
  return `${lines.join('\n')}\n`;
}

function parameterLines(parameter: Parameter): string[] {
  const marks = [
    parameter.required ? 'required' : defaultText(parameter),
    parameter.keyword_only && 'by name only',
    parameter.secret && 'masked',
  ];
  const shown = marks.filter((mark) => typeof mark === 'string').join(', ');
  const aliases = parameter.aliases ? ` Also: ${parameter.aliases.join(', ')}.` : '';
  return [
    `  ${parameter.name}: ${typeText(parameter.schema)}${shown === '' ? '' : ` (${shown})`}`,
    `      ${parameter.about}${aliases}`,
  ];
}

function defaultText({ default: value }: Parameter): string | undefined {
  return value === undefined ? undefined : `default ${JSON.stringify(value)}`;
}

function bold(text: string, colour: boolean): string {
  return colour ? styleText('bold', text, { validateStream: false }) : text;
}
