import type { JsonObject } from '#schemas/types/json.ts';
import type { RowSource } from '#schemas/types/plan.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly datasets: Datasets;
  }
}

/** Reads files of rows, by the rules of `meta.dataset`. */
export interface Datasets {
  /** All rows in order. Fails where the file cannot be read, has another form, or has no row. */
  rows(source: RowSource): Promise<readonly JsonObject[]>;
}
