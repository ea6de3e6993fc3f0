import type { OfferedTool } from '@casement/chat';
import type { KeyboardEvent } from 'react';
import { useEffect, useId, useState } from 'react';
import { useChat, useConversation } from '../host/chat-host.js';
import { findCommands, toCommand } from './command-menu.js';
import { useWords } from '../host/use-words.js';

/** The list of tools under a draft that begins with a slash. */
export interface Commands {
  readonly id: string;
  /** Undefined when the list is not open. */
  readonly found: readonly OfferedTool[] | undefined;
  readonly active: number;
  toOptionId(index: number): string;
  pick(tool: OfferedTool): void;
  /** True when the key was for the list. */
  onKey(event: KeyboardEvent): boolean;
}

/** Finds the tools a draft may mean, and takes the keys while they are listed. */
export const useCommands = (draft: string, setDraft: (draft: string) => void): Commands => {
  const tools = useConversation((state) => state.tools);
  const { announce } = useChat();
  const words = useWords();
  const id = useId();
  const [chosen, setChosen] = useState({ draft: '', index: 0 });
  const [dismissed, setDismissed] = useState<string>();
  const found = draft === dismissed ? undefined : findCommands(draft, tools);
  const count = found?.length ?? 0;
  const index = chosen.draft === draft ? Math.min(chosen.index, Math.max(0, count - 1)) : 0;
  const isOpen = found !== undefined;
  useEffect(() => {
    if (isOpen) announce(count === 0 ? words.noCommands : words.commandsFound(count));
  }, [isOpen, count, announce, words]);

  const pick = (tool: OfferedTool): void => setDraft(toCommand(tool));
  const move = (step: number): void => {
    if (count > 0) setChosen({ draft, index: (index + step + count) % count });
  };
  const onKey = (event: KeyboardEvent): boolean => {
    if (!found || event.shiftKey) return false;
    const tool = found[index];
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Escape') setDismissed(draft);
    else if ((event.key === 'Enter' || event.key === 'Tab') && tool) {
      // A whole name that needs nothing more is meant as it is.
      const isWhole = draft === `/${tool.name}` && (tool.tool.inputSchema.required ?? []).length === 0;
      if (isWhole) return false;
      pick(tool);
    } else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  return { id, found, active: index, toOptionId: (at) => `${id}-${at}`, pick, onKey };
};
