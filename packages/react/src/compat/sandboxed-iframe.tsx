'use client';

import { planFrame } from '@casement/host';
import { forwardRef, lazy, Suspense, useState } from 'react';
import { useMcpHost } from './mcp-host.js';
import { createIdentity } from './own-identity.js';
import type { SandboxedIframeHandle, SandboxedIframeProps } from './sandboxed-frame.js';

// On demand: a page that shows apps by `McpApp` alone does not carry it.
const SandboxedFrame = lazy(async () => ({ default: (await import('./sandboxed-frame.js')).SandboxedFrame }));

/** HTML behind the sandbox proxy, two frames deep; whoever uses it speaks the protocol. */
export const SandboxedIframe = forwardRef<SandboxedIframeHandle, SandboxedIframeProps>(
  function SandboxedIframe({ title = 'Sandboxed Content', ...props }, ref) {
    const { className, style } = props;
    const host = useMcpHost();
    const [identity] = useState(createIdentity);
    const given = { identity, target: host?.sandbox, plan: planFrame, title, ...props };
    return (
      <Suspense fallback={<iframe sandbox="" {...{ title, className, style }} />}>
        <SandboxedFrame {...given} ref={ref} />
      </Suspense>
    );
  },
);
