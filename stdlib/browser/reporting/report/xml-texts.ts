import { escapeXml } from '#grammar/markup/escape-xml.ts';

import type { RecordedStep } from '#stdlib/browser/recorded-step.ts';
import { splitSteps, type StepTexts } from './split-steps.ts';

/**
 * Passed and failed steps as XML: an element a step, in it one a field. Files are indented and begin with a
 * declaration.
 */
export function xmlTexts(
  steps: readonly RecordedStep[],
  form: 'one-line' | 'indented',
): [passed: string, failed: string] {
  const [passed, failed] = splitSteps(steps);
  return [documentOf(passed, form), documentOf(failed, form)];
}

function documentOf(steps: Readonly<Record<string, StepTexts>>, form: 'one-line' | 'indented'): string {
  const isIndented = form === 'indented';
  const line = (depth: number, text: string): string => (isIndented ? `${'  '.repeat(depth)}${text}\n` : text);
  const children = Object.entries(steps).map(([name, fields]) => {
    const parts = Object.entries(fields).map(([field, text]) => line(2, `<${field}>${escapeXml(text)}</${field}>`));
    return `${line(1, `<${name}>`)}${parts.join('')}${line(1, `</${name}>`)}`;
  });
  const declaration = isIndented ? '<?xml version="1.0" encoding="UTF-8"?>\n' : '';
  return `${declaration}${line(0, '<xml_data>')}${children.join('')}${line(0, '</xml_data>')}`;
}
