/** Who the apps of this page are told they are shown by. */
export const hostInfo = { name: 'casement', title: 'Casement', version: '0.1.0' };
