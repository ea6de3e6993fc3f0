import type { Tool } from '@casement/protocol';
import { isToolVisibleTo, readToolUi } from '@casement/protocol';
import { element } from './page-elements.js';
import { toPrintable } from './printable-text.js';

const hasApp = (tool: Tool): boolean => readToolUi(tool).resourceUri !== undefined;

const isForAppsOnly = (tool: Tool): boolean =>
  isToolVisibleTo(tool, 'app') && !isToolVisibleTo(tool, 'model');

const toOption = (tool: Tool, selected: string | undefined): HTMLOptionElement => {
  const marks = [...(hasApp(tool) ? ['app'] : []), ...(isForAppsOnly(tool) ? ['app-only'] : [])];
  const text = [toPrintable(tool.name, 80), ...marks].join(' · ');
  return new Option(text, tool.name, false, tool.name === selected);
};

const groups: { label: string; holds(tool: Tool): boolean }[] = [
  { label: 'With an app', holds: (tool) => hasApp(tool) && !isForAppsOnly(tool) },
  { label: 'Without an app', holds: (tool) => !hasApp(tool) && !isForAppsOnly(tool) },
  { label: 'Called by apps only', holds: isForAppsOnly },
];

/** The tool to show first: one with an app that is not just for apps, if the server has any. */
export const pickTool = (tools: readonly Tool[]): Tool | undefined =>
  groups.flatMap(({ holds }) => tools.filter(holds))[0];

/** Offers a server's tools in groups: with an app, without one, and those only apps may call. */
export const showTools = (tools: readonly Tool[], selected: string | undefined): void => {
  const select = element('tool', HTMLSelectElement);
  select.replaceChildren(
    ...groups.flatMap(({ label, holds }) => {
      const members = tools.filter(holds);
      if (members.length === 0) return [];
      const group = document.createElement('optgroup');
      group.label = label;
      group.append(...members.map((tool) => toOption(tool, selected)));
      return [group];
    }),
  );
  select.disabled = tools.length === 0;
};

/** Shows what a tool says it does. */
export const showToolDescription = (tool: Tool | undefined): void => {
  const description = element('tool-description', HTMLElement);
  description.textContent = toPrintable(tool?.description ?? '', 400);
  description.hidden = description.textContent === '';
};
