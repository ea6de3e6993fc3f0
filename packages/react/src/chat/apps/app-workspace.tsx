'use client';

import { toWorkspaceItem } from '@casement/chat';
import { useRef } from 'react';
import { useShell } from '../host/chat-host.js';
import { usePlace } from './use-place.js';

/** Where an app in picture-in-picture is, beside the thread (S5-39). */
export const AppWorkspace = () => {
  const isOpen = useShell((state) => toWorkspaceItem(state) !== undefined);
  const place = useRef<HTMLDivElement>(null);
  usePlace(place, isOpen ? 'pip' : undefined);
  return (
    <div className="casement-workspace" hidden={!isOpen} aria-hidden="true">
      <div ref={place} className="casement-workspace-place" />
    </div>
  );
};
