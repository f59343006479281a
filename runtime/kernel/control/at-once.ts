import type { Pool } from '../pool.ts';

/**
 * Runs work as long as there is some, at most so many at once. One stands in the place of whoever runs the loop; each
 * further one needs a place of its own.
 */
export function atOnce(most: number, pool: Pool, isMore: () => boolean, work: () => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    let running = 0;
    let isOwnTaken = false;
    let isAsking = false;
    const begin = (isBorrowed: boolean): void => {
      running++;
      if (!isBorrowed) isOwnTaken = true;
      work().then(() => {
        running--;
        if (isBorrowed) pool.give();
        else isOwnTaken = false;
        advance();
      }, reject);
    };
    const advance = (): void => {
      while (running < most && isMore()) {
        if (!isOwnTaken) begin(false);
        else if (pool.tryTake()) begin(true);
        else if (isAsking) break;
        else {
          isAsking = true;
          pool.whenFree(() => {
            isAsking = false;
            advance();
          });
          break;
        }
      }
      if (running === 0 && !isMore()) resolve();
    };
    advance();
  });
}
