/** A local file in a form of several parts. */
export interface FilePart {
  /** Name of its field. */
  readonly field: string;
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A `multipart/form-data` body (RFC 7578): the fields, then the files. The boundary may stand in none of them. */
export function multipartBytes(
  fields: readonly (readonly [name: string, value: string])[],
  files: readonly FilePart[],
  boundary: string,
): Buffer {
  const parts: Uint8Array[] = fields.map(([name, value]) =>
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`),
  );
  for (const { field, name, bytes } of files) {
    const disposition = `form-data; name="${quoted(field)}"; filename="${quoted(name)}"`;
    const head = `--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: application/octet-stream\r\n\r\n`;
    parts.push(Buffer.from(head), bytes, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
}

/** Name as browsers write it: characters that would end the line or the name are percent-encoded. */
function quoted(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}
