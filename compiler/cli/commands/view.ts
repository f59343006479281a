import { styleText } from 'node:util';

import type { CommandInfo, Parameter } from '#schemas/types/command.ts';
import { isObject, type Json } from '#schemas/types/json.ts';

/** Commands by family, one a line; planned ones are marked. */
export function listText(infos: readonly CommandInfo[], colour: boolean): string {
  if (infos.length === 0) return 'No command matches.\n';
  const width = Math.max(...infos.map((info) => info.name.length)) + 2;
  const lines: string[] = [];
  for (const [family, members] of Map.groupBy(infos, (info) => `${info.domain}/${info.group}/${info.family}`)) {
    lines.push(bold(family, colour), ...members.map((info) => `  ${info.name.padEnd(width)}${info.implemented ? '' : '(planned) '}${info.summary}`), '');
  }
  const implemented = infos.filter((info) => info.implemented).length;
  return `${lines.join('\n')}\n${infos.length} commands, ${implemented} of them run in this version\n`;
}

/** One command at length. */
export function showText(info: CommandInfo, colour: boolean): string {
  const lines = [bold(info.name, colour), info.summary, ''];
  if (!info.implemented) lines.push('Planned: this version checks calls to it, but cannot run it.', '');
  if (info.replaced_by !== undefined) lines.push(`An old name of ${info.replaced_by}; \`svc migrate\` rewrites it.`, '');
  if (info.params.length > 0) lines.push(bold('Parameters, in order', colour), ...info.params.flatMap(parameterLines), '');
  lines.push(bold('Result', colour), `  ${typeText(info.returns)}`, '');
  lines.push(`${bold('Family', colour)}   ${info.domain}/${info.group}/${info.family}`, `${bold('Effects', colour)}  ${info.effects.join(', ')}`);
  if (info.gate !== undefined) lines.push(`${bold('Gate', colour)}     ${info.gate}`);
  lines.push(`${bold('Repeat', colour)}   ${info.repeat}`);
  if (info.notes.length > 0) lines.push('', bold('Notes', colour), ...info.notes.map((note) => `  - ${note}`));
  return `${lines.join('\n')}\n`;
}

function parameterLines(parameter: Parameter): string[] {
  const marks = [parameter.required ? 'required' : defaultText(parameter), parameter.keyword_only && 'by name only', parameter.secret && 'masked'];
  const shown = marks.filter((mark) => typeof mark === 'string').join(', ');
  const aliases = parameter.aliases ? ` Also: ${parameter.aliases.join(', ')}.` : '';
  return [`  ${parameter.name}: ${typeText(parameter.schema)}${shown === '' ? '' : ` (${shown})`}`, `      ${parameter.about}${aliases}`];
}

function defaultText({ default: value }: Parameter): string | undefined {
  return value === undefined ? undefined : `default ${JSON.stringify(value)}`;
}

/** A schema as people read types: `text`, `integer from 1`, `one of "a", "b"`. */
export function typeText(schema: Json | undefined): string {
  if (!isObject(schema)) return 'any value';
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(schema['enum'])) return `one of ${schema['enum'].map((value) => JSON.stringify(value)).join(', ')}`;
  for (const key of ['anyOf', 'oneOf']) {
    const choices = schema[key];
    if (Array.isArray(choices)) return choices.map(typeText).join(' or ');
  }
  const type = schema['type'];
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
  return types.length === 0 ? 'any value' : types.map((name) => oneType(String(name), schema)).join(' or ');
}

function oneType(type: string, schema: { readonly [key: string]: Json }): string {
  if (type === 'string') return typeof schema['format'] === 'string' ? `text (${schema['format']})` : 'text';
  if (type === 'array') return schema['items'] === undefined ? 'list' : `list of ${typeText(schema['items'])}`;
  if (type === 'integer' || type === 'number') {
    const from = schema['minimum'] ?? schema['exclusiveMinimum'];
    const to = schema['maximum'];
    return `${type}${from === undefined ? '' : ` from ${String(from)}`}${to === undefined ? '' : ` to ${String(to)}`}`;
  }
  return type;
}

function bold(text: string, colour: boolean): string {
  return colour ? styleText('bold', text, { validateStream: false }) : text;
}
