import type { Tool } from '@casement/protocol';
import { isToolVisibleTo, readToolUi } from '@casement/protocol';
import { element } from './page-elements.js';
import { toPrintable } from './printable-text.js';

const toGroup = (label: string, mark: string, tools: readonly Tool[], selected: string): HTMLElement[] => {
  if (tools.length === 0) return [];
  const group = document.createElement('optgroup');
  group.label = label;
  for (const { name } of tools) {
    const text = toPrintable(name, 80);
    group.append(new Option(mark ? `${text} · ${mark}` : text, name, false, name === selected));
  }
  return [group];
};

/** The tool to show first: one with an app, if the server has any. */
export const pickTool = (tools: readonly Tool[]): Tool | undefined =>
  tools.find((tool) => readToolUi(tool).resourceUri !== undefined) ?? tools[0];

/** Offers a server's tools: those with an app first, those only apps may call marked as such. */
export const showTools = (tools: readonly Tool[], selected: string | undefined): void => {
  const select = element('tool', HTMLSelectElement);
  const withApp = tools.filter((tool) => readToolUi(tool).resourceUri !== undefined);
  const others = tools.filter((tool) => !withApp.includes(tool));
  const appOnly = others.filter((tool) => !isToolVisibleTo(tool, 'model') && isToolVisibleTo(tool, 'app'));
  const plain = others.filter((tool) => !appOnly.includes(tool));
  const name = selected ?? '';
  select.replaceChildren(
    ...toGroup('With an app', 'app', withApp, name),
    ...toGroup('Without an app', '', plain, name),
    ...toGroup('Called by apps only', 'app-only', appOnly, name),
  );
  select.disabled = tools.length === 0;
};

/** Shows what a tool says it does. */
export const showToolDescription = (tool: Tool | undefined): void => {
  const description = element('tool-description', HTMLElement);
  description.textContent = toPrintable(tool?.description ?? '', 400);
  description.hidden = description.textContent === '';
};
