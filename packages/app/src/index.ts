export { LATEST_PROTOCOL_VERSION } from '@casement/protocol';
