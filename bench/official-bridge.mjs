// Never run: what a page that uses the official bridge has in its bundle.
export {
  AppBridge,
  PostMessageTransport,
} from '../e2e/servers/node_modules/@modelcontextprotocol/ext-apps/dist/src/app-bridge.js';
