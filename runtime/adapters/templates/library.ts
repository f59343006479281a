import * as jinja from '@huggingface/jinja';

/** A piece of a template: what the library's parser makes. */
export interface Node {
  readonly type: string;
}

/** A value while a template is filled. */
export interface Value {
  readonly type: string;
  readonly value: unknown;
  toString(): string;
  __bool__(): { readonly value: boolean };
}

export interface Scope {
  readonly variables: Map<string, Value>;
  set(name: string, value: unknown): Value;
  lookupVariable(name: string): Value;
}

export interface Runner {
  readonly global: Scope;
  run(program: Node): Value;
  evaluate(node: Node | undefined, scope: Scope): Value;
}

interface Library {
  readonly Environment: new (parent?: Scope) => Scope;
  readonly Interpreter: new (scope?: Scope) => Runner;
  tokenize(template: string): readonly unknown[];
  parse(tokens: readonly unknown[]): Node;
}

// The library's own types name files without their endings, which this way of resolving modules does not find.
const library = jinja as unknown as Library;

export const { Environment, Interpreter, tokenize, parse } = library;
