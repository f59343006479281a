/** Addresses that a service must not fetch for a stranger: this machine, the cloud that it runs in, its files. */
export const ssrfProbes: readonly string[] = [
  'http://127.0.0.1',
  'http://localhost',
  'http://0.0.0.0',
  'http://169.254.169.254/latest/meta-data/',
  'http://metadata.google.internal/computeMetadata/v1/',
  'file:///etc/passwd',
];

/** Signs of answers that really hold the content of such an address. */
const marks = /root:[^:\n]*:0:0:|ami-id|instance-id|computeMetadata|iam\/security-credentials/;

/** The part of an answer that tells that the address was fetched; undefined: nothing tells it. */
export function evidenceIn(text: string): string | undefined {
  const found = marks.exec(text);
  return found ? text.slice(Math.max(0, found.index - 40), found.index + 120) : undefined;
}
