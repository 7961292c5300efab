/** What looks risky in a launch, as sentences for people. */
import * as vscode from 'vscode';
import type { PathField, Risk, VariableOrigin } from '../../host/launch/launchDescription.ts';

export function riskText(risk: Risk): string {
  switch (risk.kind) {
    case 'elevation':
    case 'recursiveDelete':
    case 'downloadToShell':
    case 'networkFetch':
    case 'containerEscape':
      return commandText(risk.kind, risk.text);
    case 'encodedCommand':
      return encodedText(risk.text, risk.decoded);
    case 'loaderVariable':
      return vscode.l10n.t(
        'The variable {0} ({1}) can make programs load other code',
        risk.name,
        originText(risk.origin),
      );
    case 'pathInsideFolder':
      return vscode.l10n.t(
        '{0} ({1}) finds programs inside the workspace: {2}',
        risk.name,
        originText(risk.origin),
        risk.entry,
      );
    case 'workspace':
      return workspaceText(risk.what, risk.text);
    case 'pathOutsideFolder':
      return vscode.l10n.t('{0} outside the workspace: {1}', fieldText(risk.field), risk.path);
    case 'fileSent':
      return vscode.l10n.t('Sends the content of a file: {0}', risk.path);
    case 'connection':
      return connectionText(risk.by, risk.text);
    case 'plainHttp':
    case 'secretOverPlainHttp':
      return unencryptedText(risk);
  }
}

function encodedText(text: string, decoded: string | undefined): string {
  return decoded === undefined
    ? vscode.l10n.t('Hides its script in an encoding: {0}', text)
    : vscode.l10n.t('Hides its script in an encoding; it says: {0}', decoded);
}

function unencryptedText(
  risk: Extract<Risk, { kind: 'plainHttp' | 'secretOverPlainHttp' }>,
): string {
  return risk.kind === 'plainHttp'
    ? vscode.l10n.t('Not encrypted: others on the way to {0} can read and change it', risk.origin)
    : vscode.l10n.t('Sends a secret without encryption: {0}', risk.field);
}

function workspaceText(what: 'changeable' | 'taken', text: string): string {
  return what === 'changeable'
    ? vscode.l10n.t(
        'Runs with files of the workspace, which may change without another question ("pinFiles" in the entry asks again): {0}',
        text,
      )
    : vscode.l10n.t('Takes {0} from this workspace, whose authors may change it', text);
}

type CommandRisk = Extract<
  Risk,
  {
    kind: 'elevation' | 'recursiveDelete' | 'downloadToShell' | 'networkFetch' | 'containerEscape';
  }
>;

function commandText(kind: CommandRisk['kind'], text: string): string {
  switch (kind) {
    case 'elevation':
      return vscode.l10n.t('Asks for more rights than yours: {0}', text);
    case 'recursiveDelete':
      return vscode.l10n.t('Deletes folders with everything in them: {0}', text);
    case 'downloadToShell':
      return vscode.l10n.t('Runs what it downloads: {0}', text);
    case 'networkFetch':
      return vscode.l10n.t('Is a script that downloads something: {0}', text);
    case 'containerEscape':
      return vscode.l10n.t('The container can reach this machine: {0}', text);
  }
}

function connectionText(by: 'authority' | 'proxy' | 'unchecked', text: string): string {
  switch (by) {
    case 'authority':
      return vscode.l10n.t('Accepts certificates of authorities of its own choice: {0}', text);
    case 'proxy':
      return vscode.l10n.t('Everything goes through a proxy: {0}', text);
    case 'unchecked':
      return vscode.l10n.t('Does not check the certificate of the server');
  }
}

function originText(origin: VariableOrigin): string {
  switch (origin) {
    case 'env':
      return vscode.l10n.t('set in the entry');
    case 'envFile':
      return vscode.l10n.t('set in the environment file');
    case 'command':
      return vscode.l10n.t('set by the command line');
  }
}

function fieldText(field: PathField): string {
  switch (field) {
    case 'command':
      return vscode.l10n.t('A command');
    case 'argument':
      return vscode.l10n.t('An argument names a path');
    case 'workingDirectory':
      return vscode.l10n.t('A working directory');
    case 'environmentFile':
      return vscode.l10n.t('An environment file');
  }
}
