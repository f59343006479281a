import { styleText } from 'node:util';

import { typeText } from '#compiler/type-text.ts';
import type { CommandInfo, Parameter } from '#schemas/types/command.ts';
import { isList, isObject, type Json } from '#schemas/types/json.ts';

/** Commands by family, one a line; planned ones are marked, or only counted. */
export function listText(
  infos: readonly CommandInfo[],
  { planned, isAll }: { readonly planned: number; readonly isAll: boolean },
  colour: boolean,
): string {
  const hidden = planned === 0 || isAll ? '' : `; ${planned} more planned (--all)`;
  if (infos.length === 0) return `No command of this version matches${hidden}.\n`;
  const width = Math.max(...infos.map((info) => info.name.length)) + 2;
  const lines: string[] = [];
  for (const [family, members] of Map.groupBy(infos, (info) => `${info.domain}/${info.group}/${info.family}`)) {
    lines.push(
      bold(family, colour),
      ...members.map((info) => `  ${info.name.padEnd(width)}${info.implemented ? '' : '(planned) '}${info.summary}`),
      '',
    );
  }
  const running = infos.filter((info) => info.implemented).length;
  const count =
    running === infos.length ? counted(running) : `${counted(infos.length)}, ${running} of them run in this version`;
  return `${lines.join('\n')}\n${count}${hidden}\n`;
}

function counted(count: number): string {
  return count === 1 ? '1 command' : `${count} commands`;
}

/** One command at length. */
export function showText(info: CommandInfo, colour: boolean): string {
  const lines = [bold(info.name, colour), info.summary, ''];
  if (!info.implemented) lines.push('Planned: this version checks calls to it, but cannot run it.', '');
  if (info.replaced_by !== undefined)
    lines.push(`An old name of ${info.replaced_by}; \`svc migrate\` rewrites it.`, '');
  if (info.aliases) lines.push(`Also: ${info.aliases.join(', ')}`, '');
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
  lines.push(...exampleLines(info, colour));
  return `${lines.join('\n')}\n`;
}

/** The calls that the tests run, as one would write them. */
function exampleLines({ examples = [] }: CommandInfo, colour: boolean): string[] {
  const runs = examples.filter((example) => 'run' in example);
  if (runs.length === 0) return [];
  const lines = runs.flatMap(({ before = [], run, expect, about }) => [
    ...(about === undefined ? [] : [`  # ${about}`]),
    ...before.map((step) => `  - ${stepText(step)}`),
    `  - ${stepText(run)}`,
    ...(expect === undefined ? [] : [`    expect: ${flow(expect as Json)}`]),
  ]);
  return ['', bold('Examples', colour), ...lines];
}

/** A step as YAML on one line, in the object form where its parameters have names. */
function stepText(step: Json): string {
  const [command, parameters, more] = isList(step) ? step : [step];
  if (typeof command !== 'string' || more !== undefined) return flow(step);
  return parameters === undefined ? command : `${command}: ${flow(parameters)}`;
}

/** A value in YAML's flow style: keys and plain words stand without quotes. */
function flow(value: Json): string {
  if (isList(value)) return `[${value.map(flow).join(', ')}]`;
  if (isObject(value)) {
    const entries = Object.entries(value).map(([key, inner]) => `${plain(key)}: ${flow(inner)}`);
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  return typeof value === 'string' ? plain(value) : JSON.stringify(value);
}

/** A text as YAML reads it back: in quotes where it would be read as something else. */
function plain(text: string): string {
  const isPlain = /^[A-Za-z_][\w./-]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
  if (isPlain) return text;
  return text.includes('"') && !/['\n\r\t]/.test(text) ? `'${text}'` : JSON.stringify(text);
}

function parameterLines(parameter: Parameter): string[] {
  const marks = [
    parameter.required ? 'required' : defaultText(parameter),
    parameter.keyword_only && 'by name only',
    parameter.secret && 'masked',
    parameter.text === 'later' && 'references in it stay as written',
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
