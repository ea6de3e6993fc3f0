'use client';

import type { FrameWish, SandboxTarget } from '@casement/host';
import { planFrame } from '@casement/host';
import type { CSSProperties } from 'react';
import { forwardRef, lazy, Suspense, useState } from 'react';
import { toIdentity } from './own-identity.js';
import { useMcpHost } from './mcp-host.js';

/** What the ref of a `SandboxedIframe` can do. */
export interface SandboxedIframeHandle {
  /** Sends a message to the app inside. */
  postMessage(data: unknown): void;
}

/** The props of `SandboxedIframe`. */
export interface SandboxedIframeProps {
  /** The page to show; null until it is there, another one makes another frame. */
  readonly html: string | null;
  /** Sandbox flags. They can only take away: `allow-forms` goes when it is not listed, and nothing else is ever added. */
  readonly sandbox?: string;
  /** The proxy has reported in. */
  onProxyReady?(): void;
  /** A JSON-RPC message of the app; those of the sandbox itself are not among them. */
  onMessage(event: MessageEvent): void;
  readonly className?: string;
  readonly style?: CSSProperties;
  readonly title?: string;
  /** Where the sandbox is; that of the `McpHostProvider` unless given. */
  readonly target?: SandboxTarget;
  /** Frames with one identity and address share an origin and its storage; one's own unless given. */
  readonly identity?: string;
  readonly uri?: string;
  /** Domains and permissions the page gets. */
  readonly csp?: FrameWish['csp'];
  readonly permissions?: FrameWish['permissions'];
}

// On demand: a page that shows apps by `McpApp` alone does not carry it.
const SandboxedFrame = lazy(async () => ({ default: (await import('./sandboxed-frame.js')).SandboxedFrame }));

/** HTML behind the sandbox proxy, two frames deep; whoever uses it speaks the protocol. */
export const SandboxedIframe = forwardRef<SandboxedIframeHandle, SandboxedIframeProps>(
  function SandboxedIframe({ title = 'Sandboxed Content', ...props }, ref) {
    const { className, style } = props;
    const host = useMcpHost();
    const [identity] = useState(toIdentity);
    const given = { identity, target: host?.sandbox, plan: planFrame, title, ...props };
    return (
      <Suspense fallback={<iframe sandbox="" {...{ title, className, style }} />}>
        <SandboxedFrame {...given} ref={ref} />
      </Suspense>
    );
  },
);
