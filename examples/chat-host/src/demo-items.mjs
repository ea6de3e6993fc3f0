import counter from './counter.html' with { type: 'text' };

// #region demo
/** One mock app as three items of the page's own, one per display mode. */
export const demoItems = ['inline', 'fullscreen', 'pip'].map((mode) => ({
  response_type: 'mcp_app',
  title: `Counter (${mode})`,
  mcp_app_id: `counter-${mode}`,
  resource_html: counter,
  fallback_text: 'A counter that cannot be shown here.',
  display_mode: mode,
}));
// #endregion
