import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { startFauxqs } from 'fauxqs';

import { startRcloneWebdav } from '../../fixtures/rclone-webdav.ts';
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
type Peer = (what: 'up' | 'down' | 'many', folder: string) => Pick<Run, 'program' | 'args'>;

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
      if (what === 'many')
        return { program: 'rclone', args: ['copy', 'many', `${remote}/peer`, '--transfers', '4', '--ignore-times'] };
      const command = what === 'up' ? `put big.txt ${root}/peer.txt` : `get ${root}/big.txt peer.txt`;
      writeFileSync(join(folder, 'batch'), `${command}\n`);
      return { program: 'sftp', args: [...options, '-b', 'batch', `${user}@127.0.0.1`] };
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function webdav(): Promise<Place> {
  const server = await startRcloneWebdav();
  const { port, root, username, password } = server;
  const base = `http://127.0.0.1:${port}/dav`;
  const remote = `:webdav,url="${base}",user=${username},vendor=other:`;
  return {
    root,
    login: ['FA_webdav_later_init', { base_url: base, username, password: '${env:PLACE_PASSWORD}' }],
    env: { PLACE_PASSWORD: password, RCLONE_WEBDAV_PASS: obscured(password) },
    peer: (what) => {
      if (what === 'many')
        return { program: 'rclone', args: ['copy', 'many', `${remote}peer`, '--transfers', '4', '--ignore-times'] };
      const files = what === 'up' ? ['-T', 'big.txt', `${base}/peer.txt`] : ['-o', 'peer.txt', `${base}/big.txt`];
      return { program: 'curl', args: ['-sf', '-u', `${username}:${password}`, ...files] };
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function smb(): Promise<Place> {
  const server = await startSmbd();
  const { port, root, username, password } = server;
  const login = { server: '127.0.0.1', share: 'share', port, username, password: '${env:PLACE_PASSWORD}' };
  return {
    root,
    login: ['FA_smb_later_init', login],
    env: { PLACE_PASSWORD: password, PASSWD: password },
    peer: (what) => {
      const command = what === 'up' ? 'put big.txt peer.txt' : 'get big.txt peer.txt';
      const options = ['-p', String(port), '-U', username, '--client-protection=encrypt', '-c', command];
      return { program: 'smbclient', args: ['//127.0.0.1/share', ...options] };
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function ftp(): Promise<Place> {
  const server = await startVsftpd();
  const { port, root, username, password } = server;
  const base = `ftp://127.0.0.1:${port}`;
  const remote = `:ftp,host=127.0.0.1,port=${port},user=${username}:`;
  return {
    root,
    login: ['FA_ftp_later_init', { host: '127.0.0.1', port, username, password: '${env:PLACE_PASSWORD}', tls: false }],
    env: { PLACE_PASSWORD: password, RCLONE_FTP_PASS: obscured(password) },
    peer: (what) => {
      if (what === 'many')
        return { program: 'rclone', args: ['copy', 'many', `${remote}peer`, '--transfers', '4', '--ignore-times'] };
      const files = what === 'up' ? ['-T', 'big.txt', `${base}/peer.txt`] : ['-o', 'peer.txt', `${base}/big.txt`];
      return { program: 'curl', args: ['-sf', '-u', `${username}:${password}`, ...files] };
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Bucket with what is fetched, in a server that keeps its objects in memory. */
async function objects(): Promise<Place> {
  const server = await startFauxqs({ port: 0, logger: false, init: { buckets: ['box'] } });
  const endpoint = `http://127.0.0.1:${server.port}`;
  const remote = `:s3,provider=Other,endpoint="${endpoint}",access_key_id=k,secret_access_key=s,region=eu-west-1,force_path_style=true:box`;
  const root = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  return {
    root,
    login: [
      'FA_objstore_later_init',
      {
        access_key_id: 'k',
        secret_access_key: 's',
        region_name: 'eu-west-1',
        endpoint_url: endpoint,
      },
    ],
    filled: () => void execFileSync('rclone', ['copy', join(root, 'big.txt'), remote]),
    peer: (what) => {
      if (what === 'many')
        return { program: 'rclone', args: ['copy', 'many', `${remote}/peer`, '--transfers', '4', '--ignore-times'] };
      const ways = what === 'up' ? ['big.txt', `${remote}/peer.txt`] : [`${remote}/big.txt`, 'peer.txt'];
      return { program: 'rclone', args: ['copyto', ...ways, '--ignore-times', '--s3-no-check-bucket'] };
    },
    [Symbol.asyncDispose]: async () => {
      rmSync(root, { recursive: true });
      await server.stop();
    },
  };
}

function obscured(password: string): string {
  return execFileSync('rclone', ['obscure', password], { encoding: 'utf8' }).trim();
}

function figure(
  open: () => Promise<Place>,
  { name, beside, what, action }: { name: string; beside: string; what: 'up' | 'down' | 'many'; action: Action },
): Figure {
  return {
    name,
    beside,
    aim: what === 'many' ? 1 : 1.2,
    runs: what === 'many' ? 1 : 3,
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

export const figures: readonly Figure[] = [
  figure(sftp, {
    name: `SFTP: ${textSize} up`,
    beside: '`sftp`',
    what: 'up',
    action: ['FA_sftp_upload_file', big],
  }),
  figure(sftp, {
    name: `SFTP: ${textSize} down`,
    beside: '`sftp`',
    what: 'down',
    action: ['FA_sftp_download_file', down],
  }),
  figure(sftp, {
    name: `SFTP: ${SMALL} small files up`,
    beside: '`rclone copy`, 4 at once',
    what: 'many',
    action: ['FA_sftp_upload_dir', { dir_path: 'many', remote_prefix: 'ours' }],
  }),
  figure(webdav, {
    name: `WebDAV: ${textSize} up`,
    beside: '`curl`',
    what: 'up',
    action: ['FA_webdav_upload_file', big],
  }),
  figure(webdav, {
    name: `WebDAV: ${textSize} down`,
    beside: '`curl`',
    what: 'down',
    action: ['FA_webdav_download_file', down],
  }),
  figure(webdav, {
    name: `WebDAV: ${SMALL} small files up`,
    beside: '`rclone copy`, 4 at once',
    what: 'many',
    action: ['FA_webdav_upload_dir', { dir_path: 'many', remote_prefix: 'ours' }],
  }),
  figure(smb, {
    name: `SMB: ${textSize} up`,
    beside: '`smbclient`',
    what: 'up',
    action: ['FA_smb_upload_file', big],
  }),
  figure(smb, {
    name: `SMB: ${textSize} down`,
    beside: '`smbclient`',
    what: 'down',
    action: ['FA_smb_download_file', down],
  }),
  figure(ftp, {
    name: `FTP: ${textSize} up`,
    beside: '`curl`',
    what: 'up',
    action: ['FA_ftp_upload_file', { file_path: 'big.txt', remote_path: 'ours.txt' }],
  }),
  figure(ftp, {
    name: `FTP: ${textSize} down`,
    beside: '`curl`',
    what: 'down',
    action: ['FA_ftp_download_file', down],
  }),
  figure(ftp, {
    name: `FTP: ${SMALL} small files up`,
    beside: '`rclone copy`, 4 at once',
    what: 'many',
    action: ['FA_ftp_upload_dir', { dir_path: 'many', remote_prefix: 'ours' }],
  }),
  figure(objects, {
    name: `S3: ${textSize} up`,
    beside: '`rclone copyto`',
    what: 'up',
    action: ['FA_objstore_upload_file', { local_path: 'big.txt', bucket: 'box', key: 'ours.txt' }],
  }),
  figure(objects, {
    name: `S3: ${textSize} down`,
    beside: '`rclone copyto`',
    what: 'down',
    action: ['FA_objstore_download_file', { bucket: 'box', key: 'big.txt', target_path: 'ours.txt' }],
  }),
  figure(objects, {
    name: `S3: ${SMALL} small files up`,
    beside: '`rclone copy`, 4 at once',
    what: 'many',
    action: ['FA_objstore_upload_dir', { dir_path: 'many', bucket: 'box', key_prefix: 'ours/' }],
  }),
];
