import { expect, test } from 'vitest';
import { page, useSandbox, variants, world } from './fixture.js';
import { mountApp, toGuest, waitFor } from './support.js';

useSandbox();

/** What Chromium allows an app's frame without being asked, and nobody has to fear. */
const harmless = [
  'aria-notify',
  'ch-save-data',
  'ch-ua',
  'ch-ua-mobile',
  'ch-ua-platform',
  'media-playback-while-not-visible',
  'sync-xhr',
  'unload',
];

// A feature that a new browser brings shows up here: deny it in frame-permissions, or add it with its reason there.
test.for(Object.entries(variants))(
  'sec-W12 an app has no feature of the browser that it was not given, %s',
  async ([, mount]) => {
    const app = await mount(toGuest(`say('features', document.featurePolicy.allowedFeatures());`));
    const features = await waitFor(app, 'features');
    expect(Array.isArray(features) ? features.toSorted() : features).toEqual(harmless);
  },
);

test('sec-W12 a click opens no window on top of all others', async () => {
  const opens = `const canvas = document.createElement('canvas');
    canvas.getContext('2d').fillRect(0, 0, 10, 10);
    const video = Object.assign(document.createElement('video'), { srcObject: canvas.captureStream(), muted: true });
    document.body.append(video);
    document.getElementById('shown').onclick = async () => {
      await video.play();
      video.requestPictureInPicture().then(() => say('window', 'open'), ({ name }) => say('window', name));
    };`;
  const app = await mountApp(page, world, toGuest(opens));
  await waitFor(app, 'ran');
  await (await app.guest()).click('#shown');
  expect(await waitFor(app, 'window')).toBe('SecurityError');
});
