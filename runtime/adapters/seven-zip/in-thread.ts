import type { FileSystem, SevenZipModule } from '7z-wasm';

/** Job of the thread. */
export interface Task {
  readonly module: string;
  readonly args: readonly string[];
  /** An open file that stands as `/archive`. */
  readonly archive?: { readonly fd: number; readonly size: number };
  /** Shared with the one who asks: the places of `CONTROL`, and a piece of input. */
  readonly control: Int32Array;
  readonly input: Uint8Array;
  /** Output to hand over: standard output, a written file, or the text alone. */
  readonly output: 'text' | 'stdout' | 'file';
}

export type Message =
  | { readonly kind: 'piece'; readonly bytes: Uint8Array }
  | { readonly kind: 'more' }
  | {
      readonly kind: 'done';
      readonly code: number;
      readonly lines: readonly string[];
      readonly errors: readonly string[];
    };

export interface ThreadTools {
  readonly post: (message: Message) => void;
  readonly load: (module: string) => unknown;
  readonly readSync: (fd: number, buffer: Uint8Array, offset: number, length: number, position: number) => number;
}

/** Functions of a stream's file operations that are used here; the package keeps the type to itself. */
interface Operations {
  read(stream: Stream, buffer: Int8Array, offset: number, length: number, position?: number): number;
  write(stream: Stream, buffer: Int8Array, offset: number, length: number, position?: number): number;
}
interface Stream {
  stream_ops: Operations;
  position: number;
  readonly node: Inner;
}
interface Inner {
  usedBytes: number;
  stream_ops: Operations;
}
type Inside = Omit<FileSystem, 'lookupPath'> & {
  readonly streams: readonly [Stream, Stream];
  lookupPath(path: string): { readonly node: Inner };
};

/**
 * Runs 7-Zip once. Its own text is handed to a thread, so it may use nothing but its parameters: neither imports nor
 * anything else of this module. The program sees no disk: one archive by its open file, one input, one output.
 */
export async function serve(task: Task, { post, load, readSync }: ThreadTools): Promise<void> {
  const { control, input } = task;
  const lines: string[] = [];
  const errors: string[] = [];
  const loaded = load(task.module) as { default?: unknown };
  const make = (loaded.default ?? loaded) as (options: object) => Promise<SevenZipModule>;
  const program = await make({
    print: (line: string) => lines.push(line),
    printErr: (line: string) => errors.push(line),
    quit: () => undefined,
  });
  const files = program.FS as unknown as Inside;

  // Waits while eight pieces are on their way.
  const hand = (buffer: Int8Array, offset: number, length: number): number => {
    post({ kind: 'piece', bytes: new Uint8Array(buffer.buffer, buffer.byteOffset + offset, length).slice() });
    for (let waiting = Atomics.add(control, 0, 1) + 1; waiting >= 8; waiting = Atomics.load(control, 0))
      Atomics.wait(control, 0, waiting);
    return length;
  };

  let at = 0;
  let end = 0;
  const take = (buffer: Int8Array, offset: number, length: number): number => {
    if (at === end) {
      if (Atomics.load(control, 1) !== 2) {
        Atomics.store(control, 1, 0);
        post({ kind: 'more' });
        Atomics.wait(control, 1, 0);
      }
      if (Atomics.load(control, 1) === 2) return 0;
      at = 0;
      end = Atomics.load(control, 2);
    }
    const count = Math.min(length, end - at);
    new Uint8Array(buffer.buffer, buffer.byteOffset + offset, count).set(input.subarray(at, at + count));
    at += count;
    return count;
  };

  const [standardInput, standardOutput] = files.streams;
  standardInput.stream_ops = {
    ...standardInput.stream_ops,
    read: (_stream, buffer, offset, length) => take(buffer, offset, length),
  };
  if (task.output === 'stdout')
    standardOutput.stream_ops = {
      ...standardOutput.stream_ops,
      write: (_stream, buffer, offset, length) => hand(buffer, offset, length),
    };
  if (task.output === 'file') {
    files.writeFile('/probe', '');
    let written = 0;
    // All files of its memory share these operations.
    files.lookupPath('/probe').node.stream_ops.write = (stream, buffer, offset, length, position = stream.position) => {
      if (position !== written) throw new Error('the output is not written from one end to the other');
      written += length;
      stream.node.usedBytes = written;
      return hand(buffer, offset, length);
    };
  }
  if (task.archive !== undefined) {
    const { fd, size } = task.archive;
    files.writeFile('/archive', '');
    const { node } = files.lookupPath('/archive');
    node.usedBytes = size;
    node.stream_ops = {
      ...node.stream_ops,
      read: (_stream, buffer, offset, length, position = 0) =>
        readSync(fd, new Uint8Array(buffer.buffer, buffer.byteOffset + offset, length), 0, length, position),
    };
  }

  let code: unknown;
  try {
    code = (program.callMain as (args: readonly string[]) => unknown)([...task.args]);
  } catch {
    // It ends itself like this; what was wrong stands among the errors.
    code = 2;
  }
  post({ kind: 'done', code: typeof code === 'number' ? code : 0, lines, errors });
}
