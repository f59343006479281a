const DATE = '\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])';
const TIME = '(?:[01]\\d|2[0-4]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?(?:Z|[+-]\\d\\d:?\\d\\d)?';
/** Patterns of ISO 8601, where no format is given. */
const usual = { date: DATE, time: `T?${TIME}`, timestamp: `${DATE}T${TIME}`, datetime: `${DATE}T${TIME}` };

/** Patterns for the letters of a date format of Java; others stand for one or more signs. */
const fields: readonly (readonly [letters: RegExp, pattern: string])[] = [
  [/^yyyy+|^uuuu+|^YYYY+/, '[+-]?\\d{4,}'],
  [/^yy|^uu/, '\\d\\d'],
  [/^[MLE]{4,}|^[ML]{3}|^E{1,3}/, '[^\\s\\d]+'],
  [/^MM/, '(?:0[1-9]|1[0-2])'],
  [/^[ML]/, '(?:0?[1-9]|1[0-2])'],
  [/^dd/, '(?:0[1-9]|[12]\\d|3[01])'],
  [/^d/, '(?:0?[1-9]|[12]\\d|3[01])'],
  [/^HH|^kk/, '(?:[01]\\d|2[0-4])'],
  [/^[Hk]/, '(?:[01]?\\d|2[0-4])'],
  [/^hh|^KK/, '(?:0\\d|1[0-2])'],
  [/^[hK]/, '(?:0?\\d|1[0-2])'],
  [/^mm|^ss/, '[0-5]\\d'],
  [/^[ms]/, '[0-5]?\\d'],
  [/^a+/, '(?:[AaPp]\\.?[Mm]\\.?)'],
  [/^X+/, '(?:Z|[+-]\\d\\d(?::?\\d\\d)?)'],
  [/^[xZ]+/, '(?:Z|[+-]\\d\\d:?(?:\\d\\d)?)'],
  [/^D+|^w+|^F+|^e+/, '\\d+'],
];

/** Regular expression of the texts that a date format of Java, as contract files hold it, describes. */
export function datePattern(kind: keyof typeof usual, format: string | undefined): string {
  if (format === undefined) return usual[kind];
  let [rest, pattern] = [format, ''];
  while (rest !== '') {
    const [quoted, inside] = /^'((?:[^']|'')*)'/.exec(rest) ?? [];
    if (quoted !== undefined) {
      pattern += inside === '' ? "'" : escaped((inside ?? '').replaceAll("''", "'"));
      rest = rest.slice(quoted.length);
      continue;
    }
    const [piece, written] = field(rest);
    pattern += written;
    rest = rest.slice(piece.length);
  }
  return pattern;
}

function field(text: string): readonly [piece: string, pattern: string] {
  const fraction = /^[Sn]+/.exec(text)?.[0];
  if (fraction !== undefined) return [fraction, `\\d{${fraction.length > 2 ? `${fraction.length}` : '1,9'}}`];
  for (const [letters, pattern] of fields) {
    const found = letters.exec(text)?.[0];
    if (found !== undefined) return [found, pattern];
  }
  const other = /^([A-Za-z])\1*/.exec(text)?.[0];
  return other === undefined ? [text.charAt(0), escaped(text.charAt(0))] : [other, '\\S+'];
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
