export declare function describeHolder(): string
export declare function pidOfHolder(text: string): number
export declare function isHolderAlive(text: string): boolean
