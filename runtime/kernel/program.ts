import type { Json } from '#schemas/types/json.ts';
import type { Places, Plan } from '#schemas/types/plan.ts';

import type { Base, PortName, Provider, Settings } from './ports.ts';

/** An implementation as the kernel calls it: parameters filled, checked and with defaults. */
export type Implementation = (params: Readonly<Record<string, unknown>>, ctx: Base) => unknown;

/** Findings of a command's validator, compiled ahead of time; empty: valid. */
export type Validate = (params: unknown) => readonly ValidationError[];

/** The part of an ajv error that our own words are made of. */
export interface ValidationError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

type Load<T> = () => T | Promise<T>;

/** What a run needs beside the host: the plan and everything that it names, linked or loaded on first use. */
export interface Program {
  readonly plan: Plan;
  /** SHA-256 of the canonical plan, in hex. */
  readonly hash: string;
  readonly places: Places;
  readonly commands: Readonly<Record<string, Load<Implementation>>>;
  readonly ports: { readonly [Name in PortName]?: Load<Provider<Name>> };
  /** For commands that are called with references: their arguments are known only at run time. */
  readonly validators: Readonly<Record<string, Load<Validate>>>;
  readonly settings: Settings;
}

/** Results that are not JSON are recorded as `{"$handle": kind}`. */
export interface Handle {
  readonly $handle: string;
}
export type Result = Json | Handle | undefined;
