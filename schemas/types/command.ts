import type { Json, JsonObject } from './json.ts';
import type { StartPart } from './start-part.ts';

export type Domain = 'browser' | 'api' | 'files';
export type Effect =
  | 'pure'
  | 'browser'
  | 'network'
  | 'fs-read'
  | 'fs-write'
  | 'process'
  | 'db'
  | 'env'
  | 'state'
  | 'clock';
export type Gate = 'script' | 'packages' | 'shell' | 'private';
export type Repeat = 'pure' | 'idempotent' | 'once';

/**
 * Test by which a result counts as "did not hold" (`compiler/language/steps.md`): the value at `path` (dots;
 * empty: the result itself) is compared with `fails_when`: `false`, `empty` (no elements), `not-empty`, or
 * `none` (none of its elements is one of `of`). `message` names a failure of the catalogue, whose arguments are
 * parameters of the command.
 */
export interface Verdict {
  readonly path: string;
  readonly fails_when: 'false' | 'empty' | 'not-empty' | 'none';
  /** Elements of which one is enough, for `none`. */
  readonly of?: readonly string[];
  readonly message: string;
  /** Properties of the result that the failure shows; all of what is judged when left out. */
  readonly shows?: readonly string[];
}

/** Facts about a command that the kernel needs; they stand in the plan. */
export interface CommandFacts {
  readonly effects: readonly Effect[];
  readonly needs: readonly string[];
  readonly repeat: Repeat;
  readonly gate?: Gate;
  readonly verdict?: Verdict;
  /** Parameters whose values are masked. */
  readonly secret?: readonly string[];
  /** The parameter whose value the variable gets that the command defines. */
  readonly sets?: string;
  /** Parameters that hold steps. */
  readonly lists?: Readonly<Record<string, 'run' | 'background'>>;
  /** Whether it changes many things: a dry run asks it which. */
  readonly preview?: true;
  /** No command of ours: its arguments are those of `ModuleCall`. */
  readonly module?: true;
}

/** Kind of thing that the value of a parameter names; `interface` is an address that is listened on. */
export type Role =
  | 'command-name'
  | 'duration'
  | 'env-key'
  | 'graph'
  | 'host'
  | 'interface'
  | 'local-path'
  | 'package'
  | 'program'
  | 'remote-path';
/** Unit in which a duration is counted. */
export type Unit = 'milliseconds' | 'seconds';
export type Access = 'read' | 'write' | 'delete';
/** Small languages that parameters may be written in; each has a grammar that checks literal texts. */
export type Language =
  | 'condition'
  | 'cron'
  | 'curl'
  | 'jsonpath'
  | 'locator'
  | 'locators'
  | 'regex'
  | 'selector'
  | 'shard'
  | 'storage-uri'
  | 'tag-filter'
  | 'url';

/** A small part of the library that a parameter may ask for. */
export type LinkedPart = 'encodings' | 'transfers';

/** One parameter as the compiler sees it. */
export interface Parameter {
  readonly name: string;
  readonly about: string;
  readonly schema: JsonObject;
  readonly required: boolean;
  readonly default?: Json;
  readonly aliases?: readonly string[];
  readonly keyword_only?: true;
  readonly variadic?: true;
  readonly secret?: true;
  readonly text?: 'later';
  /** Names that fill its placeholders beside variables, as `schemas/meta/command.schema.json` writes them. */
  readonly sees?: readonly string[];
  /** The parameter whose keys are the names instead, where it is given. */
  readonly sees_instead?: string;
  readonly role?: Role;
  /** Unit of a duration. */
  readonly unit?: Unit;
  /** The port whose provider the scheme of its value chooses; without a scheme the role holds. */
  readonly chooses?: string;
  /** A value that only a run knows chooses as a path of this machine does. */
  readonly else_local?: true;
  /** The port that a path needs which ends in `.zip`, or is known only at run time. */
  readonly packs?: string;
  /** The small part that programs hold for values other than the default (`7-emit/left-out.ts`). */
  readonly links?: LinkedPart;
  /** The key of its value that speaks of the status of the answer: an HTTP status then decides nothing by itself. */
  readonly judges?: string;
  /** Operations on a local path: read, write, delete. */
  readonly access?: readonly Access[];
  readonly language?: Language;
  /** The switch that must be on for its text to be in that language. */
  readonly language_if?: string;
  /** The parameter that says how a locator is to be read. */
  readonly language_by?: string;
  readonly list?: 'run' | 'background' | 'data';
  /** Its steps run at the same time: none of them sees what another does. */
  readonly parallel?: true;
  /** One of the lists that say so runs, or none where one is not given. */
  readonly one_of?: true;
  /** The parameter that may keep its steps from running where its value is not the default. */
  readonly unless?: string;
  /** Part of the browser's start that the parameter sets; a part that names a program needs the gate `shell`. */
  readonly starts?: StartPart;
}

/**
 * Source of a narrower type of a result. `of` names the parameter that holds it.
 * - `schema`: a JSON Schema that the result satisfies.
 * - `file`: a file whose content the result is; or the value at the path that parameter `at` gives, else that of
 *   `otherwise`.
 * - `contract`: an OpenAPI document, or its path, that the requests of the file keep to.
 * - `answer`: the address of a request; `method` names the parameter with its verb, or `verb` is the verb.
 */
export type Narrows =
  | { readonly by: 'schema' | 'contract'; readonly of: string }
  | {
      readonly by: 'file';
      readonly of: string;
      readonly form: 'json' | 'yaml' | 'jsonl' | 'csv';
      readonly at?: string;
      readonly otherwise?: string;
    }
  | { readonly by: 'answer'; readonly of: string; readonly method?: string; readonly verb?: string };

/** Session that a command opens, closes or uses. */
export interface Sessions {
  readonly opens?: string;
  readonly closes?: string;
  readonly uses?: string;
  /** It fails while one that was opened before is open. */
  readonly alone?: true;
  /** The parameter that names one of several; null: the one without a name. */
  readonly named?: string;
  /** The parameter whose value is the kind that is used in place of `uses`. */
  readonly by?: string;
}

/**
 * A thing beside sessions that steps make, need and end: the current element of an engine, a watch. `named`: the
 * parameter with its name; `unless`: the parameter that stands in its place.
 */
export interface Handles {
  readonly makes?: string;
  readonly needs?: string;
  readonly ends?: string;
  /** Kind of which it ends all. */
  readonly ends_all?: string;
  /** Held while its steps run: none of them may take it again. */
  readonly holds?: string;
  readonly named?: string | readonly string[];
  readonly unless?: string;
  /** It fails while there is one of that name. */
  readonly alone?: true;
}

/** Target of a step's call: a command, or a function of a module, for which nothing is declared. */
export interface Callable {
  readonly name: string;
  /** Absent for functions of modules. */
  readonly domain?: Domain;
  readonly family?: string;
  /** Derived: a function is exported under this name, or under the one that migration writes for it. */
  readonly implemented: boolean;
  readonly params: readonly Parameter[];
  readonly effects: readonly Effect[];
  readonly needs: readonly string[];
  readonly repeat: Repeat;
  readonly gate?: Gate;
  readonly verdict?: Verdict;
  readonly preview?: true;
  readonly sessions?: Sessions;
  readonly handles?: Handles;
  /**
   * Effect on the variable store: names, `param:NAME` for the name that a parameter gives, or `file:NAME` for
   * the top names of the JSON file that a parameter names.
   */
  readonly variables?: {
    readonly defines?: readonly string[];
    readonly reads?: readonly string[];
    readonly from?: string;
    /**
     * The result, and the variable, are what stands at a path in the value of a parameter (null: the last response).
     */
    readonly extracts?: { readonly of: string; readonly path: string };
  };
  /** Literal arguments that say more of the result than `returns` does. */
  readonly narrows?: Narrows;
  /** Present where it runs steps that the compiler does not see, which may define anything. */
  readonly steps?: 'unknown';
  /** Environment keys that only a run knows may be there after it. */
  readonly environment?: 'loads';
  /** The commands of the module that this parameter names are known behind it. */
  readonly modules?: { readonly adds: string };
  /** A function of a module. */
  readonly module?: true;
}

/** One command as generated from its declaration in `stdlib/<domain>/<group>/<family>/commands.yaml`. */
export interface CommandInfo extends Callable {
  readonly domain: Domain;
  readonly group: string;
  readonly family: string;
  readonly summary: string;
  readonly in_spec: boolean;
  readonly returns: JsonObject;
  readonly replaced_by?: string;
  /** Other names of the same command, as good as its own. */
  readonly aliases?: readonly string[];
  /** Names of the same thing in public projects. */
  readonly aliases_elsewhere?: readonly string[];
  readonly errors: readonly string[];
  readonly notes: readonly string[];
  readonly examples?: readonly CommandExample[];
}

/** Executed: the command's first tests and its documentation. */
export type CommandExample =
  | {
      readonly run: Json;
      readonly before?: readonly Json[];
      readonly given?: readonly string[];
      readonly expect?: string | readonly string[];
      readonly about?: string;
    }
  | {
      readonly rejects: Json;
      readonly with: string;
      readonly before?: readonly Json[];
      readonly given?: readonly string[];
      readonly about?: string;
    };
