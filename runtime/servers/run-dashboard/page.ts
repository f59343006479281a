import { html, type Markup } from '#grammar/markup/html.ts';

/** The page: counts and a table that the script fills, newest step first. */
export function recordPage(): Markup {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>svc: steps of this run</title>
        <link rel="stylesheet" href="/ui/style.css" />
      </head>
      <body>
        <main>
          <h1>Steps of this run</h1>
          <p role="status" id="counts">Waiting for steps.</p>
          <table>
            <thead>
              <tr><th scope="col">Time</th><th scope="col">Name</th><th scope="col">Step</th><th scope="col">Status</th><th scope="col">Failure</th></tr>
            </thead>
            <tbody id="steps"></tbody>
          </table>
        </main>
        <script src="/ui/follow.js"></script>
      </body>
    </html>`;
}

/** Values are written as text, never as markup. A stream that breaks off begins anew with what is there. */
export const followScript = `const body = document.getElementById('steps');
const counts = { passed: 0, failed: 0 };
const tell = () => {
  document.getElementById('counts').textContent = counts.passed + counts.failed + ' steps: ' + counts.passed + ' passed, ' + counts.failed + ' failed';
};
const stream = new EventSource('/events');
stream.addEventListener('begin', () => { body.replaceChildren(); counts.passed = counts.failed = 0; });
stream.addEventListener('step', ({ data }) => {
  const { function_name, name, time, status, exception } = JSON.parse(data);
  const row = document.createElement('tr');
  row.className = status;
  for (const text of [time, name, function_name, status, exception]) row.appendChild(document.createElement('td')).textContent = text;
  body.prepend(row);
  while (body.childElementCount > 5000) body.lastElementChild.remove();
  counts[status] += 1;
  tell();
});
stream.addEventListener('error', () => { document.getElementById('counts').textContent = 'The run does not answer.'; });
`;
