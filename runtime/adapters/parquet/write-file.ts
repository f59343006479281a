import { ByteWriter, ParquetWriter } from 'hyparquet-writer';

import * as fail from '#schemas/generated/failures.ts';
import type { Json } from '#schemas/types/json.ts';

import { codecOf, packers } from './codecs.ts';
import { elementsOf, encode, Unfit } from './encode.ts';
import type { Batch, ParquetColumn, ParquetWriteOptions } from './port.ts';

/** A value that is shown by a failure is cut off here. */
const shown = 60;

export async function* writeParquet(
  batches: AsyncIterable<Batch>,
  { columns, compression }: ParquetWriteOptions,
): AsyncGenerator<Uint8Array, void> {
  const bytes = new ByteWriter();
  const schema = [{ name: 'root', num_children: columns.length }, ...columns.flatMap(elementsOf)];
  const writer = new ParquetWriter({
    writer: bytes,
    schema,
    codec: codecOf[compression],
    compressors: packers,
    createdBy: 'svc',
  });
  let row = 0;
  for await (const batch of batches) {
    const length = batch[0]?.length ?? 0;
    if (length === 0) continue;
    await writer.write({
      columnData: columns.map((column, index) => ({
        name: column.name,
        data: encoded(column, batch[index] ?? [], row),
      })),
      rowGroupSize: length,
    });
    row += length;
    yield taken(bytes);
  }
  await writer.finish();
  yield taken(bytes);
}

function encoded({ name, type }: ParquetColumn, values: readonly Json[], before: number): unknown[] {
  return values.map((value, index) => {
    try {
      return encode(value, type);
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
      throw fail.parquetValue({
        column: name,
        row: before + index + 1,
        value: JSON.stringify(error.value).slice(0, shown),
        type: error.kind,
      });
    }
  });
}

/** Bytes written since the last call. Offsets go on counting. */
function taken(bytes: ByteWriter): Uint8Array {
  const all = bytes.getBytes().slice();
  bytes.index = 0;
  return all;
}
