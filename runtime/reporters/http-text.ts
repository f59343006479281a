import { printableLine } from '#grammar/source/printable.ts';
import type { Evidence } from '#runtime/kernel/ports.ts';
import { counted } from '#grammar/source/counted.ts';

import { duration } from './duration.ts';
import { hidePasswords } from './passwords.ts';

type HttpEvidence = Extract<Evidence, { kind: 'http' }>;

/** A request and its answer as `-v` shows them, indented. */
export function httpText({ request, response, elapsed_ms }: HttpEvidence): string {
  const lines = [
    `> ${request.method} ${request.url}`,
    ...headerLines('> ', request.headers),
    ...bodyLines('> ', request.body),
  ];
  if (response) {
    lines.push(
      `< ${response.status} in ${duration(elapsed_ms)}`,
      ...headerLines('< ', response.headers),
      ...bodyLines('< ', response.body),
    );
  } else lines.push(`< no answer after ${duration(elapsed_ms)}`);
  return lines.map((line) => `    ${printableLine(line)}`).join('\n');
}

function headerLines(mark: string, headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => `${mark}${name}: ${value}`);
}

function bodyLines(mark: string, body: string | undefined): string[] {
  if (body === undefined || body === '') return [];
  const lines = hidePasswords(body).split('\n');
  const shown = lines.slice(0, 40).map((line) => `${mark}${line.slice(0, 500)}`);
  return [
    mark.trimEnd(),
    ...shown,
    ...(lines.length > 40 ? [`${mark}… ${counted(lines.length - 40, 'more line')}`] : []),
  ];
}
