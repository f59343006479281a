import { html, Markup } from '#grammar/markup/html.ts';

import { outcomeOf } from '#stdlib/browser/recorded-step.ts';

export interface ReplayStep {
  readonly function_name?: string | undefined;
  readonly local_param?: object | null | undefined;
  readonly time?: string | undefined;
  readonly program_exception?: string | undefined;
}

export interface ReplayParts {
  readonly title: string;
  readonly steps: readonly ReplayStep[];
  /** Address of the picture of each step, in their order; undefined: it has none. */
  readonly pictures: readonly (string | undefined)[];
}

const style =
  new Markup(`:root{color-scheme:light dark;--ink:#1c2024;--line:#d9d9e0;--paper:#fff;--failed:#c62828;--passed:#1a7f37}
@media(prefers-color-scheme:dark){:root{--ink:#edeef0;--line:#363a3f;--paper:#141618;--failed:#ff7b72;--passed:#4cc76b}}
body{margin:1.5rem;font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper)}table{border-collapse:collapse;width:100%}
th,td{border:1px solid var(--line);padding:.3rem .5rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}td{font-variant-numeric:tabular-nums}
.failed td:nth-child(3){color:var(--failed);font-weight:700}.passed td:nth-child(3){color:var(--passed)}img{max-width:24rem}tr{content-visibility:auto}`);

/** A page that stands alone: a table of the steps in their order, pictures in it. */
export function replayPage({ title, steps, pictures }: ReplayParts): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>${title}</title><style>${style}</style></head>
<body><main><h1>${title}</h1><p>${steps.length} action records.</p>
<table><thead><tr><th scope="col">Time</th><th scope="col">Action</th><th scope="col">Status</th><th scope="col">Params</th><th scope="col">Exception</th><th scope="col">Screenshot</th></tr></thead>
<tbody>${steps.map((step, index) => rowOf(step, pictures[index]))}</tbody></table></main></body></html>
`.text;
}

function rowOf(step: ReplayStep, picture: string | undefined): Markup {
  const status = outcomeOf(step);
  const name = step.function_name ?? '';
  return html`<tr class="${status}"><td>${step.time ?? ''}</td><td>${name}</td><td>${status.toUpperCase()}</td><td>${JSON.stringify(step.local_param ?? null)}</td><td>${step.program_exception ?? 'None'}</td><td>${picture !== undefined && html`<img loading="lazy" alt="Failure of ${name}" src="${picture}">`}</td></tr>
`;
}
