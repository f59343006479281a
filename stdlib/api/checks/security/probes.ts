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

/**
 * The part of an answer that tells that the address was fetched; undefined: nothing tells it. An answer may repeat the
 * address itself, in any of its spellings, which tells nothing.
 */
export function evidenceIn(text: string, probe: string): string | undefined {
  const plain = spellingsOf(probe).reduce((rest, spelling) => rest.replaceAll(spelling, ''), text);
  const found = marks.exec(plain);
  return found ? plain.slice(Math.max(0, found.index - 40), found.index + 120) : undefined;
}

/** Sentence on what an answer to an address says of the endpoint, and what mends it. */
export function meaningOf({ status, evidence, redirect }: Seen): string {
  const rule = 'fetch listed hosts only, and no private address';
  if (evidence !== undefined) return `was fetched: the answer holds content of it; ${rule}`;
  if (redirect !== undefined) return `was answered with ${status} and sends clients on; send them to listed hosts only`;
  return `was taken with ${status}: nothing shows that it was fetched; look, and refuse it with 400 or ${rule}`;
}

interface Seen {
  readonly status: number;
  readonly evidence: string | undefined;
  readonly redirect: string | undefined;
}

/** As it was sent, as an address or a form holds it, with slashes escaped as some writers of JSON do, in markup. */
function spellingsOf(probe: string): readonly string[] {
  const encoded = encodeURIComponent(probe);
  const inForm = new URLSearchParams([['', probe]]).toString().slice(1);
  const path = URL.canParse(probe) ? new URL(probe).pathname : '/';
  const own = [
    probe,
    encoded,
    encoded.toLowerCase(),
    inForm,
    probe.replaceAll('/', '\\/'),
    probe.replaceAll('/', '&#x2F;'),
  ];
  return path === '/' ? own : [...own, path];
}
