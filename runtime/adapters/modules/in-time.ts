import type { Clock } from '#schemas/types/host.ts';

/** Waits for work of others, at most for some seconds; then it fails with the sentence, and the work is left alone. */
export async function inTime<Result>(
  clock: Clock,
  seconds: number,
  sentence: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const done = new AbortController();
  const late = clock.sleep(seconds * 1000, done.signal).then(() => {
    throw new Error(sentence);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    done.abort();
  }
}
