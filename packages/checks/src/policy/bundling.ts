/** How an app becomes one document: the fix for relative addresses, wherever they are seen. */
export const bundling =
  'Build the app as one HTML file with scripts, styles and pictures inside (with Vite: the plugin vite-plugin-singlefile, and import what stands in the folder public). Or serve the files yourself, write their full https address, and declare its origin in _meta.ui.csp.resourceDomains of the resource.';
