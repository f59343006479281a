import { join } from 'node:path';

import { startFauxqs } from 'fauxqs';

import { makeContainer } from '../../../fixtures/azure-container.ts';
import { startAzurite } from '../../../fixtures/azurite.ts';
import { startBox } from '../../../fixtures/drives/box.ts';
import { startDropbox } from '../../../fixtures/drives/dropbox.ts';
import { writeGoogleFiles } from '../../../fixtures/drives/google-files.ts';
import { startGoogleDrive } from '../../../fixtures/drives/google.ts';
import { startGraph } from '../../../fixtures/drives/graph.ts';
import { lacksRclone, startRcloneWebdav } from '../../../fixtures/rclone-webdav.ts';
import { lacksSmbd, startSmbd } from '../../../fixtures/smbd.ts';
import { lacksSshd, startSshd } from '../../../fixtures/sshd.ts';
import { lacksVsftpd, startVsftpd } from '../../../fixtures/vsftpd.ts';

/** A service that runs, and how a unit signs in. */
export interface Service {
  /** Beginning of addresses, up to a folder that nobody else uses. */
  readonly top: string;
  /** Command that connects, with its parameters. */
  readonly login?: readonly [name: string, params: Readonly<Record<string, unknown>>];
  readonly server?: AsyncDisposable;
}

const host = '127.0.0.1';
const at = (port: number): string => `http://${host}:${port}`;
/** Every service that addresses lead to, by name; `folder` is one that nobody else uses. */
export const services: Readonly<
  Record<string, { readonly lacks?: () => boolean; start(folder: string): Promise<Service> }>
> = {
  memory: { start: async () => ({ top: 'memory:' }) },
  local: { start: async (folder) => ({ top: `local:${join(folder, 'stored')}/` }) },
  sftp: {
    lacks: lacksSshd,
    start: async () => {
      const server = await startSshd();
      const { port, user: username, keyFile: key_filename, knownHosts: known_hosts, root } = server;
      const login = { host, port, username, key_filename, known_hosts };
      return { top: `sftp:${root}/`, login: ['FA_sftp_later_init', login], server };
    },
  },
  ftp: {
    lacks: lacksVsftpd,
    start: async () => {
      const server = await startVsftpd();
      const { port, username, password } = server;
      return {
        top: 'ftp:/',
        login: ['FA_ftp_later_init', { host, port, username, password }],
        server,
      };
    },
  },
  smb: {
    lacks: lacksSmbd,
    start: async () => {
      const server = await startSmbd();
      const { port, username, password } = server;
      const login = { server: host, share: 'share', port, username, password };
      return { top: 'smb:/', login: ['FA_smb_later_init', login], server };
    },
  },
  webdav: {
    lacks: lacksRclone,
    start: async () => {
      const server = await startRcloneWebdav();
      const { port, username, password } = server;
      const login = { base_url: `${at(port)}/dav`, username, password, allow_private_hosts: true };
      return { top: 'webdav:/', login: ['FA_webdav_later_init', login], server };
    },
  },
  objstore: {
    start: async () => {
      const server = await startFauxqs({ port: 0, logger: false, init: { buckets: ['bucket'] } });
      const login = { access_key_id: 'k', secret_access_key: 's', endpoint_url: at(server.port) };
      const end = { [Symbol.asyncDispose]: async () => void (await server.stop()) };
      return { top: 's3://bucket/', login: ['FA_objstore_later_init', login], server: end };
    },
  },
  blobstore: {
    start: async () => {
      const server = await startAzurite();
      await makeContainer(server.connectionString(), 'container');
      const login = { connection_string: server.connectionString() };
      return { top: 'azure://container/', login: ['FA_blobstore_later_init', login], server };
    },
  },
  filesync: {
    start: async () => {
      const server = await startDropbox();
      const login = { access_token: 'good-token', endpoint_url: server.url };
      return { top: 'dropbox:/', login: ['FA_filesync_later_init', login], server };
    },
  },
  drive: {
    start: async (folder) => {
      const server = await startGoogleDrive();
      const { tokenPath: token_path, credentialsPath: credentials_path } = await writeGoogleFiles(folder, server.url);
      const login = { token_path, credentials_path, endpoint_url: server.url };
      return { top: 'drive:', login: ['FA_drive_later_init', login], server };
    },
  },
  drive2: {
    start: async () => {
      const server = await startGraph();
      const login = { access_token: 'good-token', endpoint_url: server.url };
      return { top: 'drive2:', login: ['FA_drive2_later_init', login], server };
    },
  },
  drive3: {
    start: async () => {
      const server = await startBox();
      const login = { access_token: 'good-token', endpoint_url: server.url };
      return { top: 'drive3:', login: ['FA_drive3_later_init', login], server };
    },
  },
};
