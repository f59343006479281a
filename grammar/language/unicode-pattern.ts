/** A token pattern with Unicode classes: Chevrotain drops the `u` flag of regular expressions, but takes functions. */
export function unicode(source: string): (text: string, offset: number) => RegExpExecArray | null {
  const pattern = new RegExp(source, 'uy');
  return (text, offset) => {
    pattern.lastIndex = offset;
    return pattern.exec(text);
  };
}
