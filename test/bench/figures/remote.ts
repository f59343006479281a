import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { startRcloneWebdav } from '../../fixtures/rclone-webdav.ts';
import { startS3rver } from '../../fixtures/s3rver.ts';
import { startSmbd } from '../../fixtures/smbd.ts';
import { startSshd } from '../../fixtures/sshd.ts';
import { startVsftpd } from '../../fixtures/vsftpd.ts';
import { actionProgram, type Action } from '../action-program.ts';
import { bigText, textSize } from '../big-files.ts';
import type { Figure } from '../figure.ts';
import type { Run } from '../measure.ts';

/** Number of small files, with `SVC_TEST_FULL`; else a part of them. */
const SMALL = process.env['SVC_TEST_FULL'] ? 5000 : 1000;

/** A server, the step that signs in, and other programs that do the same. */
interface Place extends AsyncDisposable {
  readonly root: string;
  readonly login: Action;
  readonly env?: Readonly<Record<string, string>>;
  /** Called when what is fetched stands in the root: brings it to where the server has it. */
  readonly filled?: () => void;
  readonly peer: Peer;
}
/** Login's password, which stands in the environment. */
const PASSWORD = '${env:PLACE_PASSWORD}';

type Peer = (what: What, folder: string) => Pick<Run, 'program' | 'args'>;

async function sftp(): Promise<Place> {
  const server = await startSshd();
  const { port, user, keyFile, knownHosts, root } = server;
  const login = { host: '127.0.0.1', port, username: user, key_filename: keyFile, known_hosts: knownHosts };
  const options = ['-q', '-P', String(port), '-i', keyFile, '-o', `UserKnownHostsFile=${knownHosts}`];
  // Without digests by programs over there, one for each file: by sizes, as is ours.
  const remote = `:sftp,host=127.0.0.1,port=${port},user=${user},key_file="${keyFile}",known_hosts_file="${knownHosts}",disable_hashcheck=true,shell_type=none:${root}`;
  return {
    root,
    login: ['FA_sftp_later_init', login],
    peer: (what, folder) => {
      if (what === 'many') return rcloneMany(`${remote}/peer`);
      const command = what === 'up' ? `put big.txt ${root}/peer.txt` : `get ${root}/big.txt peer.txt`;
      writeFileSync(join(folder, 'batch'), `${command}\n`);
      return { program: 'sftp', args: [...options, '-b', 'batch', `${user}@127.0.0.1`] };
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function webdav(): Promise<Place> {
  const server = await startRcloneWebdav();
  const { port, username, password } = server;
  const base = `http://127.0.0.1:${port}/dav`;
  const remote = `:webdav,url="${base}",user=${username},vendor=other:`;
  const login = { base_url: base, username, password: PASSWORD };
  return placeOf(server, ['FA_webdav_later_init', login], curlAndRclone(base, remote, server), {
    RCLONE_WEBDAV_PASS: obscured(password),
  });
}

async function smb(): Promise<Place> {
  const server = await startSmbd();
  const { port, username, password } = server;
  const login = { server: '127.0.0.1', share: 'share', port, username, password: PASSWORD };
  const peer: Peer = (what) => {
    if (what === 'many') return rcloneMany(`:smb,host=127.0.0.1,port=${port},user=${username}:share/peer`);
    const command = what === 'up' ? 'put big.txt peer.txt' : 'get big.txt peer.txt';
    const options = ['-p', String(port), '-U', username, '--client-protection=encrypt', '-c', command];
    return { program: 'smbclient', args: ['//127.0.0.1/share', ...options] };
  };
  return placeOf(server, ['FA_smb_later_init', login], peer, {
    PASSWD: password,
    RCLONE_SMB_PASS: obscured(password),
  });
}

async function ftp(): Promise<Place> {
  const server = await startVsftpd();
  const { port, username, password } = server;
  const base = `ftp://127.0.0.1:${port}`;
  const remote = `:ftp,host=127.0.0.1,port=${port},user=${username}:`;
  const login = { host: '127.0.0.1', port, username, password: PASSWORD, tls: false };
  return placeOf(server, ['FA_ftp_later_init', login], curlAndRclone(base, remote, server), {
    RCLONE_FTP_PASS: obscured(password),
  });
}

/** Bucket with what is fetched. */
async function objects(): Promise<Place> {
  const server = await startS3rver();
  const { port, accessKey, secretKey } = server;
  const endpoint = `http://127.0.0.1:${port}`;
  const remote = `:s3,provider=Other,endpoint="${endpoint}",access_key_id=${accessKey},secret_access_key=${secretKey},region=us-east-1,force_path_style=true:box`;
  const root = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  return {
    root,
    login: [
      'FA_objstore_later_init',
      {
        access_key_id: accessKey,
        secret_access_key: PASSWORD,
        region_name: 'us-east-1',
        endpoint_url: endpoint,
      },
    ],
    env: { PLACE_PASSWORD: secretKey, ...noBundle },
    filled: () => {
      const args = ['copyto', join(root, 'big.txt'), `${remote}/big.txt`, ...plain];
      execFileSync('rclone', args, { env: { ...process.env, ...noBundle } });
    },
    peer: (what) => {
      if (what === 'many') return rcloneMany(`${remote}/peer`);
      const ways = what === 'up' ? ['big.txt', `${remote}/peer.txt`] : [`${remote}/big.txt`, 'peer.txt'];
      return { program: 'rclone', args: ['copyto', ...ways, ...plain] };
    },
    [Symbol.asyncDispose]: async () => {
      rmSync(root, { recursive: true });
      await server[Symbol.asyncDispose]();
    },
  };
}

/** The tool takes no further certificates for this service, and ends where the environment names some. */
const noBundle = { AWS_CA_BUNDLE: '' };
const plain = ['--ignore-times', '--s3-no-check-bucket'];

/** A server whose files stand in a folder of this machine, signed in to with a password. */
interface Served extends AsyncDisposable {
  readonly root: string;
  readonly password: string;
}

/** The place of a server: `env` beside the password, which the login reads as `PLACE_PASSWORD`. */
function placeOf(server: Served, login: Action, peer: Peer, env: Readonly<Record<string, string>>): Place {
  return {
    root: server.root,
    login,
    env: { PLACE_PASSWORD: server.password, ...env },
    peer,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** `curl` for one file, `rclone` for many. */
function curlAndRclone(
  base: string,
  remote: string,
  { username, password }: Readonly<Record<'username' | 'password', string>>,
): Peer {
  return (what) => (what === 'many' ? rcloneMany(`${remote}peer`) : curlOne(what, base, `${username}:${password}`));
}

/** Sends the folder of small files. */
function rcloneMany(remote: string): ReturnType<Peer> {
  return { program: 'rclone', args: ['copy', 'many', remote, '--transfers', '4', ...plain] };
}

/** Sends or fetches the large file. */
function curlOne(what: string, base: string, login: string): ReturnType<Peer> {
  const files = what === 'up' ? ['-T', 'big.txt', `${base}/peer.txt`] : ['-o', 'peer.txt', `${base}/big.txt`];
  return { program: 'curl', args: ['-sf', '-u', login, ...files] };
}

function obscured(password: string): string {
  return execFileSync('rclone', ['obscure', password], { encoding: 'utf8' }).trim();
}

type What = 'up' | 'down' | 'many';

/** A kind of storage: how it is opened, the tool of the field, and what its commands take. */
interface Kind {
  readonly name: string;
  readonly tool: string;
  readonly open: () => Promise<Place>;
  readonly actions: Readonly<Partial<Record<What, Action>>>;
}

const ofTool = { aim: 1.2, runs: 3 };
const SHAPES: Readonly<Record<What, (tool: string) => Pick<Figure, 'name' | 'beside' | 'aim' | 'runs'>>> = {
  up: (tool) => ({ ...ofTool, name: `${textSize} up`, beside: tool }),
  down: (tool) => ({ ...ofTool, name: `${textSize} down`, beside: tool }),
  many: () => ({ name: `${SMALL} small files up`, beside: '`rclone copy`, 4 at once', aim: 1, runs: 1 }),
};

function figure({ name, tool, open }: Kind, what: What, action: Action): Figure {
  const shape = SHAPES[what](tool);
  return {
    ...shape,
    name: `${name}: ${shape.name}`,
    async prepare(folder) {
      const place = await open();
      // Programs take the packages of protocols from where they stand.
      symlinkSync(fileURLToPath(new URL('../../../node_modules', import.meta.url)), join(folder, 'node_modules'));
      if (what === 'many') manySmall(join(folder, 'many'));
      else bigText(join(what === 'up' ? folder : place.root, 'big.txt'));
      if (what === 'down') place.filled?.();
      const [command, params] = action;
      const top = place.login[0].includes('sftp') ? `${place.root}/` : '';
      const whole = Object.fromEntries(
        Object.entries(params).map(([key, value]) => [
          key,
          key.startsWith('remote') ? `${top}${String(value)}` : value,
        ]),
      );
      const program = actionProgram(folder, place.login, [command, whole]);
      const env = { env: { ...place.env } };
      return {
        subject: {
          ...program,
          ...env,
          args: [...program.args, '--allow', 'private', '--allow', 'shell'],
          before: () => emptied(place, 'ours'),
        },
        floor: {
          ...place.peer(what, folder),
          ...env,
          cwd: folder,
          before: () => emptied(place, 'peer'),
        },
        close: async () => await place[Symbol.asyncDispose](),
      };
    },
  };
}

/** A server that remembers folders is not told of what goes behind its back: there files are replaced. */
function emptied({ root, login: [command] }: Place, name: string): void {
  if (command.includes('sftp')) rmSync(join(root, name), { recursive: true, force: true });
}

/** Files of 1 KiB in 50 folders. */
function manySmall(root: string): void {
  for (let index = 0; index < SMALL; index += 1) {
    const folder = join(root, `d${index % 50}`);
    if (index < 50) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `f${index}.txt`), `${index} `.repeat(200).slice(0, 1024));
  }
}

const big = { local_path: 'big.txt', remote_path: 'ours.txt' };
const down = { remote_path: 'big.txt', target_path: 'ours.txt' };
const many = { dir_path: 'many', remote_prefix: 'ours' };

/** A kind whose commands are named alike. */
function kind(name: string, tool: string, open: () => Promise<Place>, actions: Kind['actions'] = {}): Kind {
  const family = `FA_${name.toLowerCase()}`;
  return {
    name,
    tool,
    open,
    actions: {
      up: [`${family}_upload_file`, big],
      down: [`${family}_download_file`, down],
      many: [`${family}_upload_dir`, many],
      ...actions,
    },
  };
}

const KINDS: readonly Kind[] = [
  kind('SFTP', '`sftp`', sftp),
  kind('WebDAV', '`curl`', webdav),
  kind('SMB', '`smbclient`', smb),
  kind('FTP', '`curl`', ftp, {
    up: ['FA_ftp_upload_file', { file_path: 'big.txt', remote_path: 'ours.txt' }],
  }),
  kind('S3', '`rclone copyto`', objects, {
    up: ['FA_objstore_upload_file', { local_path: 'big.txt', bucket: 'box', key: 'ours.txt' }],
    down: ['FA_objstore_download_file', { bucket: 'box', key: 'big.txt', target_path: 'ours.txt' }],
    many: ['FA_objstore_upload_dir', { dir_path: 'many', bucket: 'box', key_prefix: 'ours/' }],
  }),
];

export const figures: readonly Figure[] = KINDS.flatMap((kind) =>
  (['up', 'down', 'many'] as const).flatMap((what) => {
    const action = kind.actions[what];
    return action ? figure(kind, what, action) : [];
  }),
);
