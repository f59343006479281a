import { randomBytes } from 'node:crypto';

export interface BodyPart {
  readonly headers: readonly string[];
  readonly content: string | Uint8Array;
}

/** A body of several parts, divided by a line that nobody can guess. */
export function multipart(kind: 'related' | 'form-data', parts: readonly BodyPart[]) {
  const boundary = `svc-${randomBytes(18).toString('hex')}`;
  const pieces = parts.flatMap(({ headers, content }) => [
    `--${boundary}\r\n${headers.join('\r\n')}\r\n\r\n`,
    content,
    '\r\n',
  ]);
  const body = Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece as string)));
  return { type: `multipart/${kind}; boundary=${boundary}`, body: new Uint8Array(body) };
}
