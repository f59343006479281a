// Generated from stdlib/browser/runs/shard/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Choose the files of one shard. */
  WR_partition: {
    params: {
      /** Action files. */
      paths: ReadonlyArray<string>
      /** Shard number from 1. */
      index: number
      /** Number of shards. */
      total: number
    }
    /** The paths of the shard, in their order. */
    result: ReadonlyArray<string>
  }
  /** Choose the files of a shard given as text. */
  WR_partition_with_spec: {
    params: {
      /** Action files. */
      paths: ReadonlyArray<string>
      /** Shard as `index/total`, such as 1/4. */
      spec: string
    }
    /** The paths of the shard, in their order. */
    result: ReadonlyArray<string>
  }
  /** Read a shard text into its two numbers. */
  WR_parse_shard_spec: {
    params: {
      /** Shard as `index/total`. */
      spec: string
    }
    /**
     * Index and total.
     *
     * @minItems 2
     * @maxItems 2
     */
    result: [number, number]
  }
}
