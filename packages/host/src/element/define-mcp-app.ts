import { McpAppElement } from './mcp-app-element.js';

/** Registers `<mcp-app>`; does nothing on a server or when it is registered already. */
export const defineMcpApp = (): void => {
  if (typeof customElements === 'undefined' || customElements.get('mcp-app')) return;
  customElements.define('mcp-app', McpAppElement);
};

declare global {
  interface HTMLElementTagNameMap {
    'mcp-app': McpAppElement;
  }
}
