/**
 * Entry point of the bundle that says why a server does not run. The extension loads it when somebody asks, and
 * imports it by type only.
 */
export { shownCertificate } from './host/diagnosis/certificate.ts';
export { startReport } from './vscode/diagnosis/startReport.ts';
