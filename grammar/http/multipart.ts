/** A part of a form as a request says it: the path of a local file, or that or a text with what is said of it. */
export type FormPart =
  | string
  | {
      readonly path?: string | undefined;
      readonly text?: string | undefined;
      readonly type?: string | undefined;
      /** File name that is said; null: none. */
      readonly name?: string | null | undefined;
    };

/** Parts by their fields; a list is several of one field. */
export type FormFiles = Readonly<Record<string, FormPart | readonly FormPart[]>>;

/** A part of a form whose bytes are read. */
export interface FilePart {
  /** Name of its field. */
  readonly field: string;
  /** File name that is said. */
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  readonly bytes: Uint8Array;
}

/** The parts of a form in their order, with the bytes and the own name that `read` finds at a path. */
export async function readFormParts(
  files: FormFiles,
  read: (path: string) => Promise<{ readonly name: string; readonly bytes: Uint8Array }>,
): Promise<readonly FilePart[]> {
  const parts: FilePart[] = [];
  for (const [field, given] of Object.entries(files))
    for (const part of [given].flat()) {
      const { path, text = '', type, name } = typeof part === 'string' ? { path: part } : part;
      const found = path === undefined ? { bytes: Buffer.from(text) } : await read(path);
      parts.push({ field, type, ...found, ...(name === undefined ? {} : { name: name ?? undefined }) });
    }
  return parts;
}

/**
 * A `multipart/form-data` body (RFC 7578): the fields, then the files. What has a file name but no media type is said
 * to be bytes. The boundary may stand in none of them.
 */
export function multipartBytes(
  fields: readonly (readonly [name: string, value: string])[],
  files: readonly FilePart[],
  boundary: string,
): Uint8Array {
  const all = [...fields.map(([field, value]): FilePart => ({ field, bytes: Buffer.from(value) })), ...files];
  const parts = all.flatMap(({ field, name, type = name === undefined ? '' : 'application/octet-stream', bytes }) => {
    const file = name === undefined ? '' : `; filename="${quoted(name)}"`;
    const said = type === '' ? '' : `Content-Type: ${type.replaceAll(/[\r\n]+/g, ' ')}\r\n`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(field)}"${file}\r\n${said}\r\n`;
    return [Buffer.from(head), bytes, Buffer.from('\r\n')];
  });
  return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
}

/** Name as browsers write it: characters that would end the line or the name are percent-encoded. */
export function quoted(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}
