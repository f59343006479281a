/**
 * The value of an unquoted scalar by the core schema of YAML 1.2: null, booleans, integers (decimal, `0o`, `0x`),
 * floats, else text. `.inf` and `.nan` come out as such; it is the caller who refuses them.
 */
export function resolvePlain(text: string): null | boolean | number | string {
  switch (text.charCodeAt(0)) {
    case 43:
    case 45:
    case 46:
    case 48:
    case 49:
    case 50:
    case 51:
    case 52:
    case 53:
    case 54:
    case 55:
    case 56:
    case 57:
      return resolveNumber(text);
    case 116:
    case 84: // t T
      return text === 'true' || text === 'True' || text === 'TRUE' ? true : text;
    case 102:
    case 70: // f F
      return text === 'false' || text === 'False' || text === 'FALSE' ? false : text;
    case 110:
    case 78: // n N
      return text === 'null' || text === 'Null' || text === 'NULL' ? null : text;
    case 126: // ~
      return text === '~' ? null : text;
    default:
      return text === '' ? null : text;
  }
}

const DECIMAL = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const INFINITE = /^[-+]?\.(?:inf|Inf|INF)$/;
const NOT_A_NUMBER = /^\.(?:nan|NaN|NAN)$/;
const OCTAL = /^0o[0-7]+$/;
const HEXADECIMAL = /^0x[0-9a-fA-F]+$/;

function resolveNumber(text: string): number | string {
  const small = smallInteger(text);
  if (small >= 0) return small;
  if (DECIMAL.test(text) || OCTAL.test(text) || HEXADECIMAL.test(text)) return Number(text);
  if (INFINITE.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return NOT_A_NUMBER.test(text) ? NaN : text;
}

/** Most numbers are short and have only digits; -1 for all others. */
function smallInteger(text: string): number {
  if (text.length > 9) return -1;
  let value = 0;
  for (let at = 0; at < text.length; at += 1) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/** An integer in any base as the decimal literal that `numberProblem` judges. */
export function decimalLiteral(text: string): string {
  return OCTAL.test(text) || HEXADECIMAL.test(text) ? BigInt(text).toString() : text;
}
