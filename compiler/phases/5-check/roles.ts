import type { Document } from '#grammar/document/document.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import type { Parameter, Role } from '#schemas/types/command.ts';
import type { Diagnostic, Report } from '#schemas/types/diagnostic.ts';
import { isList, type Json } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';

import { literalText } from '../4-resolve/flow.ts';
import { argumentRoute, type Call } from '../4-resolve/resolved.ts';
import type { Tokens } from '../4-resolve/tokens.ts';

/** Knowledge for the check of a role, beside the text. */
export interface RoleContext {
  readonly document: Document;
  readonly tokens: Pick<Tokens, 'text'>;
  /** Whether a command of that name can be called in this file. */
  readonly isCommand: (name: string) => boolean;
  /** The name of a command that is written much like it. */
  readonly nearest: (name: string) => string | undefined;
}

interface TextRole {
  /** Expected kind of text, as the message says it. */
  readonly expected: string;
  readonly fits: (text: string, context: RoleContext, parameter: Parameter) => boolean;
}

/**
 * Checks of the literal values of each role. `elsewhere`: resolve reads graphs as steps and packages as modules; the
 * schema of a duration has a least value, or generation fails.
 */
export const roleChecks: Readonly<Record<Role, TextRole | 'elsewhere'>> = {
  'command-name': { expected: 'the name of a command', fits: (text, { isCommand }) => isCommand(text) },
  duration: 'elsewhere',
  'env-key': { expected: 'the name of an environment variable', fits: (text) => !/[=\0]/.test(text) },
  graph: 'elsewhere',
  host: {
    expected: 'the name or address of a host',
    // Some commands take the address of a site, and their pattern says so.
    fits: (text, _, { schema }) => isHost(text) || ('pattern' in schema && URL.canParse(text)),
  },
  interface: { expected: 'a name or address of this machine', fits: isHost },
  'local-path': {
    expected: 'a path on this machine',
    fits: (text, _, { chooses }) => !text.includes('\0') && (chooses !== undefined || !isAddress(text)),
  },
  package: 'elsewhere',
  program: { expected: 'the name or path of a program', fits: (text) => !text.includes('\0') && !isAddress(text) },
  'remote-path': { expected: 'a path on the server', fits: (text) => !text.includes('\0') && !isAddress(text) },
};

/** Reports literal values of a call that cannot be what their role says. */
export function checkRoles(call: Call, context: RoleContext, report: Report): void {
  const { roles } = call.signature;
  // By index: there may be many calls.
  for (let index = 0; index < roles.length; index += 1) {
    const parameter = roles[index];
    const role = parameter?.role && roleChecks[parameter.role];
    if (parameter === undefined || role === undefined || role === 'elsewhere') continue;
    const value = call.args[parameter.name];
    if (isList(value)) {
      for (const [position, item] of value.entries()) {
        const text = unfitText(item, role, parameter, context);
        if (text !== undefined) report(finding(text, { call, parameter, role, inside: [position], context }));
      }
    } else if (value !== undefined) {
      const text = unfitText(value, role, parameter, context);
      if (text !== undefined) report(finding(text, { call, parameter, role, inside: [], context }));
    }
  }
}

/** The text that a value is, where the role does not take it. */
function unfitText(value: Json, role: TextRole, parameter: Parameter, context: RoleContext): string | undefined {
  const text = literalText(value, context.tokens);
  // Empty texts are the schema's matter.
  return text === undefined || text === '' || role.fits(text, context, parameter) ? undefined : text;
}

interface Unfit {
  readonly call: Call;
  readonly parameter: Parameter;
  readonly role: TextRole;
  /** The way from the parameter's value to the text. */
  readonly inside: Route;
  readonly context: RoleContext;
}

function finding(text: string, { call, parameter, role, inside, context }: Unfit): Diagnostic {
  const { document } = context;
  return d.valueUnfitForRole({
    at: { source: document.source, route: argumentRoute(call, parameter.name, document, inside), part: 'value' },
    parameter: parameter.name,
    command: call.signature.info.name,
    expected: role.expected,
    actual: JSON.stringify(text),
    nearest: parameter.role === 'command-name' ? context.nearest(text) : undefined,
  });
}

function isHost(text: string): boolean {
  if (/[\s/?#@\\\0]/.test(text)) return false;
  return URL.canParse(`http://${text.includes(':') ? `[${text.replace(/^\[|\]$/g, '')}]` : text}/`);
}

/** `s3://bucket/key`: what a folder would have to be called to be meant is nothing that anybody calls a folder. */
function isAddress(text: string): boolean {
  return ADDRESS.test(text);
}

const ADDRESS = /^[A-Za-z][A-Za-z\d+.-]+:\/\//;
