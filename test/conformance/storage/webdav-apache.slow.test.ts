import { lacksModDav, startModDav } from '../../fixtures/mod-dav.ts';
import { describeWebdav } from './webdav.ts';

describeWebdav('apache', lacksModDav(), startModDav);
