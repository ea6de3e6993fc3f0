// The two origins of a bare double frame.
import { frameAttributes, toLoaderAnswer, toRelayAnswer } from './bare-pages.mjs';
import { listen, missing } from './listen.mjs';

/** Starts them for the page of this origin. */
export const serveBare = async (hostOrigin) => {
  let origins;
  const server = await listen(({ headers, url }) => {
    const origin = `http://${headers.host}`;
    if (url === '/relay' && origin === origins.relayOrigin) return toRelayAnswer(origins);
    return url === '/loader' && origin === origins.guestOrigin ? toLoaderAnswer(origins) : missing();
  });
  const toOrigin = (label) => `http://${label}.bare.localhost:${server.port}`;
  origins = { hostOrigin, relayOrigin: toOrigin('relay'), guestOrigin: toOrigin('guest') };
  return { relayUrl: `${origins.relayOrigin}/relay`, frameAttributes, close: server.close };
};
