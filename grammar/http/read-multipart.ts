/** A part of a form. */
export interface ReadPart {
  readonly name: string;
  readonly value: string;
  readonly isFile: boolean;
}

/**
 * Parts of a `multipart/form-data` body (RFC 7578) that was kept as text, or as base64 of its bytes; undefined: its
 * boundary is not known, or it is none.
 */
export function multipartFields(text: string, contentType: string): readonly ReadPart[] | undefined {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]*)"|([^;\s]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return undefined;
  const whole = text.startsWith('--') ? text : Buffer.from(text, 'base64').toString('utf8');
  const [before, ...pieces] = `\r\n${whole}`.split(`\r\n--${boundary}`);
  if (before !== '' || pieces.pop()?.startsWith('--') !== true) return undefined;
  return pieces.flatMap((piece) => {
    const end = piece.indexOf('\r\n\r\n');
    const head = piece.slice(0, end === -1 ? piece.length : end);
    const [, disposition = ''] = /^content-disposition:(.*)$/im.exec(head) ?? [];
    const [, name] = /[;\s]name="([^"]*)"/i.exec(disposition) ?? [];
    if (name === undefined) return [];
    return [
      {
        name: name.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n'),
        value: end === -1 ? '' : piece.slice(end + 4),
        isFile: /;\s*filename\*?=/i.test(disposition),
      },
    ];
  });
}
