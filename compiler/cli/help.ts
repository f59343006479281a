import { styleText } from 'node:util';

import { verbGroups, type Option, type Verb } from '#schemas/types/cli.ts';

import { wrapped } from './wrapped.ts';

/** Form of a printed page: with `columns` (a terminal) its lines are broken at that width. */
export interface Page {
  readonly colour: boolean;
  readonly columns?: number;
}

/** The page of `svc --help`: verbs by group, and the chapters of the language reference. */
export function overview(verbs: readonly Verb[], chapters: readonly string[], page: Page): string {
  const { colour } = page;
  const width = Math.max(...verbs.map((verb) => verb.name.length)) + 2;
  const lines = [
    ...wrapped('svc reads lists of actions in YAML or JSON, checks them like a compiler, and runs them.', page.columns),
    '',
    `${bold('Usage', colour)}  svc VERB [ARGUMENT…] [OPTION…]`,
  ];
  for (const group of verbGroups) {
    const members = verbs.filter((verb) => verb.group === group);
    if (members.length === 0) continue;
    lines.push(
      '',
      bold(group, colour),
      ...rows(
        members.map((verb) => [verb.name, verb.summary]),
        width,
        page,
      ),
    );
  }
  lines.push(
    '',
    bold('Examples', colour),
    '  svc create shop-tests                 a first action file to change',
    '  svc run shop-tests                    run it',
    '  svc check tests                       errors only, nothing runs',
    '',
    ...wrapped('`svc VERB --help` says more about a verb; `svc --version` names this version.', page.columns),
    ...wrapped(`\`svc help CHAPTER\` prints a chapter on the language: ${chapters.join(', ')}.`, page.columns),
  );
  return `${lines.join('\n')}\n`;
}

/** The page of `svc VERB --help`. */
export function verbHelp(verb: Verb, page: Page): string {
  const { colour, columns: width } = page;
  const lines = wrapped(`svc ${verb.name}: ${verb.summary}`, width);
  if (verb.description)
    lines.push(
      '',
      ...verb.description
        .trimEnd()
        .split('\n')
        .flatMap((line) => wrapped(line, width)),
    );
  lines.push('', `${bold('Usage', colour)}  ${usage(verb)}`);
  if (verb.arguments.length > 0) {
    lines.push(
      '',
      bold('Arguments', colour),
      ...columns(
        verb.arguments.map((argument) => [argument.name, aboutValues(argument.about, argument.values)]),
        page,
      ),
    );
  }
  lines.push(
    '',
    bold('Options', colour),
    ...columns([...verb.options.map(optionRow), ['-h, --help', 'This page.']], page),
  );
  lines.push(
    '',
    bold('Examples', colour),
    ...verb.examples.flatMap((example) => [`  ${example.run}`, ...wrapped(example.about, width, 6)]),
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

function columns(pairs: readonly (readonly [string, string])[], page: Page): string[] {
  return rows(pairs, Math.max(...pairs.map(([left]) => left.length)) + 2, page);
}

/** Two columns; where the second one has little room, it stands on lines of its own. */
function rows(pairs: readonly (readonly [string, string])[], width: number, { columns: most }: Page): string[] {
  const indent = width + 2;
  if (most !== undefined && most - indent < 24)
    return pairs.flatMap(([left, right]) => [`  ${left.trim()}`, ...wrapped(right, most, 6)]);
  return pairs.flatMap(([left, right]) => {
    const [first = '', ...others] = wrapped(right, most, indent);
    return [`  ${left.padEnd(width)}${first.trimStart()}`, ...others];
  });
}

function bold(text: string, colour: boolean): string {
  return colour ? styleText('bold', text, { validateStream: false }) : text;
}
