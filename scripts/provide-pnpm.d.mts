export declare const SILENT_MS: number
export declare function providePnpm(): Promise<string[]>
export declare function runStep(program: string, args: readonly string[], cwd: string): Promise<void>
