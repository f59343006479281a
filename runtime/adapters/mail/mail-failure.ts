import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';

/** The failure for an error of nodemailer. Its own cause is left out: it may hold what was sent. */
export function mailFailure(error: unknown, server: string): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  return fail.mailNotSent({ server, reason: reasonOf(error) });
}

/** No connection came about: another address of the same name may answer. */
export function mayTryNext(error: unknown): boolean {
  return textOf(error, 'command') === 'CONN' && !/TLS|certificate/i.test(error instanceof Error ? error.message : '');
}

function reasonOf(error: Error): string {
  const answer = textOf(error, 'response');
  switch (textOf(error, 'code')) {
    case 'EAUTH':
      return `it refuses the login${answer === undefined ? '' : `: ${firstLine(answer)}`}`;
    case 'EENVELOPE':
      return `it refuses an address${answer === undefined ? '' : `: ${firstLine(answer)}`}`;
    case 'ETLS':
      return `no TLS: ${firstLine(error.message)}`;
    default:
      return firstLine(answer ?? error.message);
  }
}

function firstLine(text: string): string {
  return (text.split(/[\r\n]/)[0] ?? '').trim().slice(0, 200);
}

function textOf(error: unknown, key: string): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const value = (error as Readonly<Record<string, unknown>>)[key];
  return typeof value === 'string' ? value : undefined;
}
