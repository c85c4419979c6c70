export declare function holdInstallLock(lock: string, install: () => void | Promise<void>): Promise<void>
