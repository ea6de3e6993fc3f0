/** One thing the user can do. */
export interface RowAction {
  readonly label: string;
  run(): void;
}

/** A line over the app that comes and goes. */
export interface ChromeRow {
  readonly element: HTMLElement;
  /** Shows these sentences and buttons; nothing hides the row. The focus stays in it when it was. */
  show(sentences: readonly string[], actions: readonly RowAction[]): void;
}

/** Makes a button that does one thing. */
export const createButton = (page: Document, { label, run }: RowAction): HTMLButtonElement => {
  const button = page.createElement('button');
  button.type = 'button';
  button.textContent = label;
  button.addEventListener('click', run);
  return button;
};

/** A row of a kind, hidden at first; what assistive technology hears of it depends on its role. */
export const createRow = (page: Document, kind: string, role: 'alert' | 'status'): ChromeRow => {
  const element = page.createElement('div');
  element.className = `row ${kind}`;
  element.setAttribute('role', role);
  element.hidden = true;
  let shown = '';

  return {
    element,
    show(sentences, actions) {
      const key = JSON.stringify([sentences, actions.map(({ label }) => label)]);
      if (key === shown) return;
      shown = key;
      const root = element.getRootNode();
      const hadFocus = root instanceof ShadowRoot && element.contains(root.activeElement);
      const text = page.createElement('div');
      text.className = 'text';
      text.append(
        ...sentences.map((sentence, index) => {
          const line = page.createElement('p');
          line.textContent = sentence;
          if (index === 0) line.className = 'strong';
          return line;
        }),
      );
      const buttons = actions.map((action) => createButton(page, action));
      const group = page.createElement('div');
      group.className = 'actions';
      group.append(...buttons);
      element.hidden = sentences.length === 0;
      element.replaceChildren(text, group);
      if (hadFocus) buttons[0]?.focus();
    },
  };
};
