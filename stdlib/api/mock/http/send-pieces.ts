import type { ServerResponse } from 'node:http';

import { wireForm } from './answer.ts';
import type { AnswerPiece, MockAnswer } from './port.ts';

/** Sends an answer piece by piece. `pause` waits that many milliseconds, and rejects when the mock stops. */
export async function sendPieces(
  response: ServerResponse,
  answer: MockAnswer & { readonly pieces: readonly AnswerPiece[] },
  pause: (ms: number) => Promise<void>,
): Promise<void> {
  const { 'content-length': _, ...headers } = wireForm(answer).headers;
  response.writeHead(answer.status ?? 200, headers);
  response.flushHeaders();
  for (const { text, wait_ms: wait } of answer.pieces) {
    if (wait > 0) await pause(wait);
    if (response.destroyed) return;
    response.write(text);
  }
  response.end();
}
