import type { Json } from '#schemas/types/json.ts';

import type { Document } from './document.ts';
import { Findings } from './findings.ts';
import { readJson } from './json/read.ts';
import type { ReadLimits } from './limits.ts';
import { readYaml } from './yaml/read.ts';

/** The value of a text and how many findings there are against it; undefined where it cannot be read. */
export function readValue(
  text: string,
  format: Document['format'],
  limits: ReadLimits,
): { readonly value: Json; readonly findings: number } | undefined {
  const findings = new Findings('');
  const reading = format === 'json' ? readJson(text, limits, findings) : readYaml(text, limits, findings);
  return reading.kind === 'read' ? { value: reading.value, findings: findings.diagnostics.length } : undefined;
}
