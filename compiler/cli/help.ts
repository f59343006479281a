import { styleText } from 'node:util';

import { verbGroups, type Option, type Verb } from '#schemas/types/cli.ts';

/** The page of `svc --help`: verbs by group, and the chapters of the language reference. */
export function overview(verbs: readonly Verb[], chapters: readonly string[], colour: boolean): string {
  const width = Math.max(...verbs.map((verb) => verb.name.length)) + 2;
  const lines = [
    'svc reads lists of actions in YAML or JSON, checks them like a compiler, and runs them.',
    '',
    `${bold('Usage', colour)}  svc VERB [ARGUMENT…] [OPTION…]`,
  ];
  for (const group of verbGroups) {
    const members = verbs.filter((verb) => verb.group === group);
    if (members.length === 0) continue;
    lines.push('', bold(group, colour), ...members.map((verb) => `  ${verb.name.padEnd(width)}${verb.summary}`));
  }
  lines.push(
    '',
    bold('Examples', colour),
    '  svc create shop-tests                 a first action file to change',
    '  svc run shop-tests                    run it',
    '  svc check tests                       errors only, nothing runs',
    '',
    '`svc VERB --help` says more about a verb; `svc --version` names this version.',
    `\`svc help CHAPTER\` prints a chapter on the language: ${chapters.join(', ')}.`,
  );
  return `${lines.join('\n')}\n`;
}

/** The page of `svc VERB --help`. */
export function verbHelp(verb: Verb, colour: boolean): string {
  const lines = [`svc ${verb.name}: ${verb.summary}`];
  if (verb.description) lines.push('', verb.description.trimEnd());
  lines.push('', `${bold('Usage', colour)}  ${usage(verb)}`);
  if (verb.arguments.length > 0) {
    lines.push(
      '',
      bold('Arguments', colour),
      ...columns(verb.arguments.map((argument) => [argument.name, aboutValues(argument.about, argument.values)])),
    );
  }
  lines.push('', bold('Options', colour), ...columns([...verb.options.map(optionRow), ['-h, --help', 'This page.']]));
  lines.push(
    '',
    bold('Examples', colour),
    ...verb.examples.flatMap((example) => [`  ${example.run}`, `      ${example.about}`]),
  );
  return `${lines.join('\n')}\n`;
}

function usage(verb: Verb): string {
  const names = verb.arguments.map((argument) => {
    const name = argument.variadic ? `${argument.name}…` : argument.name;
    return argument.required ? name : `[${name}]`;
  });
  return ['svc', verb.name, ...names, '[OPTION…]'].join(' ');
}

function optionRow(option: Option): readonly [string, string] {
  const short = option.short ? `-${option.short}, ` : '    ';
  const value = option.value ? ` ${option.value}` : '';
  const fallback = option.default === undefined ? '' : ` [${option.default}]`;
  const again = option.multiple ? ' May be repeated.' : '';
  return [`${short}--${option.name}${value}`, `${aboutValues(option.about, option.values)}${again}${fallback}`];
}

function aboutValues(about: string, values: readonly string[] | undefined): string {
  return values ? `${about} One of ${values.join(', ')}.` : about;
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`);
}

function bold(text: string, colour: boolean): string {
  return colour ? styleText('bold', text, { validateStream: false }) : text;
}
