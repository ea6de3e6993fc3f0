import type { RequestHandlers } from '@casement/protocol';
import type { CallGate } from '../call-gate.js';
import { decideResourceRead } from '../policy.js';
import { toServerSignal } from './server-signal.js';
import type { HandlerContext } from './handler-context.js';

/** Reads a resource of the app's own server. */
export const createResourcesRead =
  (context: HandlerContext, gate: CallGate): RequestHandlers['resources/read'] =>
  ({ uri }, { signal }) => {
    context.enforce('resources/read', decideResourceRead(uri), { uri });
    return gate.run(signal, () =>
      context.options.server.readResource(
        { uri },
        { caller: 'app', signal: toServerSignal(signal, context.failed) },
      ),
    );
  };
