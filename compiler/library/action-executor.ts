import { catalogue } from '#compiler/catalogue.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';

import {
  execute_action,
  execute_action_dag,
  execute_action_parallel,
  execute_files,
  validate_action,
  type ActionList,
  type ActionResults,
  type DagNode,
  type DagOptions,
  type ExecuteOptions,
  type ParallelOptions,
} from './execute.ts';
import { Session } from './session.ts';
import { CallbackTable } from '#runtime/adapters/modules/callback-table.ts';
import type { Functions, OwnFunction, SessionOptions } from '#compiler/engine/unit-session.ts';

/** Runs action lists that may call functions of the program beside the standard library. */
export class ActionExecutor {
  #functions: Functions = {};

  /** `registry`: functions by command name, as `add_command_to_executor` takes them. */
  constructor(registry: Functions | null = null) {
    if (registry !== null) this.add_command_to_executor(registry);
  }

  /** Runs like the function of that name, with the functions of this executor as commands. */
  execute_action(actions: ActionList, options: ExecuteOptions = {}): Promise<ActionResults> {
    return execute_action(actions, { ...options, functions: this.#functions });
  }

  /** Runs like the function of that name, with the functions of this executor as commands. */
  execute_action_parallel(actions: ActionList, options: ParallelOptions = {}): Promise<ActionResults> {
    return execute_action_parallel(actions, { ...options, functions: this.#functions });
  }

  /** Runs like the function of that name, with the functions of this executor as commands. */
  execute_action_dag(nodes: readonly DagNode[], options: DagOptions = {}): ReturnType<typeof execute_action_dag> {
    return execute_action_dag(nodes, { ...options, functions: this.#functions });
  }

  /** Functions of the program are not known inside files: those may run elsewhere too. */
  execute_files(paths: readonly string[], options: SessionOptions = {}): Promise<readonly ActionResults[]> {
    return execute_files(paths, options);
  }

  /** Checks like the function of that name; the functions of this executor are known. */
  validate_action(actions: ActionList, options: SessionOptions = {}): Promise<readonly string[]> {
    return validate_action(actions, { ...options, functions: this.#functions });
  }

  /**
   * All or none: throws `AddCommandException` for what is no function, and for names of the standard library, which are
   * never replaced.
   */
  add_command_to_executor(command_dict: Functions): void {
    for (const [name, given] of Object.entries(command_dict)) {
      const problem = problemOf(name, given);
      if (problem !== undefined) throw fail.commandNotAdded({ name, reason: problem });
    }
    this.#functions = { ...this.#functions, ...command_dict };
  }
}

function problemOf(name: string, given: OwnFunction): string | undefined {
  if (typeof given !== 'function') return 'it is no function';
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return 'a command name consists of letters, digits and underscores';
  return catalogue.has(name) ? 'the standard library has a command of that name' : undefined;
}

/** Arguments of a command and of its callback. */
export interface CallbackOptions {
  /** Arguments of the callback: named values for `kwargs`, a list for `args`. */
  readonly callback_function_param?: Readonly<Record<string, Json>> | readonly Json[] | null;
  /** Whether the callback's own parameters are one object (`kwargs`, the default) or a list (`args`). */
  readonly callback_param_method?: 'kwargs' | 'args';
  /** Parameters of the command. */
  readonly kwargs?: Readonly<Record<string, Json>>;
}

/** Runs a command and then a function of the program. */
export class CallbackExecutor {
  /**
   * Functions that modules add by `AT_add_package_to_callback_executor` and its WR_ twin, called here or in
   * lists that are given this table.
   */
  readonly callbacks: CallbackTable = new CallbackTable();
  readonly #functions: Functions;

  /** `registry`: functions by command name, known beside the standard library. */
  constructor(registry: Functions = {}) {
    this.#functions = registry;
  }

  /**
   * Answers with the command's value. The callback is called behind it, with its own parameters and, as the last one,
   * that value. Everything is checked before the command runs; one that fails is not followed by the callback.
   */
  async callback_function(
    trigger_function_name: string,
    callback_function: (...given: never[]) => unknown,
    options: CallbackOptions = {},
  ): Promise<unknown> {
    const isKnown = catalogue.has(trigger_function_name) || Object.hasOwn(this.#functions, trigger_function_name);
    const added = isKnown ? undefined : this.callbacks.get(trigger_function_name);
    if (!isKnown && !added)
      throw fail.callbackRefused({ name: trigger_function_name, reason: 'there is no command of that name' });
    const given = callbackValues(trigger_function_name, callback_function, options);
    const functions = { ...this.#functions, ...(added && { [trigger_function_name]: added }) };
    await using session = await Session.open({ functions, callbacks: this.callbacks });
    const value = await session.action(trigger_function_name, { ...options.kwargs });
    await (callback_function as (...values: unknown[]) => unknown)(...given, value);
    return value;
  }
}

function callbackValues(
  name: string,
  callback: unknown,
  { callback_function_param: given = null, callback_param_method: method = 'kwargs' }: CallbackOptions,
): readonly unknown[] {
  const refuse = (reason: string): never => {
    throw fail.callbackRefused({ name, reason });
  };
  if (typeof callback !== 'function') return refuse('it is no function');
  if (method !== 'kwargs' && method !== 'args') return refuse('the method is one of "args", "kwargs"');
  if (given === null) return [];
  if (typeof given !== 'object' || Array.isArray(given) !== (method === 'args'))
    return refuse(`the method "${method}" takes ${method === 'args' ? 'a list' : 'an object'}`);
  return method === 'args' ? (given as readonly unknown[]) : [given];
}
