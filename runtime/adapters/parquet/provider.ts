import type { Provider } from '#runtime/kernel/ports.ts';
import { PARQUET_BYTES, PARQUET_ROWS } from '#schemas/generated/settings.ts';

export const provider: Provider<'parquet'> = {
  open: ({ settings }) => ({
    open: async (file, path) =>
      await (
        await import('./read-file.ts')
      ).openParquet(file, {
        path,
        mostRows: settings.limits?.parquet_rows ?? PARQUET_ROWS,
        mostBytes: settings.limits?.parquet_bytes ?? PARQUET_BYTES,
      }),
    async *write(batches, options) {
      yield* (await import('./write-file.ts')).writeParquet(batches, options);
    },
  }),
};
