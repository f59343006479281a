/** Option of curl: `value` takes the next word, `flag` takes none. */
export interface CurlOption {
  readonly name: string;
  readonly takes: 'value' | 'flag';
}

const short: Readonly<Record<string, string>> = {
  X: 'request',
  H: 'header',
  d: 'data',
  F: 'form',
  u: 'user',
  b: 'cookie',
  A: 'user-agent',
  e: 'referer',
  k: 'insecure',
  L: 'location',
  I: 'head',
  G: 'get',
  x: 'proxy',
  m: 'max-time',
  E: 'cert',
  T: 'upload-file',
  r: 'range',
  o: 'output',
  O: 'remote-name',
  s: 'silent',
  S: 'show-error',
  v: 'verbose',
  i: 'include',
  f: 'fail',
  g: 'globoff',
  c: 'cookie-jar',
  C: 'continue-at',
  D: 'dump-header',
  J: 'remote-header-name',
  K: 'config',
  N: 'no-buffer',
  U: 'proxy-user',
  w: 'write-out',
  y: 'speed-time',
  Y: 'speed-limit',
  z: 'time-cond',
  Z: 'parallel',
  h: 'help',
  V: 'version',
  q: 'disable',
  n: 'netrc',
  M: 'manual',
  P: 'ftp-port',
  Q: 'quote',
  R: 'remote-time',
  t: 'telnet-option',
  a: 'append',
  B: 'use-ascii',
  j: 'junk-session-cookies',
  l: 'list-only',
  p: 'proxytunnel',
  '0': 'http1.0',
  '1': 'tlsv1',
  '2': 'sslv2',
  '3': 'sslv3',
  '4': 'ipv4',
  '6': 'ipv6',
  '#': 'progress-bar',
  ':': 'next',
};

/** Options that take a value; every other one takes none. */
const valued = new Set(
  (
    'request header data data-raw data-binary data-ascii data-urlencode json form form-string user cookie user-agent referer proxy ' +
    'max-time cert key cacert capath pass cert-type key-type upload-file range output url url-query cookie-jar continue-at dump-header config ' +
    'proxy-user write-out speed-time speed-limit time-cond ftp-port quote telnet-option connect-timeout resolve connect-to unix-socket ' +
    'abstract-unix-socket socks4 socks4a socks5 socks5-hostname retry retry-delay retry-max-time max-redirs max-filesize limit-rate ' +
    'oauth2-bearer aws-sigv4 interface local-port dns-servers dns-interface dns-ipv6-addr doh-url ciphers tls13-ciphers ' +
    'tls-max curves crlfile pinnedpubkey proxy-header proxy-cert proxy-key proxy-cacert preproxy noproxy netrc-file output-dir stderr ' +
    'trace trace-ascii trace-config keepalive-time expect100-timeout happy-eyeballs-timeout-ms proto proto-default proto-redir ' +
    'request-target rate variable etag-save etag-compare hsts alt-svc krb delegation service-name login-options mail-from mail-rcpt ' +
    'mail-auth sasl-authzid postquote prequote libcurl parallel-max create-file-mode engine random-file egd-file ech haproxy-clientip ' +
    'ipfs-gateway tlsauthtype tlsuser tlspassword socks5-gssapi-service ' +
    'ftp-account ftp-alternative-to-user ftp-method ftp-ssl-ccc-mode hostpubmd5 hostpubsha256 proxy-capath proxy-cert-type proxy-ciphers ' +
    'proxy-crlfile proxy-key-type proxy-pass proxy-pinnedpubkey proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype ' +
    'proxy-tlspassword proxy-tlsuser proxy1.0 pubkey tftp-blksize help ip-tos vlan-priority keepalive-cnt upload-flags sigalgs ' +
    'dns-ipv4-addr'
  ).split(' '),
);

/** The option that a word names, and the value that stands in the same word; undefined: it is no option. */
export function readOption(
  word: string,
): { readonly options: readonly CurlOption[]; readonly value?: string } | undefined {
  if (word.startsWith('--') && word.length > 2) {
    const name = word.slice(2);
    // Its value is filled with the variables of the line.
    const takesValue = valued.has(name) || valued.has(name.replace(/^expand-/, ''));
    return { options: [{ name, takes: takesValue ? 'value' : 'flag' }] };
  }
  if (!word.startsWith('-') || word === '-') return undefined;
  const options: CurlOption[] = [];
  for (let at = 1; at < word.length; at++) {
    const name = short[word[at] ?? ''] ?? word[at] ?? '';
    const takes = valued.has(name) ? 'value' : 'flag';
    options.push({ name, takes });
    if (takes === 'value') return at + 1 < word.length ? { options, value: word.slice(at + 1) } : { options };
  }
  return { options };
}
