import { html, Markup } from '#grammar/markup/html.ts';
import { percent } from '#grammar/source/percent.ts';
import type { LoadEndpoint, LoadResult } from '#schemas/types/load.ts';

const width = 720;
const height = 160;
const style = new Markup(`
body { font: 14px/1.5 system-ui, sans-serif; margin: 2rem; color: #1b1f24; background: #fff }
table { border-collapse: collapse } th, td { border: 1px solid #c9d1d9; padding: .25rem .5rem; text-align: left }
td.number { text-align: right; font-variant-numeric: tabular-nums } .bad { color: #cf222e } svg { display: block; margin: .5rem 0 1rem }
polyline { fill: none; stroke: #0969da; stroke-width: 1.5 } polyline.bad { stroke: #cf222e } line { stroke: #8c959f } text { font-size: 11px; fill: #57606a }
@media (prefers-color-scheme: dark) { body { background: #0d1117; color: #e6edf3 } th, td { border-color: #30363d } }
`);

/** The page of a load run: figures, charts over time, a row for each request. It loads nothing, and runs nothing. */
export function loadPage(result: LoadResult, problems: readonly string[]): string {
  const { totals, latency_overall: latency, timeline } = result;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Load test</title><style>${style}</style></head>
<body><h1>Load test</h1>
<p>Begun ${result.started_at}, ${result.seconds.toFixed(1)} s: ${totals.requests} requests, ${totals.requests_per_second} a second, ${totals.failures} failed (${percent(totals.failure_rate, 2, 0)}).</p>
${problems.length === 0 ? html`<p>All thresholds hold.</p>` : html`<ul>${problems.map((problem) => html`<li class="bad">${problem}</li>`)}</ul>`}
<p>Latency (ms): p50 ${latency.p50_ms}, p90 ${latency.p90_ms}, p95 ${latency.p95_ms}, p99 ${latency.p99_ms}, p99.9 ${latency.p999_ms}, longest ${latency.max_ms}.</p>
<h2>Requests a second</h2>${chart(
    timeline.map(({ requests }) => requests),
    'requests a second',
  )}
<h2>95th percentile (ms)</h2>${chart(
    timeline.map(({ p95_ms }) => p95_ms),
    'milliseconds',
  )}
<h2>Failures a second</h2>${chart(
    timeline.map(({ failures }) => failures),
    'failures a second',
    'bad',
  )}
<h2>Active</h2>${chart(
    timeline.map(({ active }) => active),
    'users or requests under way',
  )}
<h2>Requests</h2>${table(result.per_endpoint)}</body></html>
`.text;
}

/** A line from 0 upwards over the seconds of a run, with its highest value and its length. */
function chart(values: readonly number[], unit: string, kind = ''): Markup {
  const top = Math.max(...values, 1);
  const points = values.map((value, index) => {
    const x = values.length === 1 ? 40 : 40 + (index / (values.length - 1)) * (width - 50);
    return `${x.toFixed(1)},${(height - 20 - (value / top) * (height - 35)).toFixed(1)}`;
  });
  const label = `${values.length} seconds, at most ${top.toFixed(1)} ${unit}`;
  return html`<svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}"><line x1="40" y1="${height - 20}" x2="${width - 10}" y2="${height - 20}"/><line x1="40" y1="15" x2="40" y2="${height - 20}"/><text x="2" y="20">${top >= 100 ? Math.round(top) : top.toFixed(1)}</text><text x="28" y="${height - 20}">0</text><text x="${width - 60}" y="${height - 5}">${values.length} s</text><polyline class="${kind}" points="${points.join(' ')}"/></svg>`;
}

function table(endpoints: readonly LoadEndpoint[]): Markup {
  const head = [
    'Request',
    'Count',
    'A second',
    'Failed',
    'p50',
    'p95',
    'p99',
    'Longest',
    'Statuses',
    'Without an answer',
  ];
  return html`<table><thead><tr>${head.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead><tbody>${endpoints.map(row)}</tbody></table>`;
}

function row({
  method,
  name,
  requests,
  requests_per_second,
  failures,
  latency,
  statuses,
  errors,
}: LoadEndpoint): Markup {
  const number = (value: number): Markup => html`<td class="number">${value}</td>`;
  const listed = (counts: Readonly<Record<string, number>>): string =>
    Object.entries(counts)
      .map(([key, count]) => `${key}: ${count}`)
      .join(', ');
  return html`<tr><td>${method} ${name}</td>${number(requests)}${number(requests_per_second)}${number(failures)}${number(latency.p50_ms)}${number(latency.p95_ms)}${number(latency.p99_ms)}${number(latency.max_ms)}<td>${listed(statuses)}</td><td>${listed(errors)}</td></tr>
`;
}
