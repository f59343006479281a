import type { Route } from './place.ts';

export type RefNamespace =
  | 'ENV'
  | 'ROW'
  | 'MATRIX'
  | 'env'
  | 'file'
  | 'date'
  | 'uuid'
  | 'run'
  | 'cwd'
  | 'root'
  | 'here'
  | 'event'
  | 'var';
export type RefConversion = 'int' | 'number' | 'bool' | 'json';

/**
 * One reference (`compiler/language/references.md`). `name` is what stands behind the kind: the key of ENV, the column
 * of ROW, the key of MATRIX, the format of `date`, `id|tmp|date:FMT` of run, the first name of a `{{path}}`; empty
 * where the kind stands alone (`${cwd}`).
 */
export interface Ref {
  readonly ns: RefNamespace;
  readonly name: string;
  /** The rest of a `{{name.path[0]["x y"]}}`. */
  readonly path?: Route;
  /** The text behind `:-`. */
  readonly default?: string;
  readonly convert?: RefConversion;
}
