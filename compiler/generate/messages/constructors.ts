import { ARGUMENT, argumentsOf, isDiagnostic, list, readable } from './check.ts';
import type { Message } from './read.ts';

const diagnosticsHead = `// Generated from schemas/messages by \`npm run generate\`. Do not edit.
import type { Diagnostic, Label, Severity } from '../types/diagnostic.ts';
import type { Fix } from '../types/fix.ts';
import { withOneStop } from '../types/message-text.ts';

type Argument = string | number;
interface Common {
  /** Place of the finding. */
  readonly at: Label;
  readonly related?: readonly Label[] | undefined;
  readonly fixes?: readonly Fix[] | undefined;
  /** Instead of the message's own help. */
  readonly help?: string | undefined;
}

/** Shared, for there may be half a million findings. */
const NONE: readonly never[] = [];

function make(code: string, slug: string, severity: Severity, message: string, common: Common, args: Readonly<Record<string, Argument | undefined>>,
  label?: string, help?: string, tags?: readonly ('deprecated' | 'unnecessary')[]): Diagnostic {
  const given: Record<string, Argument> = {};
  for (const [name, value] of Object.entries(args)) if (value !== undefined) given[name] = value;
  const advice = common.help ?? help;
  return {
    code, slug, severity, message: withOneStop(message),
    primary: label === undefined || common.at.text !== undefined ? common.at : { ...common.at, text: label },
    related: common.related ?? NONE, fixes: common.fixes ?? NONE,
    ...(advice === undefined ? {} : { help: advice }), ...(tags ? { tags } : {}), args: given,
  };
}
`;

const failuresHead = `// Generated from schemas/messages by \`npm run generate\`. Do not edit.
import { Failure, type FailureOptions } from '../types/failure.ts';
import type { Json } from '../types/json.ts';
import type { FailureClass } from '../types/record.ts';

// In few letters: every program holds those that it can print.
type Argument = string | number;
interface Common {
  readonly cause?: unknown;
  readonly expected?: Json | undefined;
  readonly actual?: Json | undefined;
  /** Value that the command had when it failed. */
  readonly result?: unknown;
  /** The conditions that do not hold. */
  readonly expectations?: FailureOptions['expectations'] | undefined;
  /** Sessions and values that earlier steps made under the same names still count. */
  readonly kept?: boolean | undefined;
  /** Instead of the message's own help. */
  readonly help?: string | undefined;
}

const optional = ['expected', 'actual', 'cause', 'result', 'expectations', 'kept'] as const;

function make(digits: number, name: string, message: string, common: Common, help?: string, cls: FailureClass = 'real', kinds: readonly string[] = []): Failure {
  const advice = common.help ?? help;
  const options = Object.fromEntries(optional.flatMap((key) => (common[key] === undefined ? [] : [[key, common[key]]])));
  return new Failure({ code: \`SVC\${digits}\`, name, message: message.replace(/\\.\\.$/, '.'), class: cls, kinds, ...(advice !== undefined && { help: advice }) }, options);
}
`;

/** \`diagnostics.ts\`: one function per message, so that a bundle holds only those that it uses. */
export function diagnosticsModule(messages: readonly Message[]): string {
  return diagnosticsHead + messages.filter(isDiagnostic).map(diagnosticConstructor).join('');
}

/** \`failures.ts\`, in the same way. */
export function failuresModule(messages: readonly Message[]): string {
  return (
    failuresHead +
    messages
      .filter((message) => !isDiagnostic(message))
      .map(failureConstructor)
      .join('')
  );
}

function diagnosticConstructor(message: Message): string {
  const { code, slug, metadata, text } = message;
  const required = argumentsOf(text);
  const extra = argumentsOf(`${metadata.label ?? ''} ${metadata.help ?? ''}`).filter(
    (name) => !required.includes(name),
  );
  const all = [...required, ...extra];
  const tags = list(metadata.tags);
  const last = [
    optionalTemplate(metadata.label, extra),
    optionalTemplate(metadata.help, extra),
    tags.length === 0 ? 'undefined' : `[${tags.map(quote).join(', ')}]`,
  ];
  while (last.at(-1) === 'undefined') last.pop();
  const values = [
    quote(code),
    quote(slug),
    quote(metadata.severity ?? ''),
    template(text),
    'o',
    `{ ${all.map((name) => `${name}: o.${name}`).join(', ')} }`,
    ...last,
  ];
  return constructor(
    message,
    [...required.map((name) => `${name}: Argument`), ...extra.map((name) => `${name}?: Argument | undefined`)],
    'Diagnostic',
    'o',
    values,
  );
}

function failureConstructor(message: Message): string {
  const { code, slug, metadata, text } = message;
  const required = argumentsOf(text);
  const extra = argumentsOf(metadata.help ?? '').filter((name) => !required.includes(name));
  const kinds = list(metadata.kinds);
  const values = [
    code.slice('SVC'.length),
    quote(metadata.exception ?? slug),
    template(text),
    'o',
    optionalTemplate(metadata.help, extra),
    metadata.class === 'real' ? 'undefined' : quote(metadata.class ?? ''),
    kinds.length === 0 ? 'undefined' : `[${kinds.map(quote).join(', ')}]`,
  ];
  while (values.at(-1) === 'undefined') values.pop();
  const parameters = [
    ...required.map((name) => `${name}: Argument`),
    ...extra.map((name) => `${name}?: Argument | undefined`),
  ];
  return constructor(message, parameters, 'Failure', required.length === 0 ? 'o = {}' : 'o', values);
}

function constructor(
  message: Message,
  parameters: readonly string[],
  result: string,
  parameter: string,
  values: readonly string[],
): string {
  const own =
    parameters.length === 0 ? 'Common' : `Common & { ${parameters.map((part) => `readonly ${part}`).join('; ')} }`;
  const typed = parameter === 'o = {}' ? `o: ${own} = {}` : `o: ${own}`;
  const doc = `${message.code}: ${readable(message.text)}`.replaceAll('*/', '*\\/');
  return `\n/** ${doc} */\nexport const ${functionName(message.slug)} = (${typed}): ${result} => make(${values.join(', ')});\n`;
}

/** \`unknown-command\` → \`unknownCommand\`. */
export function functionName(slug: string): string {
  return slug.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function optionalTemplate(text: string | undefined, optional: readonly string[]): string {
  if (text === undefined) return 'undefined';
  const missing = argumentsOf(text).filter((name) => optional.includes(name));
  return missing.length === 0
    ? template(text)
    : `${missing.map((name) => `o.${name} === undefined`).join(' || ')} ? undefined : ${template(text)}`;
}

function template(text: string): string {
  if (argumentsOf(text).length === 0) return quote(text);
  const escaped = text.replace(/[`\\]|\$\{/g, (found) => `\\${found}`);
  const filled = escaped.replace(ARGUMENT, (_, name: string, one: string | undefined, many = '') =>
    one === undefined ? `\${o.${name}}` : `\${o.${name} === 1 ? ${quote(one)} : ${quote(many)}}`,
  );
  return '`' + filled + '`';
}

function quote(text: string): string {
  return `'${text.replace(/['\\]/g, (found) => `\\${found}`)}'`;
}
