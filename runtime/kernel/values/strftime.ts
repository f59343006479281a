const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const DAY_MS = 86_400_000;

/** Local time as numbers; `offset` is how many minutes it is ahead of UTC. */
interface Moment {
  readonly date: Date;
  readonly at: number;
  readonly offset: number;
}

/**
 * Writes a moment (milliseconds since 1970) in local time by a strftime format. Names are English whatever the
 * machine's language is; an unknown directive stays as written.
 */
export function strftime(format: string, at: number, offset: number): string {
  const moment = { date: new Date(at + offset * 60_000), at, offset };
  let text = '';
  for (let index = 0; index < format.length; index++) {
    const character = format[index] ?? '';
    const plain = character === '%' && format[index + 1] === '-';
    const letter = character === '%' ? format[index + (plain ? 2 : 1)] : undefined;
    const piece = letter === undefined ? undefined : directive(letter, moment);
    if (piece === undefined) text += character;
    else {
      text += plain ? piece.replace(/^[0 ]+(?=\d)/, '') : piece;
      index += plain ? 2 : 1;
    }
  }
  return text;
}

/** Format of bare `${date}`: ISO 8601, local time, whole seconds. */
export const isoFormat = '%Y-%m-%dT%H:%M:%S';

function directive(letter: string, moment: Moment): string | undefined {
  const { date } = moment;
  const hour = date.getUTCHours();
  switch (letter) {
    case 'Y':
      return String(date.getUTCFullYear()).padStart(4, '0');
    case 'C':
      return pad(Math.floor(date.getUTCFullYear() / 100));
    case 'y':
      return pad(date.getUTCFullYear() % 100);
    case 'm':
      return pad(date.getUTCMonth() + 1);
    case 'd':
      return pad(date.getUTCDate());
    case 'e':
      return String(date.getUTCDate()).padStart(2, ' ');
    case 'H':
      return pad(hour);
    case 'k':
      return String(hour).padStart(2, ' ');
    case 'I':
      return pad(hour % 12 || 12);
    case 'l':
      return String(hour % 12 || 12).padStart(2, ' ');
    case 'M':
      return pad(date.getUTCMinutes());
    case 'S':
      return pad(date.getUTCSeconds());
    case 'f':
      return String(date.getUTCMilliseconds()).padStart(3, '0') + '000';
    case 'L':
      return String(date.getUTCMilliseconds()).padStart(3, '0');
    case 'p':
      return hour < 12 ? 'AM' : 'PM';
    case 'P':
      return hour < 12 ? 'am' : 'pm';
    case 'j':
      return String(dayOfYear(date) + 1).padStart(3, '0');
    case 'a':
      return (days[date.getUTCDay()] ?? '').slice(0, 3);
    case 'A':
      return days[date.getUTCDay()];
    case 'b':
    case 'h':
      return (months[date.getUTCMonth()] ?? '').slice(0, 3);
    case 'B':
      return months[date.getUTCMonth()];
    case 'w':
      return String(date.getUTCDay());
    case 'u':
      return String(date.getUTCDay() || 7);
    case 'U':
      return pad(Math.floor((dayOfYear(date) + 7 - date.getUTCDay()) / 7));
    case 'W':
      return pad(Math.floor((dayOfYear(date) + 7 - ((date.getUTCDay() + 6) % 7)) / 7));
    case 'V':
      return pad(isoWeek(date).week);
    case 'G':
      return String(isoWeek(date).year).padStart(4, '0');
    case 'g':
      return pad(isoWeek(date).year % 100);
    case 'z':
      return zone(moment.offset);
    case 'Z':
      return moment.offset === 0 ? 'UTC' : zone(moment.offset);
    case 's':
      return String(Math.floor(moment.at / 1000));
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case '%':
      return '%';
    default:
      return compound(letter, moment);
  }
}

function compound(letter: string, moment: Moment): string | undefined {
  const format = {
    c: '%a %b %e %H:%M:%S %Y',
    x: '%m/%d/%y',
    D: '%m/%d/%y',
    X: '%H:%M:%S',
    T: '%H:%M:%S',
    F: '%Y-%m-%d',
    R: '%H:%M',
    r: '%I:%M:%S %p',
  }[letter];
  return format === undefined ? undefined : strftime(format, moment.at, moment.offset);
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}

function dayOfYear(date: Date): number {
  return Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY_MS);
}

/** ISO 8601: the week belongs to the year that holds its Thursday. */
function isoWeek(date: Date): { year: number; week: number } {
  const thursday = new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * DAY_MS);
  return { year: thursday.getUTCFullYear(), week: Math.floor(dayOfYear(thursday) / 7) + 1 };
}

function zone(offset: number): string {
  const minutes = Math.abs(offset);
  return `${offset < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}${pad(minutes % 60)}`;
}
