import { html, type Markup } from '#grammar/markup/html.ts';
import type { ServedJob } from '../action-calls.ts';
import type { ProgressSnapshot } from '#runtime/services/progress/snapshot.ts';

/** State of the server at one moment, as the dashboard shows it. */
export interface Health {
  readonly commands: number;
  /** Local time, YYYY-MM-DD HH:MM:SS. */
  readonly time: string;
}

/** The parts of the page, and the seconds after which each is asked for again. */
export const parts = { health: 5, progress: 2, jobs: 5, registry: 30 } as const;
export type PartName = keyof typeof parts;

export function indexPage(): Markup {
  return frame(
    'svc',
    html`<main>
        ${Object.entries(parts).map(
          ([name, seconds]) =>
            html`<section>
              <h2>${name[0]?.toUpperCase() ?? ''}${name.slice(1)}</h2>
              <div data-part="/ui/${name}" data-seconds="${String(seconds)}" aria-live="off">…</div>
            </section>`,
        )}
      </main>
      <script src="/ui/refresh.js"></script>`,
  );
}

export function signInPage(isWrong: boolean): Markup {
  return frame(
    'svc: sign in',
    html`<main>
      <form method="post" action="/sign-in">
        <label>Secret <input type="password" name="secret" autocomplete="current-password" required autofocus /></label>
        <button>Sign in</button>
        ${isWrong ? html`<p role="alert">That is not the secret.</p>` : html``}
      </form>
    </main>`,
  );
}

export function healthPart({ commands, time }: Health): Markup {
  return html`<table>
    <tr><th scope="row">Process</th><td>alive</td></tr>
    <tr><th scope="row">Registry size</th><td>${String(commands)}</td></tr>
    <tr><th scope="row">Server time</th><td>${time}</td></tr>
  </table>`;
}

export function progressPart(transfers: readonly ProgressSnapshot[]): Markup {
  if (transfers.length === 0) return html`<p>No transfers.</p>`;
  return html`<table>
    <tr><th scope="col">Name</th><th scope="col">Status</th><th scope="col">Transferred</th><th scope="col">Total</th></tr>
    ${transfers.map(
      ({ name, status, transferred, total }) =>
        html`<tr><td>${name}</td><td>${status}</td><td>${String(transferred)}${share(transferred, total)}</td><td>${total === null ? '—' : String(total)}</td></tr>`,
    )}
  </table>`;
}

export function jobsPart(jobs: readonly ServedJob[]): Markup {
  if (jobs.length === 0) return html`<p>No watches, schedules and integrity checks.</p>`;
  return html`<table>
    <tr><th scope="col">Kind</th><th scope="col">Name</th><th scope="col">Of</th><th scope="col">Runs</th><th scope="col">Last run</th></tr>
    ${jobs.map(
      ({ kind, name, of, runs, isFine }) =>
        html`<tr><td>${kind}</td><td>${name}</td><td>${of}</td><td>${runs === undefined ? '—' : String(runs)}</td><td>${isFine === undefined ? '—' : isFine ? 'ok' : 'failed'}</td></tr>`,
    )}
  </table>`;
}

export function registryPart(names: readonly string[]): Markup {
  if (names.length === 0) return html`<p>No commands.</p>`;
  return html`<ul>
    ${names.toSorted().map((name) => html`<li>${name}</li>`)}
  </ul>`;
}

function share(transferred: number, total: number | null): string {
  return total === null || total === 0 ? '' : ` (${((transferred / total) * 100).toFixed(1)} %)`;
}

function frame(title: string, body: Markup): Markup {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="stylesheet" href="/ui/style.css" />
      </head>
      <body>
        <header><h1>svc</h1></header>
        ${body}
      </body>
    </html>`;
}

export const style = `:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
table { border-collapse: collapse; } th, td { padding: .2rem .8rem; text-align: left; border-bottom: 1px solid #8884; }
ul { columns: 16rem; padding-left: 1.2rem; } [role=alert] { color: light-dark(#b00020, #ff8a80); }
`;

/** Asks for each part at once and then again and again; a part that cannot be had says so. */
export const script = `for (const box of document.querySelectorAll('[data-part]')) {
  const refresh = async () => {
    try {
      const answer = await fetch(box.dataset.part, { credentials: 'same-origin' });
      if (answer.status === 401) return location.reload();
      box.innerHTML = await answer.text();
    } catch {
      box.textContent = 'The server does not answer.';
    }
    setTimeout(refresh, Number(box.dataset.seconds) * 1000);
  };
  refresh();
}
`;
