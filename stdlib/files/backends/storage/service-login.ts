import type { BlobstoreLogin } from '../blobstore/port.ts';
import type { DriveLogin } from '../drive/port.ts';
import type { Drive2Login } from '../drive2/login.ts';
import type { Drive3Login } from '../drive3/login.ts';
import type { FilesyncLogin } from '../filesync/login.ts';
import { Options } from './login.ts';
import type { StorageOptions } from './port.ts';

export function blobstoreLogin(given: StorageOptions): BlobstoreLogin {
  const options = new Options('blobstore', given);
  const login = {
    connectionString: options.text('connection_string'),
    accountUrl: options.text('account_url'),
    credential: options.text('credential'),
  };
  options.end();
  return login;
}

export function filesyncLogin(given: StorageOptions): FilesyncLogin {
  const options = new Options('filesync', given);
  const login = { token: options.text('oauth2_access_token') ?? '', endpoint: options.text('endpoint_url') };
  options.end();
  return login;
}

/** Nobody is asked to sign in for one call. */
export function driveLogin(given: StorageOptions): DriveLogin {
  const options = new Options('drive', given);
  const login = {
    tokenPath: options.text('token_path') ?? '',
    credentialsPath: options.text('credentials_path') ?? '',
    endpoint: options.text('endpoint_url'),
    signInSeconds: 0,
  };
  options.end();
  return login;
}

export function drive2Login(given: StorageOptions): Drive2Login {
  const options = new Options('drive2', given);
  const login = { token: options.text('access_token') ?? '', endpoint: options.text('endpoint_url') };
  options.end();
  return login;
}

export function drive3Login(given: StorageOptions): Drive3Login {
  const options = new Options('drive3', given);
  const login = {
    token: options.text('access_token') ?? '',
    clientId: options.text('client_id') ?? '',
    clientSecret: options.text('client_secret') ?? '',
    tokenPath: options.text('token_path'),
    endpoint: options.text('endpoint_url'),
  };
  options.end();
  return login;
}
