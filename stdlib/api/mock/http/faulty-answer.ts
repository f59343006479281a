import type { ServerResponse } from 'node:http';

import { bytesOf, sendAnswer, wireForm } from './answer.ts';
import type { AnswerFault, MockAnswer } from './port.ts';

const PIECES = 10;

/** Sends an answer with its fault. `pause` waits that many milliseconds, and rejects when the mock stops. */
export async function sendFaulty(
  response: ServerResponse,
  answer: MockAnswer & { readonly fault: AnswerFault },
  pause: (ms: number) => Promise<void>,
): Promise<void> {
  const { status, headers, content } = wireForm(answer);
  const bytes = bytesOf(content);
  switch (answer.fault) {
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'cut':
      response.writeHead(status, headers);
      response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
      return;
    case 'wrong_length':
      // A client would take the surplus bytes for the next answer: the connection is not used again.
      response.writeHead(status, { ...headers, 'content-length': Math.floor(bytes.length / 2), connection: 'close' });
      response.end(bytes);
      return;
    case 'slow':
      return await sendSlowly(response, answer, pause);
  }
}

async function sendSlowly(
  response: ServerResponse,
  answer: MockAnswer,
  pause: (ms: number) => Promise<void>,
): Promise<void> {
  const { status, headers, content } = wireForm(answer);
  if (content === undefined) return sendAnswer(response, answer);
  const bytes = bytesOf(content);
  response.writeHead(status, headers);
  const size = Math.max(Math.ceil(bytes.length / PIECES), 1);
  for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
    response.write(bytes.subarray(at, at + size));
    await pause(((answer.delay_seconds ?? 1) * 1000) / PIECES);
  }
  response.end();
}
