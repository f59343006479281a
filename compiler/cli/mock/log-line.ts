import { cutText } from '#grammar/source/cut-text.ts';
import { printableLine } from '#grammar/source/printable.ts';
import type { MockEvent } from '#compiler/engine/mocks/serve-mocks.ts';
import { isSecretHeader } from '#schemas/types/secret-key.ts';

/** Signs of a body that a log shows. */
const SHOWN = 2000;

/**
 * Line of the log for something that came to a mock, for people; `verbose`: with headers and body on lines below.
 * Logins are never shown.
 */
export function logLine(event: MockEvent, verbose: boolean): string {
  if (event.kind !== 'http') {
    const shown = verbose ? event.text : cutText(event.text, 200);
    return `${event.at} ${event.kind} ${printableLine(event.path)} ${printableLine(shown.slice(0, SHOWN))}\n`;
  }
  const { at, method, path, query, status, route, error } = event;
  const names = Object.keys(query);
  const head = `${at} ${status} ${method} ${path}${names.length > 0 ? `?${names.join('&')}` : ''}`;
  const lines = [`${head}${route === null ? ' (no route)' : route === path ? '' : ` (${route})`}`];
  if (error !== undefined) lines.push(`  ! ${error}`);
  if (verbose) {
    for (const [name, value] of Object.entries(event.headers))
      lines.push(`  ${name}: ${isSecretHeader(name) ? '***' : value}`);
    if (event.data !== '')
      lines.push(
        ...event.data
          .slice(0, SHOWN)
          .split('\n')
          .map((line) => `  | ${line}`),
      );
  }
  return lines.map((line) => `${printableLine(line)}\n`).join('');
}
