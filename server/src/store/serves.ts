/**
 * Whether a process serves a device: a process with a list of devices serves those; any other process serves all
 * devices without remote workers (D-67).
 */
export const serves = (process: string, device: string): string =>
  `case when ${process}.device_ids is null then not ${device}.has_workers else ${device}.device_id = any(${process}.device_ids) end`
