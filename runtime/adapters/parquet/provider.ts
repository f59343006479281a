import type { Provider } from '#runtime/kernel/ports.ts';

/** `limits.parquet_rows` of the configuration changes it: rows of one row group, which are in memory together. */
const mostRows = 20_000_000;
/** `limits.parquet_bytes` changes it: bytes of one row group, once its pages are unpacked and its texts written out. */
const mostBytes = 4 * 1024 ** 3;

export const provider: Provider<'parquet'> = {
  open: ({ settings }) => ({
    open: async (file, path) =>
      await (
        await import('./read-file.ts')
      ).openParquet(file, {
        path,
        mostRows: settings.limits?.['parquet_rows'] ?? mostRows,
        mostBytes: settings.limits?.['parquet_bytes'] ?? mostBytes,
      }),
    async *write(batches, options) {
      yield* (await import('./write-file.ts')).writeParquet(batches, options);
    },
  }),
};
