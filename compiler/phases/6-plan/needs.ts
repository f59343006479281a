import { namesProgram } from '#grammar/browser-start/names-program.ts';
import { formOf } from '#grammar/storage-uri/schemes.ts';
import { packageOf } from '#grammar/module-ref/parse.ts';
import { portFacts as ports } from '#schemas/generated/port-facts.ts';
import type { Callable, Parameter } from '#schemas/types/command.ts';
import { eachConditionReference } from '#schemas/types/condition-references.ts';
import { eachReference, foldValue, literalOf } from '#schemas/types/fold-value.ts';
import { isList } from '#schemas/types/json.ts';
import type { Needs, Node, Value } from '#schemas/types/plan.ts';
import { schemeOf } from '#schemas/types/scheme.ts';
import { conditionsOf, valuesOf } from '#schemas/types/walk-nodes.ts';

import type { KnownModule } from '../4-resolve/modules.ts';

import { choiceOf, staysHere } from './choices.ts';

/** Gathers what the run of one file will ask of its surroundings. */
export class NeedsOf {
  readonly #commands = new Set<string>();
  readonly #effects = new Set<string>();
  readonly #ports = new Set<string>();
  readonly #gates = new Set<string>();
  readonly #env = new Set<string>();
  readonly #files = new Set<string>();
  readonly #hosts = new Set<string>();
  readonly #packages = new Set<string>();
  readonly #telling = new Map<Callable, ReadonlyMap<string, Parameter>>();

  command(info: Callable): void {
    if (this.#commands.has(info.name)) return;
    this.#commands.add(info.name);
    for (const effect of info.effects) if (effect !== 'network' || !mayStayHere(info)) this.#effects.add(effect);
    for (const port of info.needs) if (!mayGoWithout(port, info)) this.#port(port, info.params);
    if (info.gate !== undefined) this.#gates.add(info.gate);
  }

  /** A port with those behind it; of what it chooses from, all where no parameter chooses. */
  #port(name: string, parameters: readonly Parameter[] = []): void {
    if (!this.#ports.has(name)) {
      this.#ports.add(name);
      for (const needed of ports[name]?.needs ?? []) this.#port(needed);
    }
    if (parameters.some(({ chooses }) => chooses === name)) return;
    for (const provider of Object.values(ports[name]?.choose ?? {})) this.#port(provider);
  }

  node(node: Node, info: Callable): void {
    if (node.kind === undefined) this.command(info);
    if (node.kind === 'use' && node.base_url !== undefined) this.address(node.base_url);
    if (node.kind !== undefined) for (const value of valuesOf(node)) this.value(value);
    const telling = this.#tellingOf(info);
    for (const name in node.args) {
      const value = node.args[name];
      if (value !== undefined) this.#argument(value, telling.get(name));
    }
    for (const parameter of telling.values()) {
      const value = node.args[parameter.name];
      this.#chosen(parameter, value, info);
      if (value !== undefined) this.#packed(parameter, value);
    }
    if (node.kind === undefined) this.#reaches(node, info);
    for (const { tree } of conditionsOf(node)) {
      eachConditionReference(tree, (ref) => {
        if (ref.ns === 'ENV' || ref.ns === 'env') this.#env.add(ref.name);
      });
    }
  }

  /**
   * Notes what the value of a parameter chooses: nothing for a path of this machine where others would go to storage.
   */
  #chosen(parameter: Parameter, value: Value | undefined, info: Callable): void {
    const { chooses } = parameter;
    if (chooses === undefined || (parameter.else_local && staysHere(parameter, value) === true)) return;
    if (mayGoWithout(chooses, info)) this.#port(chooses, info.params);
    for (const port of choiceOf(parameter, value).ports) this.#port(port);
  }

  /** Notes the port behind a path that ends in `.zip`, or may. */
  #packed({ packs }: Parameter, value: Value): void {
    if (packs === undefined) return;
    const path = literalOf(value);
    if (path === undefined || (typeof path === 'string' && path.endsWith('.zip'))) this.#port(packs);
  }

  /** Notes that a command which may stay on this machine leaves it for an address. */
  #reaches({ args }: Node, info: Callable): void {
    if (!mayStayHere(info) || !info.effects.includes('network')) return;
    const leaves = info.params.some(
      (parameter) => parameter.else_local && staysHere(parameter, args[parameter.name]) === false,
    );
    if (leaves) this.#effects.add('network');
  }

  /** The parameters of a command whose values tell what it needs. */
  #tellingOf(info: Callable): ReadonlyMap<string, Parameter> {
    let telling = this.#telling.get(info);
    if (telling === undefined) {
      const tells = ({ role, language, chooses, packs, starts }: Parameter): boolean =>
        role !== undefined || language === 'url' || [chooses, packs, starts].some((each) => each !== undefined);
      telling = new Map(info.params.filter(tells).map((parameter) => [parameter.name, parameter]));
      this.#telling.set(info, telling);
    }
    return telling;
  }

  #argument(value: Value, parameter: Parameter | undefined): void {
    const literal = literalOf(value);
    if (literal === undefined) this.value(value);
    if (parameter === undefined) return;
    const { starts, role, language } = parameter;
    if (starts !== undefined && namesProgram(starts, knownPart(value)) !== undefined) this.#gates.add('shell');
    if (literal === undefined || (role === undefined && language !== 'url')) return;
    for (const text of isList(literal) ? literal : [literal])
      if (typeof text === 'string' && text !== '') this.#named(text, parameter);
  }

  /** Notes the thing that one text of a parameter names. */
  #named(text: string, parameter: Parameter): void {
    const { role, language, chooses } = parameter;
    if (language === 'url' || (chooses !== undefined && namesHost(text))) this.host(text);
    else if (parameter.else_local && staysHere(parameter, { lit: text }) === false) return;
    else if (role === 'host') this.#hosts.add(text);
    else if (role === 'env-key') this.#env.add(text);
    else if (role === 'local-path') this.file(text);
  }

  /** The environment keys of a value. */
  value(value: Value): void {
    eachReference(value, (ref) => {
      if (ref.ns === 'ENV' || ref.ns === 'env') this.#env.add(ref.name);
    });
  }

  /** Notes a module, which must be there where the file runs. */
  module({ kind, place }: KnownModule): void {
    if (kind === 'package') this.#packages.add(packageOf(place));
    else this.file(place.replace(/^\.\//, ''));
  }

  file(path: string): void {
    this.#files.add(path);
  }

  /** The start of relative addresses. */
  address(base: Value): void {
    this.value(base);
    const address = literalOf(base);
    if (typeof address === 'string') this.host(address);
  }

  /** The host of an absolute address; of a relative one there is none. */
  host(address: string): void {
    const host = URL.parse(address)?.host ?? '';
    if (host !== '') this.#hosts.add(host);
  }

  done(): Needs {
    const packages = new Set([...this.#packages, ...[...this.#ports].flatMap((port) => ports[port]?.externals ?? [])]);
    const sorted = (names: ReadonlySet<string>): readonly string[] => [...names].sort();
    return {
      commands: sorted(this.#commands),
      effects: sorted(this.#effects),
      ports: sorted(this.#ports),
      gates: sorted(this.#gates),
      env: sorted(this.#env),
      files: sorted(this.#files),
      hosts: sorted(this.#hosts),
      packages: sorted(packages),
    };
  }
}

/** Whether a command does without a port where all of its paths are of this machine. */
function mayGoWithout(port: string, { params }: Callable): boolean {
  const choosing = params.filter(({ chooses }) => chooses === port);
  return choosing.length > 0 && choosing.every((parameter) => parameter.else_local);
}

/** Whether a command takes paths of this machine in the place of all of its addresses. */
function mayStayHere({ params }: Callable): boolean {
  return params.some((parameter) => parameter.else_local);
}

/** Whether what stands behind the scheme is a server: not a bucket, nor a path. */
function namesHost(text: string): boolean {
  const scheme = schemeOf(text);
  return scheme !== '' && !['container', 'path'].includes(formOf(scheme) ?? '');
}

/**
 * The part of a value that is known before the run: texts up to their first reference, lists and objects
 * without their references.
 */
function knownPart(value: Value): unknown {
  return foldValue<unknown>(value, {
    lit: (literal) => literal,
    // Less than the name of a switch says nothing.
    text: ([first]) => (typeof first === 'string' && first.includes('=') ? first : undefined),
    ref: () => undefined,
    list: (parts) => parts.filter((part) => part !== undefined),
    // A key with a value that is not known yet is there all the same.
    map: (entries) => Object.fromEntries(entries.map(([key, part]) => [key, part ?? null])),
    block: () => undefined,
  });
}
