/** Time (ms) that a service asks to wait before the same is sent again; undefined where it does not ask. */
export function retryAfterMs(
  {
    status,
    headers,
    body,
  }: { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array },
  now: number,
): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const header = headers['retry-after'];
  const named = header === undefined ? undefined : waitOf(header, now);
  return named ?? (status === 429 ? fromBody(new TextDecoder().decode(body.subarray(0, 2000))) : undefined);
}

/** Time (ms) that the header `Retry-After` names: seconds, or a moment; undefined for anything else. */
export function waitOf(header: string, now: number): number | undefined {
  const value = header.trim();
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/** `retry_after` in seconds, at the top or under `parameters`, as two of the chat services say it. */
function fromBody(text: string): number | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const seconds = numberAt(value, 'retry_after') ?? numberAt(memberOf(value, 'parameters'), 'retry_after');
    return seconds === undefined ? undefined : seconds * 1000;
  } catch {
    return undefined;
  }
}

function numberAt(value: unknown, key: string): number | undefined {
  const found = memberOf(value, key);
  return typeof found === 'number' && found >= 0 ? found : undefined;
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
}
