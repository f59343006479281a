import { countsText } from '../counts-text.ts';
import { duration } from '../duration.ts';
import { html, type Markup } from '#grammar/markup/html.ts';
import { prose } from './prose.ts';
import { script } from './script.ts';
import { style } from './style.ts';
import type { RunOutcome } from '#runtime/kernel/events.ts';

const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-${script.hash}'`;

export interface PageParts {
  readonly outcome: RunOutcome;
  readonly started: string;
  /** Seed of fake values, where the run tells one. */
  readonly seed: number | undefined;
  readonly failures: readonly Markup[];
  /** Pictures that differ from their baselines. */
  readonly compared: readonly Markup[];
  readonly files: readonly Markup[];
  readonly times: Markup | false;
  readonly notices: readonly string[];
}

/** The whole page: self-contained, works offline and without scripts (a script only filters and copies). */
export function page({ outcome, started, seed, failures, compared, files, times, notices }: PageParts): string {
  const { counts } = outcome;
  const day = started.replace('T', ' ').replace(/\.\d+Z$/, ' UTC');
  const stopped = outcome.stopped !== undefined && html` &#183; stopped: ${outcome.stopped}`;
  const title = `${outcome.status === 'passed' ? 'Passed' : 'Failed'}: ${countsText(counts)}`;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${title}</title><style>${style}</style></head>
<body><header class="${outcome.status}">
<h1>${outcome.status === 'passed' ? 'Passed' : 'Failed'}</h1>
<p>${countsText(counts)} in ${duration(outcome.duration_ms)} &#183; <time datetime="${started}">${day}</time
> &#183; run ${outcome.run}${seed !== undefined && html` &#183; seed ${seed}`}${stopped}</p>
${bar(outcome)}
<form role="search"><label>Show <select id="status"><option value="">all steps</option><option>failed</option
><option>flaky</option><option>passed</option><option>skipped</option></select></label>
<label>Find <input id="find" type="search" size="28" placeholder="command, name, id or text"></label
><output id="found"></output></form>
${places({ failures, compared, files, times })}
</header><main>
${notices.length > 0 && html`<section class="notices">${notices.map((text) => html`<p>${prose(text)}</p>`)}</section>`}
${failures.length > 0 && html`<section id="failures"><h2>Failures</h2>${failures}</section>`}
${compared.length > 0 && html`<section id="pictures"><h2>Pictures to approve</h2>${compared}</section>`}
${times}
<section id="files"><h2>Files</h2>${files}</section>
</main><script>${script.markup}</script></body></html>
`.text;
}

/** Links to the parts of the page: open failures push the others far down. */
function places({
  failures,
  compared,
  files,
  times,
}: Pick<PageParts, 'failures' | 'compared' | 'files' | 'times'>): Markup {
  const link = (id: string, name: string, count: number): Markup | false =>
    count > 0 && html`<a href="#${id}">${name} (${count})</a>`;
  return html`<nav aria-label="Parts of the page">${[
    link('failures', 'Failures', failures.length),
    link('pictures', 'Pictures to approve', compared.length),
    times !== false && html`<a href="#times">Times</a>`,
    link('files', 'Files', files.length),
  ].filter((part) => part !== false)}</nav>`;
}

function bar({ counts }: RunOutcome): Markup {
  const total = Math.max(counts.passed + counts.failed + counts.skipped + counts.dry_run, 1);
  const part = (name: string, count: number): Markup | false =>
    count > 0 && html`<span class="${name}" style="flex-grow:${count}" title="${count} of ${total} ${name}"></span>`;
  const parts = [
    part('passed', counts.passed - counts.flaky),
    part('flaky', counts.flaky),
    part('failed', counts.failed),
    part('skipped', counts.skipped + counts.dry_run),
  ].filter((bar) => bar !== false);
  return html`<div class="bar" role="img" aria-label="${countsText(counts)}">${parts}</div>`;
}
