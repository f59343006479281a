import { lacksRclone, startRcloneWebdav } from '../../fixtures/rclone-webdav.ts';
import { describeWebdav } from './webdav.ts';

describeWebdav('rclone', lacksRclone(), startRcloneWebdav);
