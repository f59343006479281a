import { readdirSync } from 'node:fs';

/** Folders with an `input.yaml`, what it leaves in `record.json`, and its status in `exit`. `UPDATE=1` writes both. */
export const cases: readonly string[] = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort();
