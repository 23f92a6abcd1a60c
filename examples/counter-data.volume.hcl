# A 64 MiB ext4 image, made and mounted by the bundled plugin, for one writing allocation at a time.
id        = "counter-data"
name      = "counter-data"
type      = "csi"
plugin_id = "local"

capacity_min = "64MiB"
capacity_max = "64MiB"

capability {
  access_mode     = "single-node-writer"
  attachment_mode = "file-system"
}

mount_options {
  fs_type = "ext4"
}

parameters {
  type = "ext4"
}
