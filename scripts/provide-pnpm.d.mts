export declare function providePnpm(): string[]
export declare function runStep(program: string, args: readonly string[], cwd: string): void
