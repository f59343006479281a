/** Enough to keep a disk busy, few enough to leave room for others. */
const WORKERS = 8;

/**
 * Does something with each item, a few at a time and begun in order. After a failure nothing more begins; what runs is
 * waited for, and the failure of the first item that failed is thrown.
 */
export async function inParallel<Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<void>,
  workers = WORKERS,
): Promise<void> {
  let next = 0;
  const failed = new Map<number, unknown>();
  const worker = async (): Promise<void> => {
    while (next < items.length && failed.size === 0) {
      const index = next++;
      try {
        await work(items[index] as Item, index);
      } catch (error) {
        failed.set(index, error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(workers, items.length) }, worker));
  if (failed.size > 0) throw failed.get(Math.min(...failed.keys()));
}
