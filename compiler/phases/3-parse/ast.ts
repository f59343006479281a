import type { Document } from '#grammar/document/document.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import type { Route } from '#schemas/types/place.ts';
import type { Capture, OnFailure, Retry } from '#schemas/types/plan.ts';

import type { ControlForm } from '../1-read/control-forms.ts';

/** One action file, read: every action form is one `Step`. Mistakes have been reported and are left out. */
export interface ActionFile {
  readonly document: Document;
  /** The key that holds the body; absent where the file is a list. */
  readonly bodyKey?: string;
  readonly meta: Meta;
  readonly setup: StepList;
  readonly body: StepList;
  readonly teardown: StepList;
}

export type Section = 'setup' | 'body' | 'teardown';

/** A list of steps: a section of a file, or the value of a parameter that holds steps. */
export interface StepList {
  /** The list in its document. */
  readonly route: Route;
  /** Kind of the list: in a graph an element is a node, `{id, action, depends_on?}`, and order is by dependency. */
  readonly kind: 'list' | 'graph';
  readonly steps: readonly Step[];
  /** An element was left out because it could not be read: what it would have defined is not known. */
  readonly incomplete: boolean;
}

/** One call or control form as it was written. Routes are made from it when a finding needs one (`routes.ts`). */
export interface Step {
  readonly list: StepList;
  /** Its index in the list as written. */
  readonly index: number;
  readonly command: string;
  /**
   * `control`: `command` is the word of a control form, and `keywords` are the keys that belong to it, the word
   * included.
   */
  readonly form: 'name' | 'array' | 'object' | 'control';
  readonly positional: readonly Json[] | undefined;
  /** Step options that stood among the parameters (AT_ commands) are taken out. */
  readonly keywords: JsonObject | undefined;
  readonly options: StepOptions | undefined;
  /** Keys beside the command that are no step options: parameters at the wrong indent, or mistyped options. */
  readonly beside: readonly string[] | undefined;
  readonly control: WrittenControl | undefined;
}

/** A control form with its shape checked; conditions are still text. */
export interface WrittenControl {
  readonly form: ControlForm;
  readonly condition?: string;
  /** The file that is used, as it is named. */
  readonly use?: string;
  /** Its values for inputs stand under another word, which has been reported. */
  readonly withElsewhere?: true;
  /** The name that the item of a loop has in its block. */
  readonly as?: string;
  /** A name for its index as other tools have one, which has been reported. */
  readonly index?: string;
  /** Its iterations run at once, or may do so. */
  readonly branches?: true;
}

/** Step options with their shapes checked; conditions are still text. */
export interface StepOptions {
  readonly id?: string;
  readonly name?: string;
  readonly tags?: readonly string[];
  readonly depends_on?: readonly string[];
  readonly when?: string;
  /** Conditions in the order as written; undefined stands for one that had an error. */
  readonly expect?: readonly (string | undefined)[];
  readonly save_as?: readonly (WrittenCapture | undefined)[];
  readonly retry?: Retry;
  readonly timeout_s?: number;
  readonly on_failure?: OnFailure;
}

/** A capture whose `path` is still text. */
export type WrittenCapture = Omit<Capture, 'path'> & { readonly path?: string };

/** `meta` with its shapes checked; what did not fit has been reported and is absent. */
export interface Meta {
  readonly name?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly depends_on?: readonly string[];
  readonly inputs?: readonly WrittenInput[];
  readonly secrets?: readonly string[];
  readonly modules?: readonly string[];
  readonly env?: string;
  /** The only environment keys that the file may read. */
  readonly env_keys?: readonly string[];
  readonly dataset?: WrittenDataset;
  readonly timeout_s?: number;
  readonly run_for_s?: number;
  readonly seed?: number;
  /** The document that the requests of the file are compared with. */
  readonly openapi?: WrittenOpenApi;
  readonly retry?: Retry;
  readonly on_failure?: OnFailure;
  readonly fail_fast?: boolean;
  readonly max_workers?: number;
  readonly defaults?: Readonly<Record<string, JsonObject>>;
  readonly base_url?: string;
  /** Values as written; a list of names stands for those variables. */
  readonly returns?: JsonObject;
  readonly sessions?: readonly string[];
  readonly matrix?: WrittenMatrix;
  readonly locks?: readonly string[];
}

/** `meta.openapi`: parameters of the step that stands behind the teardown. */
export interface WrittenOpenApi {
  readonly path: string;
  readonly min_coverage?: Json;
  readonly report?: string;
}

/** Every combination of the values of its axes, but those excluded, and those included. */
export interface WrittenMatrix {
  readonly axes: readonly { readonly name: string; readonly values: readonly Json[] }[];
  readonly exclude: readonly JsonObject[];
  readonly include: readonly JsonObject[];
}

export interface WrittenInput {
  readonly name: string;
  readonly schema: JsonObject;
  readonly default?: Json;
  readonly secret: boolean;
}

export interface WrittenDataset {
  readonly path: string;
  /** Route of the path: `meta.dataset`, or `meta.dataset.path`. */
  readonly route: Route;
  readonly delimiter?: string;
  readonly encoding?: string;
  readonly limit?: number;
}
