import { describe, expect, test } from 'vitest';
import { toStorageIdentity } from './app-storage.js';

describe('whose storage an app has', () => {
  test('is another for each user and each server, and the server’s alone without a user', async () => {
    const of = (user: string, server: string) => toStorageIdentity({ storage: 'persistent', user }, server);
    const all = await Promise.all([of('a', 'bc'), of('ab', 'c'), of('a', 'c'), of('b', 'c')]);
    expect(new Set(all).size).toBe(4);
    expect(await toStorageIdentity({}, 'server')).toBe('server');
    expect(await toStorageIdentity({ storage: 'page', user: 'a' }, 'server')).not.toBe('server');
  });

  // Pages without types give whatever they have for somebody who is not signed in.
  test.each([undefined, null, '', '  '])('is nobody’s for the user %j', async (user) => {
    const options = { storage: 'persistent', user } as { storage: 'persistent' };
    await expect(toStorageIdentity(options, 'server')).rejects.toMatchObject({
      code: 'storage-user-missing',
    });
    expect(await toStorageIdentity({ user } as object, 'server')).toBe('server');
  });
});
