import type { OpenServer, ServerOptions, Surroundings } from './open-server.ts';
import { openPageServer, type Page } from './page-server.ts';

/** `GET /metrics`: counts and durations of steps, in the text exposition format 0.0.4. Asks nobody for a secret. */
export function openMetricsServer(
  options: ServerOptions,
  around: Pick<Surroundings, 'lookup'> & { readonly metrics: Surroundings['calls']['metrics'] },
): Promise<OpenServer> {
  return openPageServer(
    {
      ...options,
      server: 'metrics',
      page: ({ method, url }): Page => {
        if (url !== '/metrics') return plain(404, 'not found');
        if (method !== 'GET' && method !== 'HEAD') return plain(405, 'GET and HEAD alone', { allow: 'GET, HEAD' });
        const { text, contentType } = around.metrics();
        return { status: 200, headers: { 'content-type': contentType, 'cache-control': 'no-store' }, text };
      },
    },
    around,
  );
}

function plain(status: number, text: string, headers: Readonly<Record<string, string>> = {}): Page {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, text };
}
