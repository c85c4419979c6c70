-- Whether several applications have a service on a device, which a claim asks.
create index endpoints_by_device on endpoints (device_id, app_id);
