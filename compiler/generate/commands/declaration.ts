import type {
  Access,
  Domain,
  Effect,
  Gate,
  Handles,
  Language,
  LinkedPart,
  Narrows,
  Repeat,
  Role,
  Unit,
  Verdict,
} from '#schemas/types/command.ts';
import type { StartPart } from '#schemas/types/start-part.ts';
import type { JsonObject } from '#schemas/types/json.ts';

/** A parameter as declared, references to shared schemas written out. */
export interface DeclaredParameter {
  readonly schema: JsonObject;
  readonly about: string;
  readonly aliases?: readonly string[];
  readonly keyword_only?: true;
  readonly variadic?: true;
  readonly secret?: true;
  readonly text?: 'later';
  readonly sees?: readonly string[];
  readonly sees_instead?: string;
  readonly role?: Role;
  readonly unit?: Unit;
  readonly chooses?: string;
  readonly else_local?: true;
  readonly packs?: string;
  readonly links?: LinkedPart;
  readonly judges?: string;
  readonly access?: readonly Access[];
  readonly language?: Language;
  readonly language_if?: string;
  readonly language_by?: string;
  readonly list?: 'run' | 'background' | 'data';
  readonly parallel?: true;
  readonly one_of?: true;
  readonly unless?: string;
  readonly starts?: StartPart;
}

/** A command as declared (shape closed by `schemas/meta/command.schema.json`). */
export interface Declaration {
  readonly name: string;
  readonly summary: string;
  readonly in_spec: boolean;
  readonly effects: readonly Effect[];
  readonly needs: readonly string[];
  readonly gate?: Gate | null;
  readonly verdict?: Verdict | null;
  readonly preview?: true;
  readonly repeat: Repeat;
  readonly sessions?: {
    readonly opens?: string;
    readonly closes?: string;
    readonly uses?: string;
    readonly alone?: true;
    readonly by?: string;
  };
  readonly handles?: Handles;
  readonly variables?: {
    readonly defines?: readonly string[];
    readonly reads?: readonly string[];
    readonly from?: string;
  };
  readonly narrows?: Narrows;
  readonly steps?: 'unknown';
  readonly environment?: 'loads';
  readonly modules?: { readonly adds: string };
  readonly params: Readonly<Record<string, DeclaredParameter>>;
  readonly required?: readonly string[];
  readonly returns: JsonObject;
  readonly errors?: readonly string[];
  readonly notes?: readonly string[];
  readonly catalogue_notes?: readonly string[];
  readonly replaced_by?: string | null;
  readonly aliases?: readonly string[];
  readonly aliases_elsewhere?: readonly string[];
  readonly examples?: readonly JsonObject[];
}

/** A folder `stdlib/<domain>/<group>/<family>` with its commands in reference order. */
export interface Family {
  readonly domain: Domain;
  readonly group: string;
  readonly name: string;
  readonly folder: string;
  readonly file: string;
  readonly complete: boolean;
  readonly commands: readonly Declaration[];
}

/** `browser/cookies`: names its generated files. */
export function familyKey(family: Family): string {
  return `${family.domain}/${family.name}`;
}
