import * as d from '#schemas/generated/diagnostics.ts';
import { findSecrets, mayHoldSecretIn, type FoundSecret } from '#grammar/secret/find-secrets.ts';
import type { Callable, Parameter } from '#schemas/types/command.ts';
import { isSecretHeader } from '#schemas/types/secret-key.ts';
import type { Route } from '#schemas/types/place.ts';

import { hostOf, isPublicHost } from '../literals.ts';
import { literal, type ResolvedCall, type Rule } from '../rule.ts';
import { insideArgument, REFERENCE, textsOf, type FoundText } from '../texts.ts';

/** Secrets come from the environment or from a secret file. */
export default {
  name: 'no-hardcoded-secret',
  preset: 'recommended',
  texts({ document, at, report }) {
    const mayHold = mayHoldSecretIn(document.text);
    if (mayHold === undefined) return undefined;
    // Many texts of a file are alike.
    const known = new Map<string, boolean>();
    return (text, path) => {
      if (!mayHold(text)) return;
      const isSecret = known.get(text) ?? findSecrets(text).some(isOfThisRule);
      known.set(text, isSecret);
      if (!isSecret) return;
      report(d.noHardcodedSecret({ at: at(path()), name: nameOf(path()) }));
    };
  },
  argument: {
    wants: (parameter, info, mayHold) =>
      parameter.secret === true ||
      (isHeaders(parameter, info) && mayHold(wordsOfHeaders)) ||
      ((isBody(parameter, info) || isTyped(parameter, info)) && mayHold(wordsOfPasswords)),
    look({ parameter, text }, call, report) {
      const { name } = parameter;
      if (name === 'value' && parameter.secret !== true && !isOfPassword(call)) return;
      const value = text === undefined ? call.node.args[name] : undefined;
      const texts = text !== undefined ? [{ text, path: [] }] : value === undefined ? [] : textsOf(value);
      if (texts.length === 0) return;
      for (const { path } of secretsIn(texts, parameter, call))
        report(d.noHardcodedSecret({ at: insideArgument(call, name, path), name: nameOf([name, ...path]) }));
    },
  },
} satisfies Rule;

function secretsIn(texts: readonly FoundText[], parameter: Parameter, call: ResolvedCall): readonly FoundText[] {
  if (parameter.secret === true) return ofSecret(texts);
  return isHeaders(parameter, call.info) ? ofHeaders(texts) : ofNames(call, parameter.name, texts);
}

/** Headers that a request sends; those that a mock answers with are its own. */
function isHeaders({ name }: Parameter, { effects }: Callable): boolean {
  return name === 'headers' && effects.includes('network');
}

/** Fields that a request sends. */
function isBody({ name }: Parameter, { effects }: Callable): boolean {
  return ['json', 'data', 'params', 'json_body'].includes(name) && effects.includes('network');
}

/** A text that is typed into a field, or stored under a name. */
function isTyped({ name }: Parameter, { params }: Callable): boolean {
  return name === 'value' && params.some((other) => other.name === 'selector' || other.name === 'name');
}

/** Passwords in addresses have a rule of their own. */
function isOfThisRule({ rule }: FoundSecret): boolean {
  return rule !== 'url_password';
}

/** The literal secret of a value: the password, of a pair of user name and password. */
function ofSecret(texts: readonly FoundText[]): readonly FoundText[] {
  return texts.slice(-1).filter(({ text }) => isLiteral(text));
}

function ofHeaders(texts: readonly FoundText[]): readonly FoundText[] {
  return texts.filter(({ text, path }) => isSecretHeader(nameOf(path)) && isLiteral(text));
}

/** Secrets by the names of their fields, the selector of the field or the name of the variable. */
function ofNames(call: ResolvedCall, parameter: string, texts: readonly FoundText[]): readonly FoundText[] {
  const found =
    parameter !== 'value'
      ? texts.filter(({ text, path }) => ofPasswords.test(nameOf(path)) && isChosen(text))
      : texts.filter(({ text }) => isChosen(text));
  return found.length === 0 || isAtHome(call) ? [] : found;
}

function isOfPassword(call: ResolvedCall): boolean {
  const target = [literal(call, 'selector'), literal(call, 'name')].find((each) => typeof each === 'string');
  return typeof target === 'string' && ofPasswords.test(target);
}

/** Services of one's own machine are told what stands in the test anyhow. */
function isAtHome(call: ResolvedCall): boolean {
  const url = call.info.params.find(({ language }) => language === 'url');
  const address = url && call.writtenAs(url)?.text;
  const host = address === undefined ? undefined : hostOf(address);
  return host !== undefined && !isPublicHost(host);
}

/** Words of which every such name of a header has one, and every such name of a field. */
const wordsOfHeaders = /pass|pwd|secret|token|key|cred|auth|webhook|dsn|cookie/i;
const wordsOfPasswords = /pass|pwd|secret|key|token/i;

/** Names of fields that hold what nobody else may know. */
const ofPasswords = new RegExp(
  `(?:^|[^a-z])(?:${[
    'pass(?:word|wd|phrase|code|$)',
    'pwd',
    '(?:client|shared|api)[-_ ]?secret',
    'secret[-_ ]?key',
    'api[-_ ]?key',
    '(?:access|auth|api|bearer)[-_ ]?token',
  ].join('|')})(?:$|[^a-z])`,
  'i',
);

/** Words of values that are no secrets: of examples, and of what a test of refusals sends. */
const ofTests = new RegExp(
  [
    'wrong|invalid|incorrect|bad|unknown|expired|none|null|weak|short',
    'test|example|sample|demo|dummy|fake|mock|placeholder|change|your',
    'secret|pass|pwd|token',
  ].join('|'),
  'i',
);

/** Whether a literal text looks like a secret that somebody chose: letters with digits or signs, in one word. */
function isChosen(text: string): boolean {
  if (!isLiteral(text) || text.length < 8 || /\s/.test(text) || ofTests.test(text)) return false;
  return /[a-z]/i.test(text) && /[^a-z]/i.test(text);
}

function isLiteral(text: string): boolean {
  return text !== '' && !text.includes(REFERENCE);
}

/** Name of a value: the last name on the way to it. */
function nameOf(route: Route): string {
  return String(route.findLast((piece) => typeof piece === 'string') ?? 'value');
}
