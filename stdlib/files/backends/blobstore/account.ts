import * as fail from '#schemas/generated/failures.ts';

import { requireSafeAddress } from '../service-address.ts';
import type { BlobstoreLogin } from './port.ts';

/** Address of an account's blobs, and the proof of the caller's identity. */
export interface BlobAccount {
  /** Address without a slash at its end. */
  readonly endpoint: string;
  readonly proof: Proof;
}

export type Proof =
  | { readonly kind: 'key'; readonly account: string; readonly key: Uint8Array }
  /** Parameters of a query that carry their own signature. */
  | { readonly kind: 'signature'; readonly query: string }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'none' };

/** The account that emulators of the service have, as it is published. */
const EMULATOR = {
  endpoint: 'http://127.0.0.1:10000/devstoreaccount1',
  account: 'devstoreaccount1',
  key: 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
};

/** Reads what a call gave. Fails where it is incomplete. */
export function readLogin({ connectionString, accountUrl, credential }: BlobstoreLogin): BlobAccount {
  if (connectionString) return fromConnectionString(connectionString);
  if (!accountUrl) throw wrong('a connection string or the address of the account is needed');
  const url = requireSafeAddress('blobstore', accountUrl);
  const query = url.search.slice(1);
  if (url.hash !== '') throw wrong('the address of the account has a fragment');
  const endpoint = `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  if (query !== '' && !isSignature(query)) throw wrong('the address of the account has a query that is no signature');
  if (query !== '' && credential) throw wrong('the address of the account holds a signature already');
  const proof = proofOf(query === '' ? (credential ?? '') : query, accountOf(url));
  if (proof.kind === 'token' || proof.kind === 'signature') requireSafeAddress('blobstore', endpoint, { secret: true });
  return { endpoint, proof };
}

/** Parts of a login that are never to be shown. */
export function secretsOf({ connectionString, accountUrl, credential }: BlobstoreLogin): readonly string[] {
  const fields = connectionString === undefined ? undefined : fieldsOf(connectionString);
  const signature = fields?.get('sharedaccesssignature') ?? credential ?? accountUrl?.split('?')[1] ?? '';
  const parameter = new URLSearchParams(signature).get('sig') ?? '';
  return [connectionString, credential, fields?.get('accountkey'), parameter, encodeURIComponent(parameter)].filter(
    (text): text is string => text !== undefined && text !== '',
  );
}

function fromConnectionString(text: string): BlobAccount {
  const fields = fieldsOf(text);
  if (fields.get('usedevelopmentstorage')?.toLowerCase() === 'true') {
    const { endpoint, account, key } = EMULATOR;
    return { endpoint, proof: { kind: 'key', account, key: Buffer.from(key, 'base64') } };
  }
  const name = fields.get('accountname') ?? '';
  const given = fields.get('blobendpoint');
  const made = `${fields.get('defaultendpointsprotocol') ?? 'https'}://${name}.blob.${fields.get('endpointsuffix') ?? 'core.windows.net'}`;
  if (given === undefined && name === '') throw wrong('the connection string names neither an account nor an endpoint');
  const key = fields.get('accountkey');
  if (key === undefined) {
    const credential = fields.get('sharedaccesssignature');
    if (credential === undefined) throw wrong('the connection string holds neither a key nor a signature');
    return readLogin({ accountUrl: given ?? made, credential });
  }
  const url = requireSafeAddress('blobstore', given ?? made);
  const endpoint = `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  return { endpoint, proof: keyProof(name === '' ? accountOf(url) : name, key) };
}

/** `Name=value;…` with the names in small letters. */
function fieldsOf(text: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const part of text.split(';')) {
    const at = part.indexOf('=');
    if (at > 0) fields.set(part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim());
  }
  return fields;
}

function proofOf(credential: string, account: string): Proof {
  if (credential === '') return { kind: 'none' };
  const query = credential.replace(/^\?/, '');
  if (isSignature(query)) return { kind: 'signature', query };
  // Access tokens have dots, keys never do.
  if (/^[\w-]+\.[\w-]+\.[\w-]*$/.test(credential)) return { kind: 'token', token: credential };
  return keyProof(account, credential);
}

function keyProof(account: string, text: string): Proof {
  const key = Buffer.from(text, 'base64');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || key.length < 16)
    throw wrong('the credential is neither a key, a signature nor an access token');
  return { kind: 'key', account, key };
}

function isSignature(query: string): boolean {
  return new URLSearchParams(query).has('sig');
}

/** The first part of the host's name; of the path, where an emulator has its accounts. */
function accountOf({ hostname, pathname }: URL): string {
  const [, first = ''] = pathname.split('/');
  return first !== '' ? decodeURIComponent(first) : (hostname.split('.')[0] ?? '').replace(/-secondary$/, '');
}

function wrong(reason: string): Error {
  return fail.storageLoginForm({ backend: 'blobstore', reason });
}
