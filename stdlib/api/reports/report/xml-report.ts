import { escapeXml } from '#grammar/markup/escape-xml.ts';

import { jsonReport } from './json-report.ts';
import type { Exchanges } from './fields.ts';

/** The JSON report as two XML documents: an element for each record, in it one for each field. */
export function xmlReport(exchanges: Exchanges): [successes: string, failures: string] {
  const [successes, failures] = jsonReport(exchanges).map(document);
  return [successes ?? '', failures ?? ''];
}

function document(records: Readonly<Record<string, Readonly<Record<string, string>>>>): string {
  const children = Object.entries(records).map(([name, fields]) => {
    const lines = Object.entries(fields).map(([field, text]) => `    <${field}>${escapeXml(text)}</${field}>\n`);
    return `  <${name}>\n${lines.join('')}  </${name}>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<xml_data>\n${children.join('')}</xml_data>\n`;
}
