import type { Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { commandRaising } from '#stdlib/command.ts';

import { collectRecords } from '../../saved-records.ts';
import { readSpec } from '../read-spec.ts';
import { compareWithOpenApi, comparisonText } from './compare-openapi.ts';
import { readContract, saveContract } from './contract-file.ts';
import type { Contract } from './contract-file.ts';
import { contractFromRecords } from './from-records.ts';
import { verificationText, verifyContract } from './verify.ts';

const command = commandRaising('APIContractException');

export const AT_write_contract = command('AT_write_contract', async (params, ctx) => {
  const filter = params.filter;
  const contract = contractFromRecords(await collectRecords(params.report_paths, ctx), {
    consumer: params.consumer,
    provider: params.provider,
    basePath: params.base_path,
    bodyRule: params.body_rule,
    ...(filter === null ? {} : { keeps: (name) => ctx.regex.match(filter, '', name) !== null }),
  });
  if (contract.interactions.length === 0) throw fail.contractNothing({ path: params.output_path });
  await saveContract(params.output_path, contract, ctx);
  return params.output_path;
});

export const AT_verify_contract = command('AT_verify_contract', async (params, ctx) => {
  const contract = await readFilledContract(params.contract_path, ctx);
  const handler = params.state_handler === null ? undefined : await ctx.modules.reference(params.state_handler);
  const report = await verifyContract(
    contract,
    {
      baseUrl: params.base_url,
      statesUrl: params.provider_states_url,
      setUp: handler && ((state, params) => (params === undefined ? handler(state) : handler(state, params))),
      timeoutMs: params.timeout * 1000,
    },
    ctx,
  );
  return {
    ...report,
    broken: report.interactions.filter(({ ok }) => !ok).length,
    total: report.interactions.length,
    report: verificationText(report),
  };
});

export const AT_check_contract_against_openapi = command('AT_check_contract_against_openapi', async (params, ctx) => {
  const contract = await readFilledContract(params.contract_path, ctx);
  const report = compareWithOpenApi(contract, await readSpec(params.openapi_path, ctx));
  return { ...report, unfit: report.problems.length, report: comparisonText(report) };
});

/** The contract of a file, which says at least one thing that can be judged. */
async function readFilledContract(path: string, ctx: Pick<Ports, 'files'>): Promise<Contract> {
  const contract = await readContract(path, ctx);
  if (contract.interactions.length === 0) throw fail.contractEmpty({ contract_path: path });
  return contract;
}
