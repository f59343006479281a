import type { Document } from '#grammar/document/document.ts';
import type { CompileContext } from '#compiler/context.ts';
import * as d from '#schemas/generated/diagnostics.ts';
import { isObject } from '#schemas/types/json.ts';
import type { Validate } from '#schemas/types/validation.ts';

import { commandLabel } from '../4-resolve/bind.ts';
import { isListSwitch } from '../4-resolve/calls.ts';
import { literalText } from '../4-resolve/flow.ts';
import type { Call, CallList, ResolvedFile } from '../4-resolve/resolved.ts';
import type { Signature } from '../4-resolve/signature.ts';
import type { Tokens } from '../4-resolve/tokens.ts';
import { eachList } from '../4-resolve/walk-calls.ts';

import { addressDiagnostic, isAddress } from './address.ts';
import type { Problem } from './answer.ts';
import { checkBuiltIds } from './built-ids.ts';
import { explainCall } from './explain.ts';
import { checkLoop } from './loops.ts';
import { checkUse } from './uses.ts';
import { inputsFit } from './inputs.ts';
import { Languages } from './languages.ts';
import { PatternTests } from './pattern-tests.ts';
import { checkRoles, type RoleContext } from './roles.ts';
import { shapeProblem } from './schema-shape.ts';
import { fits, type Walk } from './walker.ts';

/** Most values that one call is held to by a schema from a stranger's package. */
const MOST_VALUES = 100_000;

/** Checks of every call of a command, looked up once. */
interface Checked {
  readonly validate: Validate;
  /** The parameters as one closed object schema, for the walker. */
  readonly schema: Parameters<typeof fits>[0];
}

/**
 * Holds the arguments of every call to the generated schemas: literal ones by the command's validator, those around
 * references by the three-answer walker, which also finds the words. Small languages are held to their grammars.
 */
export async function check(resolved: ResolvedFile, tokens: Tokens, context: CompileContext): Promise<void> {
  const { setup, body, teardown, file } = resolved;
  const checking = new Checking(resolved, tokens, context);
  for (const list of [setup, body, teardown]) checking.list(list);
  await checking.languages.check(context.report);
  inputsFit(file, context);
  baseFits(file, tokens, context.report);
  defaultsFit(resolved, context);
  checkBuiltIds(resolved, file.document, context.report);
}

/** `meta.base_url` is a whole address: nothing completes it. */
function baseFits({ document, meta }: ResolvedFile['file'], tokens: Tokens, report: CompileContext['report']): void {
  const text = meta.base_url === undefined ? undefined : literalText(meta.base_url, tokens);
  if (text === undefined || isAddress(text, false)) return;
  const at = { source: document.source, route: ['meta', 'base_url'], part: 'value' } as const;
  report(addressDiagnostic(text, { at, route: at.route, command: 'meta', parameter: 'base_url' }));
}

/** Most unknown names of a file for which the nearest command is looked up. */
const MOST_NEAREST = 100;

/** Commands in `meta.defaults` exist, whether or not the file calls them. */
function defaultsFit({ file: { document, meta }, modules }: ResolvedFile, { catalogue, report }: CompileContext): void {
  const unknown = Object.keys(meta.defaults ?? {}).filter(
    (command) => !catalogue.has(command) && !isOfModule(command, modules),
  );
  for (const [index, command] of unknown.entries()) {
    const at = { source: document.source, route: ['meta', 'defaults', command], part: 'key' } as const;
    const nearest = index < MOST_NEAREST ? catalogue.didYouMean(command)[0] : undefined;
    report(d.unknownDefaultCommand({ at, command, nearest }));
  }
}

function isOfModule(command: string, modules: ResolvedFile['modules']): boolean {
  return modules.some(({ prefix }) => command.startsWith(`${prefix}_`));
}

class Checking {
  readonly languages: Languages;
  readonly #document: Document;
  readonly #walk: Walk;
  readonly #roles: RoleContext;
  readonly #context: CompileContext;
  readonly #checked = new Map<Signature, Checked>();
  readonly #planned = new Set<Signature>();
  readonly #types: ResolvedFile['types'];

  constructor({ file, modules, types }: ResolvedFile, tokens: Tokens, context: CompileContext) {
    const { document, meta } = file;
    const { catalogue } = context;
    this.#document = document;
    this.#types = types;
    this.#roles = {
      document,
      tokens,
      // Only names with our beginnings are sure to be ours: a run may know others.
      isCommand: (name) => catalogue.has(name) || !/^(?:WR|AT|FA)_/.test(name) || isOfModule(name, modules),
      nearest: (name) => catalogue.didYouMean(name)[0],
    };
    this.languages = new Languages(document, tokens, meta);
    this.#walk = { tokens, isMatch: new PatternTests(context.host).test };
    this.#context = context;
  }

  list(list: CallList): void {
    eachList([list], ({ calls }) => {
      // By index: a loop over a long list runs for the most part before it is optimised.
      for (let index = 0; index < calls.length; index += 1) {
        const call = calls[index];
        if (call !== undefined) this.#call(call);
      }
    });
  }

  #call(call: Call): void {
    const { signature } = call;
    // A function of a module takes what it takes, where nothing is declared for it.
    if (signature.module !== undefined) return this.#module(call);
    if (signature.control !== undefined) return this.#control(call);
    const checked = this.#checked.get(signature) ?? this.#prepare(signature);
    if (!signature.info.implemented) this.#isPlanned(call);
    // What fits as it is written fits also when its references are filled, as far as that is known now: a text that the
    // validator takes is no definite mistake. Only escapes can stand for something that does not fit.
    if (hasEscapes(call) || this.#types.has(call) || checked.validate(call.args).length > 0)
      this.#explain(call, checked);
    if (signature.languages.length > 0) this.languages.note(call);
    if (signature.roles.length > 0) checkRoles(call, this.#roles, this.#context.report);
  }

  /** Checks a function of a plugin against the parameters that its package declares. */
  #module(call: Call): void {
    const { takes } = call.signature;
    const { keywords = {} } = call.args;
    if (takes === undefined || !isObject(keywords)) return;
    const declared: Call = { ...call, signature: takes, args: keywords };
    const { problems } = fits(declaredSchema(takes), keywords, { ...this.#walk, budget: { left: MOST_VALUES } });
    explainCall(problems, declared, this.#document, this.#walk).forEach(this.#context.report);
  }

  /** Checks the keys of a control form: no validator is generated for them. */
  #control(call: Call): void {
    const types = this.#types.get(call);
    const walk = { ...this.#walk, types };
    const { problems } = fits(schemaOf(call.signature), call.args, { ...walk, opaque: call.signature.opaque });
    // Names and paths were judged as they were read.
    const names: readonly unknown[] = call.signature.control?.names ?? [];
    const others = problems.filter(({ route: [key] }) => !names.includes(key));
    explainCall(others, call, this.#document, this.#walk, types).forEach(this.#context.report);
    checkLoop(call, this.#document, walk, this.#context.report);
    if (call.used === undefined) return;
    checkUse(call, call.used, this.#document, this.#walk, types).forEach(this.#context.report);
  }

  #prepare(signature: Signature): Checked {
    const validate = this.#context.catalogue.validator(signature.info.name);
    if (validate === undefined) throw new Error(`there is no validator for ${signature.info.name}`);
    const checked = { validate, schema: schemaOf(signature) };
    this.#checked.set(signature, checked);
    return checked;
  }

  #explain(call: Call, { schema, validate }: Checked): void {
    const types = this.#types.get(call);
    const verdict = fits(schema, call.args, { ...this.#walk, types, opaque: call.signature.opaque });
    const problems = verdict.problems.filter((problem) => !this.#isSaidElsewhere(problem, call));
    explainCall(problems, call, this.#document, this.#walk, types).forEach(this.#context.report);
    if (call.texts === undefined && verdict.answer === 'yes') {
      const [finding] = validate(call.args);
      throw new Error(
        `the walker takes what the validator of ${call.signature.info.name} refuses: ${JSON.stringify(finding)}`,
      );
    }
  }

  /**
   * Whether another phase reports it better: resolve reports switches that compiled steps cannot have, and grammars are
   * more exact than patterns.
   */
  #isSaidElsewhere({ keyword, route: [parameter, inside] }: Problem, call: Call): boolean {
    if (call.blocks !== undefined && isListSwitch(parameter)) return true;
    return (
      (keyword === 'pattern' || keyword === 'format') &&
      typeof parameter === 'string' &&
      inside === undefined &&
      this.languages.refuses(call, parameter)
    );
  }

  /** Reports a planned command, once a command and file; in `compile` and `run` it is an error. */
  #isPlanned(call: Call): void {
    if (this.#planned.has(call.signature)) return;
    this.#planned.add(call.signature);
    const { verb, report } = this.#context;
    const diagnostic = d.commandPlanned({
      at: commandLabel(call.step, this.#document),
      command: call.signature.info.name,
    });
    report(verb === 'compile' || verb === 'run' ? { ...diagnostic, severity: 'error' } : diagnostic);
  }
}

function hasEscapes({ texts }: Call): boolean {
  return texts !== undefined && texts.some(({ text }) => text.includes('$${') || text.includes('\\{{'));
}

/** The parameters of a function of a stranger: a schema of theirs that is none asks for nothing. */
function declaredSchema(takes: Signature): Parameters<typeof fits>[0] {
  const params = takes.info.params.map((parameter) =>
    shapeProblem(parameter.schema) === undefined ? parameter : { ...parameter, schema: {} },
  );
  return schemaOf({ ...takes, info: { ...takes.info, params } });
}

/** The schema that the command's validator was generated from: parameters that hold steps are checked as steps. */
export function schemaOf({ info }: Signature): Parameters<typeof fits>[0] {
  const isBlock = (list: string | undefined): boolean => list === 'run' || list === 'background';
  return {
    type: 'object',
    properties: Object.fromEntries(info.params.map(({ name, schema, list }) => [name, isBlock(list) ? {} : schema])),
    required: info.params.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}
