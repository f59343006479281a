import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { load } from 'js-yaml';

import type { Json } from '#schemas/types/json.ts';

import type { Mistakes } from './mistakes.ts';

/** Reads one of our own YAML files; a syntax error is a mistake and gives undefined. */
export function readYaml(root: string, file: string, mistakes: Mistakes): Json | undefined {
  try {
    return load(readFileSync(join(root, file), 'utf8')) as Json;
  } catch (error) {
    mistakes.add(file, '', error instanceof Error ? error.message : String(error));
    return undefined;
  }
}
