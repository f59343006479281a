import { gathered } from '#stdlib/files/gathered.ts';

import { readAnswer } from './answer.ts';
import { ask } from './ask.ts';
import { bytesOf } from './bytes.ts';
import { verifyDigest } from './verify-digest.ts';
import type { Answer, DownloadTools, Wanted } from './wanted.ts';

/** Downloads in one go. Yields the head of the answer. */
export async function downloadWhole(tools: DownloadTools, wanted: Wanted): Promise<Answer> {
  const answer = await ask(tools, wanted, {});
  try {
    const meaning = readAnswer(tools, answer, undefined, wanted);
    await writeWhole(tools, wanted, answer, meaning.kind === 'whole' ? meaning.total : undefined);
    return answer;
  } finally {
    answer.close();
  }
}

/** Writes a whole answer; the target changes when all of it has come and is what was expected. */
export async function writeWhole(
  tools: DownloadTools,
  wanted: Wanted,
  answer: Answer,
  total: number | undefined,
): Promise<void> {
  const { files, digests, signal, durable } = tools;
  const digest = wanted.sha256 === undefined ? undefined : digests.open('sha256');
  async function* verified(): AsyncGenerator<Uint8Array, void> {
    yield* bytesOf(tools, answer, wanted, { before: 0, total, digest });
    if (digest) verifyDigest(tools, wanted, digest.hex());
  }
  await files.writeStream(wanted.target, gathered(verified()), { parents: true, durable, signal });
}
