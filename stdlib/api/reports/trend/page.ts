import { html, Markup } from '#grammar/markup/html.ts';

import { judge, type Policy, type Verdict } from './anomaly.ts';

/** One endpoint of the page: its verdict and the values that are drawn, oldest first. */
export interface TrendRow {
  readonly verdict: Verdict;
  readonly values: readonly number[];
}

const width = 160;
const height = 32;
const style = new Markup(`
body { font: 14px/1.5 system-ui, sans-serif; margin: 2rem; color: #1b1f24; background: #fff }
table { border-collapse: collapse } th, td { border: 1px solid #c9d1d9; padding: .25rem .5rem; text-align: left }
td.number { text-align: right; font-variant-numeric: tabular-nums }
.anomaly td { background: #ffebe9 } polyline { fill: none; stroke: #57606a; stroke-width: 1.5 }
@media (prefers-color-scheme: dark) { body { background: #0d1117; color: #e6edf3 } th, td { border-color: #30363d } .anomaly td { background: #4c1518 } }
`);

/** The trend page: a row for each endpoint of the latest run. It loads nothing, and runs nothing. */
export function trendPage(rows: readonly TrendRow[], policy: Policy): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Latency trends</title><style>${style}</style></head>
<body><h1>Latency trends</h1>
<p>Judged by ${policy.metric} against the last ${policy.window} runs: slower by ${Math.round(policy.min_increase * 1000) / 10} % and ${policy.min_delta_ms} ms at least, with a robust score above ${policy.threshold}.</p>
${rows.length === 0 ? html`<p>No runs are recorded yet.</p>` : table(rows)}</body></html>
`.text;
}

function table(rows: readonly TrendRow[]): Markup {
  const head = ['Endpoint', 'Latest (ms)', 'Baseline (ms)', 'z', 'Runs', 'Status', 'Trend'];
  return html`<table><thead><tr>${head.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead><tbody>
${rows.map(row)}</tbody></table>
`;
}

function row({ verdict, values }: TrendRow): Markup {
  const number = (value: number | null): Markup =>
    html`<td class="number">${value === null ? '–' : value.toFixed(1)}</td>`;
  return html`<tr class="${verdict.status}"><td>${verdict.endpoint}</td>${number(verdict.latest)}${number(verdict.baseline_median)}${number(verdict.robust_z)}<td class="number">${verdict.history + 1}</td><td>${verdict.status}</td><td>${sparkline(values, verdict.status === 'anomaly' ? '#cf222e' : '#1a7f37')}</td></tr>
`;
}

/** A line through the values with a dot on the last one, from 0 upwards. */
export function sparkline(values: readonly number[], lastColour: string): Markup {
  const top = values.reduce((highest, value) => Math.max(highest, value), 1);
  const points = values.map((value, index) => {
    const x = values.length === 1 ? width - 3 : 3 + (index / (values.length - 1)) * (width - 6);
    return [x, height - 3 - (value / top) * (height - 6)] as const;
  });
  const [x, y] = points.at(-1) ?? [0, 0];
  const line = points.map(([at, up]) => `${at.toFixed(1)},${up.toFixed(1)}`).join(' ');
  const last = values.at(-1);
  return html`<svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${values.length} runs, latest ${last === undefined ? '–' : last.toFixed(1)} ms"><polyline points="${line}"/><circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="2.5" fill="${lastColour}"/></svg>`;
}

/** A row for each endpoint with its verdict and its last values. */
export function trendRows(
  histories: ReadonlyMap<string, readonly number[]>,
  policy: Policy,
  limitRuns: number,
): readonly TrendRow[] {
  return [...histories].map(([endpoint, values]) => ({
    verdict: judge(endpoint, values, policy),
    values: values.slice(-limitRuns),
  }));
}
