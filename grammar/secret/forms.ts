import { secretForms } from '#schemas/types/secret-forms.ts';

/** Further secrets that are known by their form, by rule; those that every program masks stand in `secretForms`. */
const moreForms = {
  stripe_webhook: /\bwhsec_[0-9A-Za-z+/=]{24,}/,
  sendgrid_key: /\bSG\.[\w-]{20,24}\.[\w-]{39,50}/,
  mail_service_key: /\b(?:key-[0-9a-f]{32}|xkeysib-[0-9a-f]{64}-\w{16})\b/,
  telephony_key: /\bSK[0-9a-f]{32}\b/,
  ai_service_key:
    /\b(?:sk-(?:ant-|proj-|svcacct-)[\w-]{20,}|sk-[A-Za-z0-9]{40,}|hf_[A-Za-z]{30,}|gsk_[A-Za-z0-9]{40,}|r8_[A-Za-z0-9]{37})/,
  cloud_token:
    /\b(?:do[opr]_v1_[0-9a-f]{64}|dapi[0-9a-f]{32}|hvs\.[\w-]{24,}|[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}|ya29\.[\w-]{30,}|pscale_(?:tkn|pw)_[\w.-]{30,}|nfp_[A-Za-z0-9]{36}|FlyV1 [\w+/=,-]{40,})/,
  cloud_storage_key: /\bAccountKey=[A-Za-z0-9+/]{80,}={0,2}/,
  package_token: /\b(?:pypi-AgE[\w-]{50,}|dckr_pat_[\w-]{24,}|rubygems_[0-9a-f]{48}|oy2[a-z0-9]{43})\b/,
  shop_token: /\b(?:shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}|sq0(?:atp|csp|idp)-[\w-]{22,43})/,
  work_tool_token:
    /\b(?:lin_api_[A-Za-z0-9]{40}|PMAK-[0-9a-f]{24}-[0-9a-f]{34}|ATATT3[\w=-]{60,}|ntn_[A-Za-z0-9]{43,}|secret_[A-Za-z0-9]{43}|figd_[\w-]{40,})/,
  chat_bot_token: /\b(?:[0-9]{8,10}:AA[\w-]{33}\b|[MNO][A-Za-z\d]{23,25}\.[\w-]{6}\.[\w-]{27,38})/,
  chat_webhook:
    /https:\/\/(?:[a-z]+\.)?discord(?:app)?\.com\/api\/webhooks\/\d+\/[\w-]{30,}|https:\/\/[a-z0-9-]+\.webhook\.office\.com\/webhookb2\/[\w@-]+\/IncomingWebhook\/[\w/-]+/,
  age_key: /\bAGE-SECRET-KEY-1[0-9A-Z]{58}/,
} as const;

export type FormRule = keyof typeof secretForms | keyof typeof moreForms;

const forms = Object.entries<RegExp>({ ...secretForms, ...moreForms });

/** One group a rule, by its name. */
export const anyForm = new RegExp(forms.map(([rule, { source }]) => `(?<${rule}>${source})`).join('|'), 'g');

/** Tells whether a text holds one of them. */
export const oneForm = new RegExp(forms.map(([, { source }]) => source).join('|'));
