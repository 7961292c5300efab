/** The style of a result's page, in the colours of the editor's theme. */
export const pageStyle = `
body { font-family: var(--vscode-font-family); color: var(--vscode-foreground); padding: 0 1.5em 2em; line-height: 1.5; }
main { max-width: 70em; }
h1 { font-size: 1.4em; font-weight: 600; }
h2 { font-size: 1.05em; font-weight: 600; border-bottom: 1px solid var(--vscode-widget-border, var(--vscode-panel-border)); }
pre { font-family: var(--vscode-editor-font-family); font-size: var(--vscode-editor-font-size); background: var(--vscode-textCodeBlock-background); padding: 0.6em 0.8em; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; max-height: 40em; overflow: auto; border: 1px solid var(--vscode-contrastBorder, transparent); }
img { max-width: 100%; background: repeating-conic-gradient(#8883 0% 25%, transparent 0% 50%) 0 / 16px 16px; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
caption { text-align: start; padding-bottom: 0.4em; font-weight: 600; }
th, td { border: 1px solid var(--vscode-widget-border, var(--vscode-panel-border)); padding: 0.25em 0.7em; text-align: start; vertical-align: top; overflow-wrap: anywhere; }
th { background: var(--vscode-textCodeBlock-background); }
.number { text-align: end; font-variant-numeric: tabular-nums; }
.note { color: var(--vscode-descriptionForeground); }
.outcome { border-inline-start: 3px solid var(--vscode-testing-iconPassed); padding-inline-start: 0.7em; }
.wrong, .outcome.wrong { border-inline-start: 3px solid var(--vscode-errorForeground); padding-inline-start: 0.7em; }
a { color: var(--vscode-textLink-foreground); }
a:focus-visible, pre:focus-visible, summary:focus-visible { outline: 1px solid var(--vscode-focusBorder); }
.actions > * { margin-inline-end: 1em; }
.actions > :empty { display: none; }
summary { cursor: pointer; padding: 0.4em 0; }
`;
