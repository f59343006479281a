/**
 * Whether a text may hold more values, keys included, than a document may. Counted are the marks that begin them, so
 * that it is known before memory is spent on them: `,` stands before one, `: ` between two, `[` and `{` are one and
 * begin another, `- ` and `? ` begin one. A text that is shorter than the limit is not looked at.
 */
export function mayHoldMore(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  let count = 0;
  for (let at = 0; at < text.length && count <= limit; at += 1) {
    switch (text.charCodeAt(at)) {
      case 44:
        count += 1;
        break;
      case 91:
      case 123:
        count += 2;
        break;
      case 45:
      case 63:
        if (isBlank(text.charCodeAt(at + 1))) count += 1;
        break;
      case 58:
        count += 2;
        break;
    }
  }
  return count > limit;
}

/** A reader of YAML takes about four times as much memory for a value as one of JSON. */
const YAML_SHARE = 4;

/** Values that a document in YAML may hold, where one in JSON may hold `limit`. */
export function yamlLimit(limit: number): number {
  return Math.floor(limit / YAML_SHARE);
}

/**
 * The same for YAML, in which `:` stands between two only before a blank, a bracket or a comma, or behind what is
 * closed. A list that begins with a list is one more. A comma counts one and a half: what stands between two takes the
 * most memory of all. A line break and a backslash count three quarters and `'` one, because texts are put together of
 * the pieces between; an anchor counts one.
 */
export function yamlMayHoldMore(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  const most = limit * 4;
  if (mostQuarters(text) <= most) return false;
  let quarters = 0;
  let isBehindDash = false;
  for (let at = 0; at < text.length && quarters <= most; at += 1) {
    const unit = text.charCodeAt(at);
    // Most characters are small letters.
    if (unit >= 97 && unit <= 122) {
      isBehindDash = false;
      continue;
    }
    switch (unit) {
      case 32:
      case 9:
        continue;
      case 10:
        quarters += 3;
        continue;
      case 92:
        quarters += 3;
        break;
      case 38:
        quarters += 4;
        break;
      case 39:
        quarters += 1;
        break;
      case 44:
        quarters += 6;
        break;
      case 91:
      case 123:
        quarters += 8;
        break;
      case 45:
      case 63:
        if (!isBlank(text.charCodeAt(at + 1))) break;
        quarters += isBehindDash ? 8 : 4;
        isBehindDash = true;
        continue;
      case 58:
        if (endsKey(text, at)) quarters += 8;
        break;
    }
    isBehindDash = false;
  }
  return quarters > most;
}

/**
 * Highest number of quarters that the characters of a text can count, whatever stands beside them: nearly every text
 * passes by this alone, in a third of the time. A character beyond ASCII counts as one of those.
 */
function mostQuarters(text: string): number {
  let quarters = 0;
  for (let at = 0; at < text.length; at += 1) quarters += MOST_QUARTERS[text.charCodeAt(at) & 127] ?? 0;
  return quarters;
}

const MOST_QUARTERS = new Uint8Array(128);
for (const sign of '[{-?:') MOST_QUARTERS[sign.charCodeAt(0)] = 8;
MOST_QUARTERS[44] = 6;
MOST_QUARTERS[38] = 4;
MOST_QUARTERS[10] = MOST_QUARTERS[92] = 3;
MOST_QUARTERS[39] = 1;

/** Whether a colon may stand between a key and its value. */
function endsKey(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  return isBlank(next) || next === 44 || isBracket(next) || isClosing(text.charCodeAt(at - 1));
}

function isBracket(unit: number): boolean {
  return unit === 91 || unit === 93 || unit === 123 || unit === 125;
}

function isClosing(unit: number): boolean {
  return unit === 34 || unit === 39 || unit === 93 || unit === 125;
}

function isBlank(unit: number): boolean {
  return unit === 32 || unit === 9 || unit === 10 || unit === 13 || Number.isNaN(unit);
}
