# A 64 MiB raw block device, for one writing allocation at a time.
id        = "raw-disk"
name      = "raw-disk"
type      = "csi"
plugin_id = "local"

capacity_min = "64MiB"
capacity_max = "64MiB"

capability {
  access_mode     = "single-node-writer"
  attachment_mode = "block-device"
}
