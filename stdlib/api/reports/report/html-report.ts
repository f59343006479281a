import { html, Markup } from '#grammar/markup/html.ts';

import { failureRows, requestName, successRows } from './fields.ts';
import type { Exchanges, Row } from './fields.ts';

const style = new Markup(`
body { font: 14px/1.5 system-ui, sans-serif; margin: 2rem; color: #1b1f24; background: #fff }
table { border-collapse: collapse; margin: 0 0 1.5rem; width: 100%; table-layout: fixed }
th, td { border: 1px solid #c9d1d9; padding: .25rem .5rem; text-align: left; vertical-align: top }
thead th { color: #fff } .passed thead th { background: #1a7f37 } .failed thead th { background: #b62324 }
tbody th { width: 12rem; font-weight: 600; background: #f6f8fa } td { white-space: pre-wrap; overflow-wrap: anywhere }
@media (prefers-color-scheme: dark) { body { background: #0d1117; color: #e6edf3 } tbody th { background: #161b22 } th, td { border-color: #30363d } }
`);

/** One table for each passed request, then one for each failed call. */
export function htmlTables({ passed, failed }: Exchanges): [successes: Markup[], failures: Markup[]] {
  return [
    passed.map((record) => table('passed', requestName(record), successRows(record))),
    failed.map((failure) => table('failed', requestName(failure.call), failureRows(failure))),
  ];
}

/** The whole page: it loads nothing, and runs nothing. */
export function htmlPage(title: string, exchanges: Exchanges): string {
  const [successes, failures] = htmlTables(exchanges);
  const { dropped } = exchanges;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title><style>${style}</style></head>
<body><h1>${title}</h1>
<p>${successes.length} passed, ${failures.length} failed${dropped > 0 && `; ${dropped} older ones are not shown, because there was no room for them`}.</p>
${successes}${failures}</body></html>
`.text;
}

function table(kind: 'passed' | 'failed', name: string, rows: readonly Row[]): Markup {
  return html`<table class="${kind}"><thead><tr><th colspan="2">${name}</th></tr></thead><tbody>${rows.map(
    ([field, text]) => html`<tr><th scope="row">${field}</th><td>${text}</td></tr>`,
  )}</tbody></table>
`;
}
