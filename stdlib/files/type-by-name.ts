/** Media types and the extensions that stand for them: the same on every machine. */
const table = `
application/epub+zip: epub
application/gpx+xml: gpx
application/java-archive: jar
application/json: json map
application/jsonl: jsonl ndjson
application/ld+json: jsonld
application/manifest+json: webmanifest
application/msword: doc dot
application/n-quads: nq
application/n-triples: nt
application/octet-stream: bin dll dmg exe iso o obj so
application/pdf: pdf
application/pkcs8: p8
application/pkix-cert: cer
application/postscript: ai eps ps
application/rtf: rtf
application/sql: sql
application/toml: toml
application/trig: trig
application/vnd.android.package-archive: apk
application/vnd.apache.parquet: parquet
application/vnd.apple.mpegurl: m3u m3u8
application/vnd.debian.binary-package: deb
application/vnd.ms-excel: xls
application/vnd.ms-fontobject: eot
application/vnd.ms-powerpoint: pot pps ppt
application/vnd.oasis.opendocument.presentation: odp
application/vnd.oasis.opendocument.spreadsheet: ods
application/vnd.oasis.opendocument.text: odt
application/vnd.openxmlformats-officedocument.presentationml.presentation: pptx
application/vnd.openxmlformats-officedocument.spreadsheetml.sheet: xlsx
application/vnd.openxmlformats-officedocument.wordprocessingml.document: docx
application/vnd.rar: rar
application/vnd.sqlite3: db sqlite sqlite3
application/wasm: wasm
application/x-7z-compressed: 7z
application/x-cpio: cpio
application/x-csh: csh
application/x-dvi: dvi
application/x-hdf: hdf
application/x-hdf5: h5
application/x-latex: latex
application/x-netcdf: cdf nc
application/x-pem-file: pem
application/x-pkcs12: p12 pfx
application/x-python-code: pyc pyo
application/x-rpm: rpm
application/x-sh: sh
application/x-shockwave-flash: swf
application/x-tar: tar
application/x-tcl: tcl
application/x-tex: tex
application/x-texinfo: texi texinfo
application/x-troff: roff tr
application/xhtml+xml: xht xhtml
application/xml: rdf wsdl xsd xsl
application/yaml: yaml yml
application/zip: zip
audio/aac: aac adts
audio/basic: au snd
audio/flac: flac
audio/midi: mid midi
audio/mp4: m4a
audio/mpeg: mp2 mp3
audio/ogg: oga ogg
audio/opus: opus
audio/x-aiff: aif aifc aiff
audio/x-wav: wav
font/otf: otf
font/ttf: ttf
font/woff: woff
font/woff2: woff2
image/apng: apng
image/avif: avif
image/bmp: bmp
image/gif: gif
image/heic: heic
image/heif: heif
image/jpeg: jpe jpeg jpg
image/jxl: jxl
image/png: png
image/svg+xml: svg
image/tiff: tif tiff
image/vnd.adobe.photoshop: psd
image/vnd.microsoft.icon: ico
image/webp: webp
image/x-portable-anymap: pnm
image/x-portable-bitmap: pbm
image/x-portable-graymap: pgm
image/x-portable-pixmap: ppm
image/x-xbitmap: xbm
image/x-xpixmap: xpm
message/rfc822: eml mht mhtml
text/calendar: ics
text/css: css
text/csv: csv
text/html: htm html
text/javascript: cjs js mjs
text/markdown: markdown md
text/n3: n3
text/plain: bat c cfg conf h ini ksh log srt txt
text/richtext: rtx
text/tab-separated-values: tsv
text/turtle: ttl
text/vcard: vcf
text/vtt: vtt
text/x-diff: diff patch
text/x-python: py
text/x-sgml: sgm sgml
text/xml: xml
video/3gpp: 3gp 3gpp
video/3gpp2: 3g2
video/matroska: mkv
video/mp2t: m2ts
video/mp4: m4v mp4
video/mpeg: m1v mpa mpe mpeg mpg
video/ogg: ogv
video/quicktime: mov qt
video/webm: webm
video/x-flv: flv
video/x-ms-wmv: wmv
video/x-msvideo: avi
`;

const types: ReadonlyMap<string, string> = new Map(
  table
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [type = '', names = ''] = line.split(': ');
      return names.split(' ').map((name) => [name, type] as const);
    }),
);

/** Suffixes that stand for two. */
const short: Readonly<Record<string, string>> = {
  svgz: '.svg.gz',
  tgz: '.tar.gz',
  taz: '.tar.gz',
  tz: '.tar.gz',
  tbz: '.tar.bz2',
  tbz2: '.tar.bz2',
  txz: '.tar.xz',
  tzst: '.tar.zst',
};
const packed: ReadonlySet<string> = new Set(['gz', 'bz2', 'xz', 'z', 'br', 'zst']);

/** The media type that a name tells; a suffix of compression is looked through. Letter case makes no difference. */
export function typeByName(path: string): string | undefined {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase();
  const parts = name.replace(/^\.+/, '').split('.');
  const last = parts.length > 1 ? (parts.pop() ?? '') : '';
  const whole = Object.hasOwn(short, last) ? [...parts, ...(short[last] ?? '').split('.').slice(1)] : [...parts, last];
  if (packed.has(whole.at(-1) ?? '')) whole.pop();
  return whole.length > 1 ? types.get(whole.at(-1) ?? '') : undefined;
}
