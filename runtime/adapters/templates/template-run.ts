import * as fail from '#schemas/generated/failures.ts';

import { escapeHtml, escapeJson } from './escape.ts';
import { filters, type Filtered } from './filters.ts';
import { Environment, Interpreter, type Node, type Scope, type Value } from './library.ts';
import { operated } from './operators.ts';

/** Pieces that are evaluated, and characters that are written. */
const MOST_STEPS = 2_000_000;
/** Pieces inside one another, macros that call themselves among them. */
const DEEPEST = 400;
const LONGEST = 64 * 1024 * 1024;
/**
 * Characters, and members of lists at eight each, that filters, operators and calls go through or make: a step may do
 * much.
 */
const MOST_WORK = 2 ** 27;
const MEMBER = 8;
/** Half of a character that takes two places of a text. */
const SURROGATE = /[\ud800-\udfff]/;

/** Properties of the parser's nodes that are read here. */
interface Seen {
  readonly type: string;
  readonly value?: unknown;
  readonly expression?: Node;
  readonly operand?: Node;
  readonly object?: Node;
  readonly callee?: Seen;
  readonly test?: Seen;
  readonly filter?: Seen;
  readonly name?: Seen;
  readonly assignee?: Seen;
  readonly property?: Seen;
  readonly computed?: boolean;
  readonly args?: readonly Node[];
  readonly key?: Seen;
  readonly left?: Node;
  readonly right?: Node;
  readonly operator?: { readonly value: string };
}

/** A value that has been found, in the place of the piece of the template that gives it. */
interface Given extends Node {
  readonly type: 'Given';
  readonly value: Value;
}

/** One filling of a template: unknown names are failures, written values are escaped, and everything is counted. */
export class TemplateRun extends Interpreter {
  readonly #autoescape: boolean;
  /** Texts that are markup already. */
  readonly #safe = new WeakSet<object>();
  readonly #macros = new WeakSet<object>();
  #steps = 0;
  #depth = 0;
  #written = 0;
  #work = 0;
  /** Above 0 while a name may be unknown. */
  #lenient = 0;

  constructor(scope: Scope, autoescape: boolean) {
    super(scope);
    this.#autoescape = autoescape;
  }

  override evaluate(node: Node | undefined, scope: Scope): Value {
    this.#steps += 1;
    if (this.#steps > MOST_STEPS || this.#depth >= DEEPEST) throw fail.templateTooMuch({});
    this.#depth += 1;
    try {
      return this.#evaluated(node, scope);
    } finally {
      this.#depth -= 1;
    }
  }

  #evaluated(node: Node | undefined, scope: Scope): Value {
    const seen: Seen | undefined = node;
    switch (seen?.type) {
      case 'Given':
        return (node as Given).value;
      case 'Output':
        return this.#output(this.evaluate(seen.expression, scope));
      case 'StringLiteral':
        this.#count(String(seen.value).length);
        return super.evaluate(node, scope);
      case 'BinaryExpression':
        return this.#operated(node, seen, scope);
      case 'MemberExpression':
        return this.#worked(
          this.#known(this.#member(node, seen, scope), seen),
          seen.property?.type === 'SliceExpression',
        );
      case 'Identifier':
        return this.#known(super.evaluate(node, scope), seen);
      case 'TestExpression':
        return isAbout(seen.test, ['defined', 'undefined'])
          ? this.#leniently(node, scope)
          : super.evaluate(node, scope);
      case 'FilterExpression':
        return this.#filtered(node, seen, scope);
      case 'CallExpression':
        return this.#called(node, seen, scope);
      case 'Macro':
      case 'Set':
        return this.#remember(node, seen, scope);
      default:
        return super.evaluate(node, scope);
    }
  }

  #output(value: Value): Value {
    if (value.type === 'NullValue' || value.type === 'UndefinedValue') return value;
    const text = value.toString();
    const shown = this.#autoescape && !this.#safe.has(value) ? escapeHtml(text) : text;
    this.#count(shown.length);
    return this.#text(shown);
  }

  #count(length: number): void {
    this.#written += length;
    if (this.#written > LONGEST) throw fail.templateTooMuch({});
  }

  /** Counts what is large; most values are small, or have only been named. */
  #worked(value: Value, isMade = true): Value {
    const { value: inner } = value;
    if (!isMade || (typeof inner !== 'string' && !Array.isArray(inner))) return value;
    const length = inner.length;
    this.#work += typeof inner === 'string' ? length : length * MEMBER;
    if (this.#work > MOST_WORK || length > (typeof inner === 'string' ? LONGEST : MOST_STEPS))
      throw fail.templateTooMuch({});
    return value;
  }

  #operated(node: Node | undefined, { operator, left, right }: Seen, scope: Scope): Value {
    const name = operator?.value ?? '';
    if (name === 'and' || name === 'or') return super.evaluate(node, scope);
    const [one, other] = [left, right].map((part) => {
      const value = this.evaluate(part, scope);
      // Null is written as nothing.
      return name === '~' && value.type === 'NullValue' ? this.#text('') : value;
    }) as [Value, Value];
    // Joined texts share what they are made of; what is looked through is not.
    if (name !== '~' && name !== '+') [one, other].forEach((value) => this.#worked(value));
    const outcome =
      one.type === 'UndefinedValue' || other.type === 'UndefinedValue' ? undefined : operated(name, one, other);
    if (outcome !== undefined) return typeof outcome === 'boolean' ? madeOf(outcome) : this.#number(outcome);
    const found = super.evaluate({ ...(node as Seen), left: given(one), right: given(other) } as Seen, scope);
    if (typeof found.value === 'string' && found.value.length > LONGEST) throw fail.templateTooMuch({});
    return this.#worked(found, Array.isArray(found.value));
  }

  #number({ number, isFloat }: { readonly number: number; readonly isFloat: boolean }): Value {
    return super.evaluate({ type: isFloat ? 'FloatLiteral' : 'IntegerLiteral', value: number } as Seen, this.global);
  }

  #text(text: string): Value {
    return super.evaluate({ type: 'StringLiteral', value: text } as Seen, this.global);
  }

  #markup(text: string): Value {
    const value = this.#text(text);
    this.#safe.add(value);
    return value;
  }

  /** A text has characters as its members, not halves of them. */
  #member(node: Node | undefined, { object, property, computed }: Seen, scope: Scope): Value {
    const holder = this.evaluate(object, scope);
    const whole = { ...(node as Seen), object: given(holder) } as Seen;
    const isPlain = typeof holder.value !== 'string' || !SURROGATE.test(holder.value);
    if (isPlain || computed !== true || property?.type === 'SliceExpression') return super.evaluate(whole, scope);
    const index = this.evaluate(property, scope);
    const characters = [...String(this.#worked(holder).value)];
    const found = typeof index.value === 'number' ? characters.at(index.value) : undefined;
    return found === undefined
      ? super.evaluate({ ...whole, property: given(index) } as Seen, scope)
      : this.#text(found);
  }

  #known(value: Value, seen: Seen): Value {
    if (value.type === 'UndefinedValue' && this.#lenient === 0) throw fail.templateNameUnknown({ name: nameOf(seen) });
    return value;
  }

  #leniently(node: Node | undefined, scope: Scope): Value {
    this.#lenient += 1;
    try {
      return super.evaluate(node, scope);
    } finally {
      this.#lenient -= 1;
    }
  }

  #filtered(node: Node | undefined, seen: Seen, scope: Scope): Value {
    const name = seen.filter?.type === 'CallExpression' ? seen.filter.callee?.value : seen.filter?.value;
    switch (name) {
      case 'safe':
        return this.#markup(this.evaluate(seen.operand, scope).toString());
      case 'e':
      case 'escape': {
        const value = this.evaluate(seen.operand, scope);
        return this.#safe.has(value) ? value : this.#markup(escapeHtml(value.toString()));
      }
      case 'tojson':
        return this.#markup(escapeJson(super.evaluate(node, scope).toString()));
      case 'default':
      case 'd':
        return this.#defaulted(seen, scope);
      default:
        return this.#plainlyFiltered(node, seen, String(name), scope);
    }
  }

  #plainlyFiltered(node: Node | undefined, { operand, filter }: Seen, name: string, scope: Scope): Value {
    const value = this.#worked(this.evaluate(operand, scope));
    const own = Object.hasOwn(filters, name) ? filters[name] : undefined;
    const found = own?.(value, (place, named) => this.#argument(filter?.args ?? [], place, named, scope));
    if (found !== undefined) return this.#worked(this.#valueOf(found));
    return this.#worked(super.evaluate({ ...(node as Seen), operand: given(value) } as Seen, scope));
  }

  #argument(args: readonly Node[], place: number, name: string, scope: Scope): unknown {
    const isNamed = ({ type }: Node): boolean => type === 'KeywordArgumentExpression';
    const byName = (args as readonly Seen[]).find((arg) => isNamed(arg) && arg.key?.value === name);
    const node = byName === undefined ? args.filter((arg) => !isNamed(arg))[place] : (byName.value as Node);
    return node === undefined ? undefined : this.evaluate(node, scope).value;
  }

  #valueOf(found: Filtered): Value {
    if (typeof found === 'string') return this.#text(found);
    if ('texts' in found) return madeOf(found.texts);
    return 'value' in found ? found.value : this.#number(found);
  }

  /**
   * The value of the operand, or the first argument where there is none; with a true second one also for what counts as
   * false.
   */
  #defaulted({ operand, filter }: Seen, scope: Scope): Value {
    const value = this.#optional(operand, scope);
    const [first, second] = ((filter as { readonly args?: readonly Node[] } | undefined)?.args ?? []).map((arg) => {
      const { type, value: inner } = arg as Seen;
      return type === 'KeywordArgumentExpression' ? (inner as Node) : arg;
    });
    const isWanted =
      value.type === 'UndefinedValue' ||
      (second !== undefined && this.evaluate(second, scope).__bool__().value && !value.__bool__().value);
    if (!isWanted) return value;
    return first === undefined ? this.#text('') : this.evaluate(first, scope);
  }

  #optional(node: Node | undefined, scope: Scope): Value {
    this.#lenient += 1;
    try {
      return this.evaluate(node, scope);
    } finally {
      this.#lenient -= 1;
    }
  }

  /** Value of a call; the output of a macro has been escaped already. */
  #called(node: Node | undefined, seen: Seen, scope: Scope): Value {
    const value = this.#worked(super.evaluate(node, scope));
    const name = seen.callee?.type === 'Identifier' ? String(seen.callee.value) : undefined;
    if (name === undefined || value.type !== 'StringValue') return value;
    const isMacro = name === 'caller' || this.#macros.has(scope.lookupVariable(name));
    return isMacro ? this.#markup(value.toString()) : value;
  }

  #remember(node: Node | undefined, seen: Seen, scope: Scope): Value {
    const result = super.evaluate(node, scope);
    if (seen.type === 'Macro') this.#macros.add(scope.lookupVariable(String(seen.name?.value)));
    // A block that is set has been written, and so escaped.
    else if (seen.value === null && seen.assignee?.type === 'Identifier')
      this.#safe.add(scope.lookupVariable(String(seen.assignee.value)));
    return result;
  }
}

function given(value: Value): Given {
  return { type: 'Given', value };
}

function madeOf(value: boolean | readonly string[]): Value {
  return new Environment().set('value', value);
}

function isAbout(test: Seen | undefined, names: readonly string[]): boolean {
  return names.includes(String(test?.value));
}

/** A name with what follows it, as far as it is written plainly. */
function nameOf(seen: Seen): string {
  if (seen.type === 'Identifier') return String(seen.value);
  const object: Seen | undefined = seen.object;
  const holder = object?.type === 'Identifier' || object?.type === 'MemberExpression' ? nameOf(object) : '…';
  const key = seen.property?.value;
  return typeof key === 'string' || typeof key === 'number' ? `${holder}.${key}` : `${holder}[…]`;
}
